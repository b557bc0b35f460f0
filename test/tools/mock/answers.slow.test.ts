/** What a mock answers: the contract's examples, or values that fit its schemas; and what a request may prefer. */
import request from 'supertest';
import { eventually } from '../../support/eventually';
import { readContract } from '../../../src/tools/conformance/contract';
import { checkConformance, runsFor } from '../../../src/tools/conformance/suite';
import type { Verdict } from '../../../src/tools/conformance/verdict';
import { mockOf, type TestMock } from './mock-of';
import { table } from '../../support/table';

const CONTRACT = `
servers: [{ url: https://notes.example/v1 }]
paths:
  /examples:
    get:
      operationId: examples
      responses:
        '200':
          description: Notes.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Note' }
              examples:
                wrong: { value: { id: first } }
                plain: { value: { id: 1 } }
                tagged: { $ref: '#/components/examples/tagged' }
        '404': { $ref: '#/components/responses/Missing' }
        4XX: { $ref: '#/components/responses/Missing' }
  /parts:
    get:
      operationId: parts
      responses:
        default:
          description: A note.
          headers:
            X-Count: { required: true, schema: { type: integer, minimum: 3, maximum: 3 } }
            X-Name: { schema: { type: string }, example: Ada }
            X-Kind: { schema: { type: string, enum: [good] }, example: bad }
            X-Left: { content: { application/json: { schema: { type: array, minItems: 1, items: { type: integer, minimum: 3, maximum: 3 } } } } }
            X-Text: { content: { text/plain: { schema: { type: string, maxLength: 3 }, examples: { cut: { value: "a\\nb" }, whole: { value: ok } } } } }
            X-Result: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { id: 7 } } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }
  /tree/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: tree
      responses:
        '200':
          description: A tree.
          content: { application/json: { schema: { $ref: '#/components/schemas/Tree' } } }
  /none:
    delete: { operationId: remove, responses: { '204': { description: Gone. }, '404': { description: Missing. } } }
    head: { operationId: ask, responses: { '200': { description: There., content: { application/json: { schema: { type: object } } } } } }
  /moved:
    get: { operationId: moved, responses: { '302': { description: Elsewhere., headers: { Location: { required: true, schema: { type: string, format: uri } } } } } }
  /types:
    get:
      operationId: types
      responses:
        '200':
          description: A note in many forms.
          content:
            application/xml: { schema: { $ref: '#/components/schemas/Note' } }
            application/json: { schema: { $ref: '#/components/schemas/Note' } }
            application/x-ndjson: { schema: { $ref: '#/components/schemas/Note' } }
            text/event-stream: { schema: { $ref: '#/components/schemas/Note' } }
            application/yaml: { schema: { $ref: '#/components/schemas/Note' } }
            text/xml: { schema: { type: string, example: a < b } }
            application/svg+xml: { schema: { type: string, example: <svg/> } }
            text/plain: { schema: { type: string, example: A note } }
            image/*: { schema: { type: string, format: binary } }
components:
  examples: { tagged: { value: { id: 9007199254740993, tag: green } } }
  responses:
    Missing:
      description: There is none.
      content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } }
  schemas:
    Problem: { type: object, required: [error, message], properties: { error: { type: integer }, message: { type: string } } }
    Note:
      type: object
      required: [id]
      xml: { name: note }
      properties:
        id: { type: integer, format: int64, example: 7, xml: { attribute: true } }
        tag: { type: string, enum: [green] }
        secret: { type: string, writeOnly: true }
        author: { type: string, example: 5, default: Grace }
        words: { type: array, items: { type: string, examples: [a, b] }, minItems: 1, maxItems: 1, xml: { wrapped: true } }
    Tree:
      type: object
      required: [kind, children]
      properties:
        kind: { enum: [oak, elm] }
        children: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Tree' } }
`;

let mock: TestMock;
beforeAll(async () => void (mock = await mockOf(CONTRACT)));

it('answers with the first example that fits, below the path of the server', async () => {
  expect(mock.baseUrl).toMatch(/\/v1$/);
  const { status, body, headers } = await mock.get('/examples');
  expect([status, body, headers.mock]).toEqual([200, { id: 1 }, 'true']);
});

