/**
 * What a mock makes of its contract: one with problems is refused, or served without the operations that they concern; one that
 * changes is served as it is then.
 */
import request from 'supertest';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../../src/tools/mock/command';
import { eventually } from '../../support/eventually';
import { mockOf } from './mock-of';

const ok = (name: string, schema = '{ type: string }'): string =>
  `{ operationId: ${name}, responses: { '200': { description: There., content: { application/json: { schema: ${schema} } } } } }`;

const CONTRACT = `
openapi: 3.1.0
info: { title: Faults, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /good: { get: ${ok('good')} }
  /own: { get: { security: [{ other: [] }], ${ok('own').slice(1)} }
  /schema: { get: ${ok('schema', "{ $ref: '#/components/schemas/Outer' }")}, put: ${ok('put')} }
  /body: { post: { operationId: body, requestBody: { content: { application/x-thing: { schema: { minimum: a } } } }, responses: { '204': { description: Done. } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: Key } }
  schemas:
    Outer: { type: object, properties: { inner: { $ref: '#/components/schemas/Inner' } } }
    Inner: { type: strin }
`;

it('refuses it with all that is wrong, and says what can be done', async () => {
  const refusal = mockOf(CONTRACT);
  await expect(refusal).rejects.toThrow(/:\d+ expected one of/);
  await expect(refusal).rejects.toThrow(/\nWith --lenient it is served without the operations that this concerns\.$/);
});

it('serves what is left, and says what is not', async () => {
  const mock = await mockOf(CONTRACT, { lenient: true });
  expect(mock.told.at(-1)).toBe('Served without 3 operations: POST /body, GET /own, GET /schema');
  expect(mock.told.join('\n')).toContain('security names other, which components.securitySchemes does not declare');
  const status = async (path: string): Promise<number> => (await mock.get(path, { Key: 'key' })).status;
  expect([await status('/good'), await status('/own'), await status('/schema'), await status('/body')]).toEqual([
    200, 404, 405, 404,
  ]);
});

it('says which patterns decide on short texts only', async () => {
  const schema = ok('short', `{ type: string, pattern: '^(?:(?=b)(b*)*)$', example: b }`);
  const mock = await mockOf(
    `openapi: 3.1.0\ninfo: { title: Short, version: 1.0.0 }\npaths: { /short: { get: ${schema} } }`,
  );
  expect(mock.told).toEqual([
    expect.stringContaining('(^(?:(?=b)(b*)*)$) texts of more than 6 characters are refused'),
  ]);
});

it('prints a line for curl although an example is a reference that leads nowhere', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: add
      requestBody:
        required: true
        content: { application/json: { schema: { const: 1 }, examples: { none: { $ref: '#/components/examples/none' } } } }
      responses: { '204': { description: Done., headers: { At: { schema: { const: a }, examples: { none: { $ref: '#/components/examples/none' } } } } } }
`);
  expect(mock.printed).toMatch(/: curl .* -d '1'/);
  expect((await request(mock.baseUrl).post('/notes').send('1').type('json')).headers).toMatchObject({ at: 'a' });
});

it.each([
  ['as its example is', '{ name: { type: string } }', '{ name: Rex }', '{"name":"Rex"}'],
  ['without what only answers have', '{ name: { const: Fido } }', '{ id: 1, name: Fido }', '{"name":"Fido"}'],
  [
    'without what another part of the schema leaves to answers, though this one requires it',
    '{ name: { const: Fido }, kind: { enum: [dog, cat] } }',
    '{ kind: dog, name: Fido }',
    '{"name":"Fido"}',
  ],
])('prints a line with a body %s, and takes it', async (_how, properties, example, body) => {
  const mock = await mockOf(`
paths:
  /pets:
    post:
      operationId: addPet
      requestBody:
        required: true
        content:
          application/json:
            schema: { allOf: [{ $ref: '#/components/schemas/Kept' }, { required: [name, kind], properties: ${properties} }] }
            example: ${example}
      responses: { '204': { description: Added. } }
components:
  schemas:
    Kept: { type: object, properties: { id: { readOnly: true }, kind: { readOnly: true } } }
`);
  expect(/ -d '(.*)'$/m.exec(mock.printed)?.[1]).toBe(body);
  expect((await request(mock.baseUrl).post('/pets').send(body).type('json')).status).toBe(204);
});

it('prints the title without what a terminal would act on', async () => {
  const mock = await mockOf(String.raw`
openapi: 3.1.0
info: { title: "\e[2JNo\u202Etes\u009B\n!", version: 1.0.0 }
paths: { /note: { get: { operationId: note, responses: { '204': { description: None. } } } } }
`);
  expect(mock.printed).toMatch(/^\?\[2JNo\?tes\?\?! 1\.0\.0 at /);
});

it('refuses what has nothing that could be served', async () => {
  await expect(
    mockOf('openapi: 2.0.0\ninfo: { title: Old, version: 1.0.0 }\npaths: {}\n', { lenient: true }),
  ).rejects.toThrow('expected openapi: 3.0.x, 3.1.x or 3.2.x, got "2.0.0"');
});

it.each(['null', '{ type: http, scheme: {} }'])('refuses the security scheme %s with its place', async (scheme) => {
  const text = `openapi: 3.2.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\ncomponents: { securitySchemes: { a: ${scheme} } }\n`;
  await expect(mockOf(text)).rejects.toThrow(/openapi\.yaml:4:\d+ expected /);
});

it('writes an error as it is declared, also where no error of the server fits it', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Odd, version: 1.0.0 }
paths:
  /odd:
    get:
      operationId: odd
      responses:
        '200': { description: Fine. }
        default: { description: An error., content: { application/json: { schema: { type: object, required: [place], properties: { place: { type: integer, minimum: 5, maximum: 5 } } } } } }
`);
  const { status, body } = await mock.get('/odd?a=1');
  expect([status, body]).toEqual([400, { place: 5 }]);
});

