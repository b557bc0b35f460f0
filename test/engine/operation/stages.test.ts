import { expectError } from '../../support/errors';
import { ask, plantRequest, type RequestParts } from '../../support/raw';
import { notingService } from '../../support/noting-service';

/** What express-openapi-validator would read otherwise than it is meant. */
const contract = `
servers: [{ url: 'https://notes.example/{version}', variables: { version: { default: v7 } } }]
paths:
  /notes/{id}: { $ref: '#/components/pathItems/Note' }
  /drafts:
    post:
      operationId: saveDraft
      requestBody: { $ref: '#/components/requestBodies/Draft' }
      responses: { '204': { description: Saved. } }
  /texts:
    post:
      operationId: saveText
      requestBody: { content: { text/plain: { schema: { type: string, maxLength: 5 } }, application/json: { schema: { type: object, required: [id] } } } }
      responses: { '204': { description: Saved. } }
  /counts:
    post:
      operationId: saveCount
      requestBody: { content: { text/plain: { schema: { oneOf: [{ type: integer, format: int64 }, { type: string, enum: [none] }] } } } }
      responses: { '204': { description: Saved. } }
components:
  pathItems:
    Note:
      parameters: [{ $ref: '#/components/parameters/Id' }, { name: lang, in: query, schema: { type: string } }]
      get:
        operationId: findNote
        parameters: [{ name: lang, in: query, schema: { enum: [en, de] } }]
        responses: { '204': { description: Found. } }
  parameters:
    Id: { name: id, in: path, required: true, schema: { type: string } }
  requestBodies:
    Draft: { content: { application/json: { schema: { type: object } } } }
`;

const noting = notingService(contract);
const send = (line: string, parts: RequestParts = {}) =>
  ask(noting.service.port, plantRequest(noting.service, { line: `${line} HTTP/1.1`, ...parts }), line.split(' ')[0]);

describe('an operation', () => {
  it('is found behind a reference of its path, and has the parameters of both', async () => {
    expect(await send('GET /notes/a%2Fb%20%F0%9F%8C%B5?lang=de')).toMatchObject({ status: 204 });
    expect(noting.seen).toMatchObject({ operation: 'findNote', path: { id: 'a/b 🌵' }, query: { lang: 'de' } });
    expectError(await send('GET /notes/1?lang=fr'), 40002, '/query/lang: expected one of en, de, got "fr"');
  });

  it.each([
    ...['GET /notes/', 'GET /notes/1/2', 'GET /v7/notes/1', 'GET /api/v7/notes/1', 'GET /notes'],
    ...['GET /note/1', 'GET /notess/1', 'GET /NTOES/1', 'GET /notas/1', 'GET /notes/v1/1'],
  ])('is not found at %s, and its path is named', async (line) => {
    expectError(await send(line), 40401, 'expected a path of the contract: /notes/{id}');
    expect(noting.seen).toBeUndefined();
  });

  const FAR = ['GET /', 'GET /nuts/1', 'GET /a/b/notes/1/c', `GET /notes/1/${'2'.repeat(100)}`];
  it.each(FAR)('is not near %s, for which all paths are named', async (line) => {
    expectError(await send(line), 40401, 'expected a path of the contract: /notes/{id}, /drafts, /texts, /counts');
  });

  const ALIKE = ['GET /Notes/1', 'GET /notes/1/', 'GET //NOTES//a%2Fb'];
  it.each(ALIKE)(
    'of a path with parameters is named to whom %s differs from it in letter case or slashes',
    async (line) => {
      const message = 'expected a path of the contract: /notes/{id}, with its letter case and slashes';
      expectError(await send(line), 40401, message);
    },
  );

  it('has no other methods than its path', async () => {
    const answer = await send('DELETE /notes/1');
    expectError(answer, 40501, 'expected one of the methods GET, HEAD');
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  const PLAIN = { 'Content-Type': 'Text/Plain; charset=utf-8' };
  it.each<[what: string, line: string, parts: RequestParts, body: unknown, mediaType: string | undefined]>([
    ['a body', 'POST /drafts', { body: '{}' }, {}, 'application/json'],
    ['none', 'POST /drafts', {}, undefined, undefined],
    ['none, and no type', 'POST /drafts', { headers: { 'Content-Type': undefined } }, undefined, undefined],
    ['none, and the type of another', 'POST /texts', {}, undefined, undefined],
    ['text', 'POST /texts', { headers: PLAIN, body: 'e\u0301🌵' }, 'e\u0301🌵', 'text/plain'],
    ['a number as text', 'POST /counts', { headers: PLAIN, body: '9223372036854775807' }, 2n ** 63n - 1n, 'text/plain'],
    ['text beside a number', 'POST /counts', { headers: PLAIN, body: 'none' }, 'none', 'text/plain'],
    ['JSON beside text', 'POST /texts', { body: '{"id":1}' }, { id: 1 }, 'application/json'],
  ])('whose body is optional is given %s', async (_what, line, parts, body, mediaType) => {
    expect(await send(line, parts)).toMatchObject({ status: 204 });
    expect(noting.seen).toMatchObject({ body, mediaType });
  });

  const HTML = { 'Content-Type': 'text/html' };
  const ANOTHER =
    'expected Content-Type text/plain or application/json, with no parameter but charset=utf-8, got text/html';
  const LATIN_1 = 'expected UTF-8, got bytes of another encoding, such as Latin-1';
  it.each<[what: string, parts: RequestParts, error: number, message: string]>([
    ['long text', { headers: PLAIN, body: '123456' }, 40002, '/body: expected at most 5 characters, got 6 in "123456"'],
    ['text that is none', { headers: PLAIN, body: Buffer.from([0xff]) }, 40001, LATIN_1],
    ['JSON that lacks something', { body: '{}' }, 40002, '/body/id: expected a value, got nothing'],
    ['another type', { headers: HTML, body: 'x' }, 41501, ANOTHER],
    ['another type, without a body', { headers: HTML }, 41501, ANOTHER],
  ])('is not given %s', async (_what, parts, error, message) => {
    expectError(await send('POST /texts', parts), error, message);
    expect(noting.seen).toBeUndefined();
  });

  it('that takes no body is given none, whatever is sent', async () => {
    const parts = { headers: { 'Content-Type': 'text/html; charset=latin1' }, body: '<b>' };
    expect(await send('GET /notes/1', parts)).toMatchObject({ status: 204 });
    expect(noting.seen).toMatchObject({ operation: 'findNote', body: undefined, mediaType: undefined });
  });
});

describe('an operation of two paths, one a reference to the other,', () => {
  const shared = notingService(`
paths:
  /v1/notes/{id}: { $ref: '#/paths/~1notes~1{id}' }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '204': { description: Found. } } }
`);

  it.each([
    ['/notes/1', 'getNotesId'],
    ['/v1/notes/1', 'getV1NotesId'],
  ])('has a name of its own at %s', async (path, operation) => {
    expect(await shared.get(path)).toMatchObject({ status: 204 });
    expect(shared.seen).toMatchObject({ operation, path: { id: 1 } });
  });
});
