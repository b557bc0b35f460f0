/** Changes that redocly takes for harmless, and that break clients. */
import { changesBetween } from '../../../src/tools/diff/changes';
import { readContract } from '../../../src/tools/project/read-contract';
import { contractOf } from '../../support/contracts';

const BASE = `
openapi: 3.2.0
info: { title: Notes, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ token: [], key: [] }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { content: { application/xml: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses:
        '200':
          description: The note.
          headers: { Location: { required: true, schema: { type: string } }, Sizes: { schema: { type: object } } }
          content: { application/xml: { schema: { $ref: '#/components/schemas/Note' } } }
    additionalOperations: { COPY: { operationId: copyNote, responses: { '204': { description: Done. } } } }
  /all: { $ref: '#/components/pathItems/All' }
components:
  securitySchemes: { token: { type: http, scheme: bearer }, key: { type: apiKey, in: header, name: Key } }
  pathItems:
    All:
      put:
        operationId: putNotes
        parameters: [{ name: sorted, in: query, schema: { type: boolean, default: true } }]
        requestBody: { content: { multipart/mixed: { itemSchema: {}, itemEncoding: { contentType: image/png } } } }
        responses: { '204': { description: Done. } }
  schemas:
    Note: { type: object, required: [text, key], dependentRequired: { title: [pages] }, xml: { name: note }, properties: { text: { type: string }, key: { type: string }, pages: { type: integer, maximum: 9223372036854775807 }, size: { enum: [{ a: 4 }, { a: 5 }] } } }
`;

it.each<[what: string, before: string | RegExp, now: string]>([
  ['another path of the first server', '[{ url: /v1 }]', '[{ url: /v2 }, { url: /v1 }]'],
  ['a header that answers may lack', 'required: true', 'required: false'],
  ['another name of an element', 'name: note', 'name: entry'],
  ['a property that answers no longer have', 'key: { type: string }', 'key: { type: string, writeOnly: true }'],
  ['another media type of parts', 'image/png', 'image/gif'],
  ['no operation of another method', /additionalOperations.*/, ''],
  ['an item that no request may have', 'itemSchema: {}', 'itemSchema: false'],
  ['one object less in a list of constants', ', { a: 5 }', ''],
  ['a property that one of any name needs', '{ title: [pages] }', '{ title: [pages, size] }'],
  ['a parameter that is required in a referenced path', 'in: query,', 'in: query, required: true,'],
  ['another default of a parameter', 'default: true', 'default: false'],
  ['another way of writing a header', 'Sizes: {', 'Sizes: { explode: true,'],
  ['a body that is now needed', 'copyNote,', 'copyNote, requestBody: { required: true, content: { text/plain: {} } },'],
  ['no credential', '{ token: [], key: [] }', ''],
  ['one credential where there were two', 'token: [], key: []', 'token: []'],
  ['a property that requests no longer have', 'key: { type: string }', 'key: { type: string, readOnly: true }'],
])('%s breaks clients', async (_what, before, now) => {
  const file = contractOf(BASE);
  const changes = await changesBetween(readContract(file), readContract(contractOf(BASE.replace(before, now))));
  expect(changes.map(({ impact }) => impact)).toContain('major');
});

it('shows integers as they are written', async () => {
  const now = contractOf(BASE.replace('775807', '775806'));
  const [change] = await changesBetween(readContract(contractOf(BASE)), readContract(now));
  expect(change?.text).toContain("changed from '<= 9223372036854775807' to '<= 9223372036854775806'");
});

it('names the place of what cannot be compared', async () => {
  const base = readContract(contractOf(BASE));
  const broken = readContract(contractOf(BASE.replace('url: /v1', 'url: null')));
  await expect(changesBetween(base, broken)).rejects.toThrow(/openapi\.yaml:\d+:\d+ expected string, got null/);
});