it.each([
  ['example=tagged', 200, '{"id":9007199254740993,"tag":"green"}'],
  ['"code"=200', 200, '{"id":1}'],
  ['return=minimal, example="plain"', 200, '{"id":1}'],
  ['example=other', 400, 'Prefer: expected example to be one of wrong, plain, tagged, got \\"other\\"'],
  [
    'example=wrong',
    400,
    'Prefer: expected an example that fits its schema (the body/id: expected integer), got \\"wrong\\"',
  ],
  ['code=500', 400, 'Prefer: expected code to be one of 200, 404, 4XX, got \\"500\\"'],
  [
    `example=${'x'.repeat(41)}`,
    400,
    'Prefer: expected example to be one of wrong, plain, tagged, got \\"' + 'x'.repeat(40),
  ],
  [`example=plain; other=${' '.repeat(12_000)}""x`, 200, '{"id":1}'],
  ['dynamic=maybe', 400, 'Prefer: expected dynamic to be true or false, got \\"maybe\\"'],
])('Prefer: %s is answered with %s', async (prefer, status, text) => {
  const answer = await mock.get('/examples', { Prefer: prefer });
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
});

it.each([404, 418])('Prefer: code=%s is answered with an error that is declared', async (code) => {
  const { status, body } = await mock.get('/examples', { Prefer: `code=${code}` });
  expect([status, body]).toEqual([code, { error: expect.any(Number), message: expect.any(String) }]);
});

it('Prefer: dynamic=true is answered with a value that no example has', async () => {
  const { status, body } = await mock.get('/examples', { Prefer: 'dynamic=true' });
  expect([status, Object.keys(body)]).toEqual([200, ['id', 'tag', 'author', 'words']]);
  expect(body).not.toMatchObject({ id: 7 });
});

it('puts the examples of properties together, without what is writeOnly, and makes headers', async () => {
  const { status, body, headers } = await mock.get('/parts');
  expect([status, body]).toEqual([
    200,
    { id: 7, tag: 'green', author: 'Grace', words: [expect.stringMatching(/^[ab]$/)] },
  ]);
  expect([headers['x-count'], headers['x-name'], headers['x-kind']]).toEqual(['3', 'Ada', 'good']);
  expect([headers['x-left'], headers['x-result'], headers['x-text']]).toEqual([
    expect.stringMatching(/^\[3(?:,3)*\]$/),
    '{"id":7}',
    'ok',
  ]);
});

it('answers the same request alike, and others otherwise; another seed makes other values', async () => {
  const { text } = await mock.get('/tree/1');
  expect((await mock.get('/tree/1')).text).toBe(text);
  const paths = Array.from({ length: 20 }, (_, index) => `/tree/${index}`);
  const texts = async ({ get }: TestMock): Promise<string[]> =>
    Promise.all(paths.map(async (path) => (await get(path)).text));
  const first = await texts(mock);
  expect(new Set(first).size).toBeGreaterThan(1);
  const other = await mockOf(CONTRACT, { seed: 1 });
  expect(await texts(other)).not.toEqual(first);
});

it('answers without a body if none is declared, or sent', async () => {
  const none = request(mock.baseUrl);
  const [gone, asked] = [await none.delete('/none'), await none.head('/none')];
  expect([gone.status, gone.text, asked.status, asked.headers['content-type']]).toEqual([
    204,
    '',
    200,
    'application/json',
  ]);
});

it('answers with a redirection if there is no success', async () => {
  const { status, headers } = await request(mock.baseUrl).get('/moved').redirects(0);
  expect([status, headers.location]).toEqual([302, expect.stringMatching(/^https:\/\/example\./)]);
});

const NOTE = { id: 7, tag: 'green', author: 'Grace', words: [expect.any(String)] };