it('says where a null is that leaves nothing to serve, or serves what is left', async () => {
  const text = `openapi: 3.1.0\ninfo: { title: Nulls, version: 1.0.0 }\npaths: { /a: { get: ${ok('a')} }, /b: { get: { operationId: b, responses: { '200': { description: B., content: { a/b: null } } } } }, /c: null }\n`;
  await expect(mockOf(text)).rejects.toThrow(
    /expected object, got null: 2 places, openapi.yaml:3:\d+, openapi.yaml:3:\d+/,
  );
  const mock = await mockOf(text, { lenient: true });
  expect(mock.told.at(-1)).toBe('Served without 1 operations: GET /b');
});

it('serves no file of the machine, whatever refers to it', async () => {
  const head = 'openapi: 3.1.0\ninfo: { title: Files, version: 1.0.0 ';
  for (const reference of ['/etc/passwd', '/dev/zero'])
    await expect(
      mockOf(`${head}, description: { $ref: ${reference} } }\npaths: { /a: { $ref: a.yaml } }\n`),
    ).rejects.toThrow(`openapi.yaml:2:`);
  await expect(
    mockOf(`${head}}\npaths: { /a: { get: ${ok('a')} } }\nx-a: { $ref: /etc/passwd }\n`),
  ).resolves.toBeDefined();
});

const note = (text: string): string => `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /note: { get: { operationId: note, responses: { '200': { description: A note., content: { text/plain: { example: ${text} } } } } } }
`;

it('serves the new contract on the same port, and the one before if the new one is broken', async () => {
  const mock = await mockOf(note('first'));
  const answer = async (): Promise<string> => (await mock.get('/note')).text;
  expect(await answer()).toBe('first');
  writeFileSync(mock.file, note('second'));
  await eventually(async () => expect(await answer()).toBe('second'));
  appendFileSync(mock.file, '  /other: { get: { $ref: nowhere } }\n');
  await eventually(() =>
    expect(mock.told.at(-1)).toMatch(/\nThe contract has changed, and is served as it was before\.$/),
  );
  expect(await answer()).toBe('second');
  writeFileSync(
    mock.file,
    readFileSync(mock.file, 'utf8')
      .replace(/ {2}\/other.*/, '')
      .replace('second', 'third'),
  );
  await eventually(async () => expect(await answer()).toBe('third'));
});

it('serves what it has while the folder of its contract is gone', async () => {
  const mock = await mockOf(note('first'));
  const folder = dirname(mock.file);
  renameSync(folder, `${folder}-away`);
  await eventually(() =>
    expect(mock.told.at(-1)).toMatch(/\nThe contract has changed, and is served as it was before\.$/),
  );
  renameSync(`${folder}-away`, folder);
  writeFileSync(mock.file, note('second'));
  await eventually(async () => expect((await mock.get('/note')).text).toBe('second'));
});

it('serves a file that is written as soon as it is missed', async () => {
  const mock = await mockOf(note('first'));
  const part = join(dirname(mock.file), 'later.yaml');
  jest.spyOn(mock.told, 'push').mockImplementationOnce(() => {
    writeFileSync(part, '{ get: { operationId: later, responses: { "204": { description: Nothing. } } } }\n');
    return 0;
  });
  appendFileSync(mock.file, '  /later: { $ref: later.yaml }\n');
  await eventually(async () => expect((await mock.get('/later')).status).toBe(204));
});

it.each([
  [[], 'expected one CONTRACT, got nothing'],
  [['nowhere.yaml'], 'expected CONTRACT to be a file, got "nowhere.yaml"'],
  [['src'], 'expected CONTRACT to be a file, got "src"'],
  [['openapi.yaml', '--seed', 'x'], 'expected --seed to be a whole number, got "x"'],
  [['openapi.yaml', '--prot', '1'], "Unknown option '--prot'"],
  [['openapi.yaml', '--port', '70000'], 'PORT: expected a port from 0 to 65535, got "70000"'],
])('the command refuses %j', async (args, message) => {
  await expect(run(args)).rejects.toThrow(message);
});