it.each([
  [undefined, 'application/json', /^\{"id":7/],
  [
    'application/xml',
    'application/xml',
    /^<\?xml .*\n<note id="7"><tag>green<\/tag><author>Grace<\/author><words><words>[ab]<\/words><\/words><\/note>\n$/,
  ],
  ['text/xml', 'text/xml', /^<\?xml .*\n<root>a &#60; b<\/root>\n$/],
  ['application/svg+xml', 'application/svg+xml', /^<svg\/>$/],
  ['text/plain', 'text/plain', /^A note$/],
  [
    'application/yaml, application/json;q=0.5',
    'application/yaml',
    /^\{"id":7,"tag":"green","author":"Grace","words":\["[ab]"\]\}$/,
  ],
  ['application/x-ndjson', 'application/x-ndjson', /^(?:\{"id":7.*\}\n){3}$/],
  ['text/event-stream', 'text/event-stream', /^(?:data: \{"id":7.*\}\n\n){3}$/],
  ['image/png', 'image/png', /PNG/],
  ['audio/ogg', 'application/json', /^\{"id":7/],
])('answers %s with %s', async (accept, mediaType, text) => {
  const answer = await mock.get('/types', accept === undefined ? {} : { Accept: accept });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, mediaType]);
  expect(Buffer.isBuffer(answer.body) ? answer.body.toString('latin1') : answer.text).toMatch(text);
  if (mediaType === 'application/json') expect(answer.body).toEqual(NOTE);
});

it.each([
  ['the items of an example', 'application/jsonl', '{"n":9007199254740993}\n{"n":2}\n'],
  ['values of contentSchema in events', 'text/event-stream', 'event: n\ndata: {"n":5}\n\n'.repeat(3)],
  ['as many items as there must be', 'application/x-ndjson', '{"n":5}\n'.repeat(4)],
  ['an example that is a text', 'application/json-seq', '\x1e{"n":1}\n'],
  [
    'parts',
    'multipart/mixed; boundary=xx',
    `${'--xx\r\nContent-Type: application/json\r\n\r\n{"n":5}\r\n'.repeat(3)}--xx--\r\n`,
  ],
])('sends %s as they come', async (_what, mediaType, text) => {
  const number = '{ type: object, required: [n], properties: { n: { type: integer, format: int64, example: 5 } } }';
  const sequences = await mockOf(
    `
openapi: 3.2.0
info: { title: Numbers, version: 1.0.0 }
paths:
  /numbers:
    get:
      operationId: give
      responses:
        '200':
          content:
            application/jsonl: { itemSchema: ${number}, examples: { two: { dataValue: [{ n: 9007199254740993 }, { n: 2 }] } } }
            application/x-ndjson: { schema: { type: array, minItems: 4, items: ${number}, example: [{ n: 1 }] } }
            text/event-stream:
              itemSchema:
                type: object
                required: [event, data]
                properties: { event: { const: n }, data: { type: string, contentMediaType: application/json, contentSchema: ${number} } }
            multipart/mixed; boundary=xx: { itemSchema: ${number}, examples: { raw: { serializedValue: "--xx--" } } }
            application/json-seq: { schema: ${number}, examples: { one: { serializedValue: "\\x1e{\\"n\\":1}\\n" } } }
`,
    { intervalMs: 1 },
  );
  const answer = await fetch(`${sequences.baseUrl}/numbers`, { headers: { Accept: mediaType } });
  expect([answer.headers.get('content-type'), answer.headers.get('mock')]).toEqual([mediaType, 'true']);
  expect(await answer.text()).toBe(text);
});

it('sends the first item of a sequence before it waits for the next', async () => {
  const slow = await mockOf(CONTRACT, { intervalMs: 100_000 });
  const answer = await fetch(`${slow.baseUrl}/types`, { headers: { Accept: 'text/event-stream' } });
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toMatch(/^data: \{"id":7.*\}\n\n$/);
  await reader?.cancel();
});

it('refuses as the real service does', async () => {
  const [unknown, query] = [await mock.get('/other'), await mock.get('/tree/1?a=1')];
  expect([unknown.status, unknown.body.error, query.status, query.body.error]).toEqual([404, 40401, 400, 40002]);
});

it('has a documentation page, lets pages of any origin call, and prints a line to try it', async () => {
  const cors = await mockOf(CONTRACT, {}, { CORS_ORIGINS: '*' });
  const [page, answer] = [await cors.get('/docs'), await cors.get('/parts', { Origin: 'https://app.example' })];
  expect([page.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(cors.printed).toContain(`Try it: curl -i ${cors.baseUrl}/examples\n`);
});

it('does not hang on a pattern that takes for ever on the words that it tries first', async () => {
  const schema = "{ type: string, minLength: 40, pattern: '^([a-z]+)+[0-9]$' }";
  const words = await mockOf(`
paths:
  /words:
    get: { responses: { '200': { description: Words., content: { application/json: { schema: ${schema} } } } } }
`);
  expect((await words.get('/words')).body).toMatch(/^[a-z]{39,}[0-9]$/);
});

describe('a value that is too large', () => {
  const NESTED = [1, 2, 3, 4].reduce(
    (items) => `{ type: array, minItems: 1000, items: ${items} }`,
    '{ type: integer }',
  );
  it.each(table`
    a list | { type: array, minItems: 1000000000 }
    a text | { type: string, minLength: 1000000000 }
    a text of a pattern | { type: string, pattern: '^((a{1000}){1000}){1000}$' }
    texts of a pattern | { type: array, minItems: 1000, items: { type: string, pattern: '^(?:[a-z]{50}x?){100}$' } }
    an object | { type: object, minProperties: 1000000000 }
    a product | ${NESTED}
    a product within
      | { type: [object, 'null'], required: [a], properties: { a: { type: [integer, array], items: { type: string,
        minLength: 90000 }, minItems: 90000 }, b: ${NESTED} } }
  `)('is not made, but for what can be made of it: %s', async (what, schema) => {
    const mock = await mockOf(`
paths:
  /large:
    get:
      operationId: large
      responses:
        '200': { description: Large., content: { application/json: { schema: ${schema} } } }
        '404': { description: None., content: { application/json: { schema: { const: none } } } }
`);
    const isWhole = what !== 'a product within';
    const { status } = await mock.get('/large');
    expect(status).toBe(isWhole ? 501 : 200);
    await eventually(() =>
      expect(mock.told.filter((line) => line.includes('large is answered with 501'))).toHaveLength(isWhole ? 1 : 0),
    );
    const { status: preferred, body } = await mock.get('/large', { Prefer: 'code=404' });
    expect([preferred, body]).toEqual([404, 'none']);
  });
});

/** A contract whose operation `/a` answers with this response. */
const withResponse = (response: string): string => `
paths: { /a: { get: { responses: { ${response} } } } }
`;
const withSchema = (schema: string): string =>
  withResponse(`'200': { description: An a., content: { application/json: { schema: ${schema} } } }`);

it.each([
  ['application/json', '"Camel"'],
  ['application/json; profile="pascal"', '"Pascal"'],
  ['application/json;charset=UTF-8;Profile=Pascal', '"Pascal"'],
  ['application/json;q=0.5, application/json;profile="a,b", application/json;profile=pascal;q=0.7', '"Pascal"'],
  ['application/json;profile=pascal;q=0.5, */*', '"Camel"'],
  ['application/json;profile=kebab', '"Camel"'],
  ['application/json;profile=kebab, text/*;q=0.1', 'text'],
])('answers %s with the media type that has its parameters: %s', async (accept, text) => {
  const contents = ['Camel', 'Pascal'].map((name) => `application/json; profile="${name}": { example: ${name} }`);
  const profiles = await mockOf(
    withResponse(`'200': { description: A., content: { ${contents.join()}, text/plain: { example: text } } }`),
  );
  expect((await profiles.get('/a', { Accept: accept })).text).toBe(text);
});

it.each<[what: string, schema: string, body: unknown]>([
  [
    'an optional property that another part of an allOf excludes',
    '{ allOf: [{ properties: { a: { const: 1 } }, additionalProperties: false }, { properties: { b: { const: 2 } } }] }',
    { a: 1 },
  ],
  [
    'an optional property that another part of an allOf restricts',
    '{ allOf: [{ type: object, additionalProperties: { type: string } }, { properties: { a: { const: 1 }, b: { const: b } } }] }',
    { b: 'b' },
  ],
  [
    'a null that is only accepted, though it is the default',
    '{ type: object, properties: { a: { type: boolean, enum: [true], nullable: true, default: null } } }',
    { a: true },
  ],
  [
    'a null that is only accepted, though the example has it',
    '{ type: object, required: [a], properties: { a: { const: 1, nullable: true } }, example: { a: null } }',
    { a: 1 },
  ],
  [
    'an optional property whose values are not of its type',
    '{ type: object, properties: { a: { type: integer, enum: [one] }, b: { type: integer, enum: [one, 1] } } }',
    { b: 1 },
  ],
])('is made without %s', async (_what, schema, body) => {
  const mock = await mockOf(withSchema(schema));
  expect((await mock.get('/a')).body).toEqual(body);
});

it('has the headers of content that are no framing, such as the name of a file', async () => {
  const header = '{ required: true, schema: { type: string } }';
  const named = ['Disposition', 'Language'].map((name) => `Content-${name}: ${header}`).join();
  const mock = await mockOf(
    withResponse(`'200': { description: A file., headers: { ${named} }, content: { text/plain: {} } }`),
  );
  const { status, headers } = await mock.get('/a');
  expect([status, headers]).toEqual([
    200,
    expect.objectContaining({
      'content-disposition': expect.stringMatching(/^\w/),
      'content-language': expect.stringMatching(/^\w/),
    }),
  ]);
});

it('of a range of media types is of one of them', async () => {
  const mock = await mockOf(withResponse("'200': { description: A sound., content: { audio/*: {} } }"));
  const { status, headers } = await mock.get('/a');
  expect([status, headers['content-type']]).toEqual([200, 'audio/mpeg']);
});

it.each([
  [
    'that nothing fits',
    withSchema('{ type: string, not: { type: string } }'),
    /answered with 501: no application\/json /,
  ],
  [
    'of the fields of a form in parts',
    withResponse(
      "'200': { description: A form., content: { multipart/form-data: { schema: { type: object, properties: { size: { type: integer } } } } } }",
    ),
    /answered with 501: no multipart\/form-data /,
  ],
  ['of another protocol', withResponse("'101': { description: Sockets. }"), /answered with 501: 101 is for requests /],
])('is not made of a response %s, which is told at the start', async (_what, contract, told) => {
  const mock = await mockOf(contract);
  expect((await mock.get('/a')).status).toBe(501);
  await eventually(() => expect(mock.told).toEqual([expect.stringMatching(told)]));
});

it('has names that people can read, however hard the schema is to meet', async () => {
  const mock = await mockOf(withSchema('{ type: object, minProperties: 14, additionalProperties: { type: boolean } }'));
  expect(Object.keys((await mock.get('/a')).body).filter((name) => !/^[a-z]+\d*$/.test(name))).toEqual([]);
});

it.each([
  '{ type: array, minItems: 5, uniqueItems: true, items: { enum: [a, b] } }',
  '{ type: object, minProperties: 5, propertyNames: { enum: [a, b] } }',
])('is not searched without end: %s', async (schema) => {
  expect((await (await mockOf(withSchema(schema))).get('/a')).status).toBe(501);
});

it('passes the conformance suite, which knows the header that says Mock', async () => {
  const schema = '{ type: object, required: [a], properties: { a: { type: string } } }';
  const { findings, warnings } = await verdictOn(withSchema(schema), 20);
  expect(findings).toEqual([]);
  expect(warnings.map(({ problem }) => problem)).not.toContainEqual(expect.stringMatching(/the header mock/i));
});

const TENTH = '{ type: number, multipleOf: 0.1 }';
const OBJECT = '{ type: object, properties: { a: { type: integer } } }';
it.each<[what: string, operation: string]>([
  ['multiples of a tenth', `requestBody: { required: true, content: { application/json: { schema: ${TENTH} } } }`],
  [
    'multiples of 5 in 64 bits',
    'requestBody: { required: true, content: { application/json: { schema: { type: integer, format: int64, multipleOf: 5 } } } }',
  ],
  ['JSON in a header', `parameters: [{ name: p, in: header, content: { application/json: { schema: ${OBJECT} } } }]`],
  [
    'lists in brackets',
    'parameters: [{ name: p, in: query, style: deepObject, schema: { type: object, properties: { a: { type: array, items: { type: integer } } } } }]',
  ],
  [
    'maps of cookies',
    'parameters: [{ name: p, in: cookie, schema: { type: object, additionalProperties: { type: boolean } } }]',
  ],
])('passes the conformance suite with %s, and lists in headers', async (_what, operation) => {
  const answer = `headers: { X-A: { required: true, schema: { type: array, items: { type: boolean } } } }, content: { application/json: { schema: ${TENTH} } }`;
  const { findings } = await verdictOn(
    `\npaths: { /a: { post: { operationId: a, ${operation}, responses: { '200': { description: Done., ${answer} } } } } }`,
    200,
  );
  expect(findings.map(({ problem }) => problem)).toEqual([]);
});

it.each(['{ type: integer, minimum: 5 }', '{ type: string }'])(
  'passes the conformance suite with the length of a GET as an answer to HEAD, %s',
  async (schema) => {
    const headers = `headers: { Content-Length: { required: true, schema: ${schema} } }`;
    const contract = `\npaths: { /a: { head: { operationId: a, responses: { '200': { description: There., ${headers} } } } } }`;
    const { findings } = await verdictOn(contract, 20);
    expect(findings.map(({ problem }) => problem)).toEqual([]);
    const asked = await request((await mockOf(contract)).baseUrl).head('/a');
    expect(asked.headers['content-length']).toMatch(schema.includes('integer') ? /^[1-9]\d*$/ : /^\d+$/);
  },
);

it('writes numbers that no double holds', async () => {
  const any =
    '{ type: object, required: [x], properties: { x: { type: number, not: { multipleOf: 0.25 } } }, additionalProperties: true }';
  const mock = await mockOf(
    `\npaths: { '/a/{n}': { get: { operationId: a, responses: { '200': { description: Any., content: { application/json: { schema: ${any} } } } } } } }`,
  );
  const answers = Array.from({ length: 40 }, (_, n) => mock.get(`/a/${n}`, { Prefer: 'dynamic' }));
  const texts = (await Promise.all(answers)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('50001'))).toEqual([]);
  expect(texts.join()).toContain('1e400');
});

async function verdictOn(contract: string, requests: number): Promise<Verdict> {
  const { file, baseUrl } = await mockOf(contract);
  const target = { url: `${baseUrl}/`, credentials: { token: undefined, user: undefined, keys: {} } };
  return checkConformance(readContract(file), target, { seed: 1, runs: runsFor(requests), write: true });
}
