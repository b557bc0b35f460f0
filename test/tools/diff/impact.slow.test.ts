/** The impact of changes that redocly does not see, or takes for additions. */
import { changesBetween } from '../../../src/tools/diff/changes';
import { type Impact, IMPACTS } from '../../../src/tools/diff/verdict';
import { readContract } from '../../../src/tools/project/read-contract';
import { contractOf } from '../../support/contracts';

const NOTIFIES = `
openapi: 3.2.0
info: { title: Notes, version: 1.0.0 }
servers:
  - { url: /v1 }
  - { url: 'https://{region}.example/v2', variables: { region: { default: eu, enum: [eu, us] } } }
security: [{ login: [] }]
paths:
  /notes:
    servers: [{ url: /notes }]
    get: { operationId: listNotes, responses: { '204': { description: None. } } }
    post:
      operationId: addNote
      servers: [{ url: /add }]
      requestBody: { content: { text/plain: {}, application/jsonl: {}, application/json: { schema: { prefixItems: [{ title: a }, { type: string }, { title: c }] } } } }
      responses:
        '200':
          description: The note.
          headers: { Sizes: { schema: { type: object } } }
          content: { application/json: { schema: { type: string, enum: ['{}'] } }, application/jsonl: { itemSchema: { type: integer } } }
      callbacks: { read: { '{$request.body}': { post: { parameters: [{ name: By, in: header, required: true, schema: {} }], responses: { '204': { description: Known. } } } } } }
webhooks:
  added:
    post:
      parameters: [{ name: Signature, in: header, required: true, schema: {} }, { name: At, in: header, schema: {} }]
      requestBody: { required: true, content: { application/json: { schema: { type: string } } } }
      responses: { '204': { description: Known. } }
components:
  securitySchemes:
    login: { type: oauth2, flows: { password: { tokenUrl: 'https://x.example/a', scopes: {} }, clientCredentials: { tokenUrl: 'https://x.example/b', scopes: {} } } }
`;

it.each<[impact: Impact, what: string, before: string | RegExp, now: string]>([
  ['major', 'another order of the servers', /( {2}- .*\n)( {2}- .*\n)/, '$2$1'],
  ['major', 'another default of a server', 'default: eu', 'default: us'],
  ['major', 'one server less', '[eu, us]', '[eu]'],
  ['patch', 'one server more', '[eu, us]', '[eu, us, asia]'],
  ['major', 'no servers of a path', 'servers: [{ url: /notes }]', ''],
  ['major', 'no servers of an operation', 'servers: [{ url: /add }]', ''],
  ['major', 'a schema of a body that had none', 'text/plain: {}', 'text/plain: { schema: { maxLength: 9 } }'],
  ['minor', 'a schema of a body that takes all', 'text/plain: {}', 'text/plain: { schema: {} }'],
  [
    'major',
    'a schema of items that had none',
    'application/jsonl: {}',
    'application/jsonl: { itemSchema: { maxLength: 9 } }',
  ],
  ['major', 'no schema of an answer', "schema: { type: string, enum: ['{}'] }", ''],
  ['major', 'no schema of the items of an answer', 'itemSchema: { type: integer }', ''],
  [
    'major',
    'a header in JSON',
    'Sizes: { schema: { type: object } }',
    'Sizes: { content: { application/json: { schema: { type: object } } } }',
  ],
  ['major', 'an object that was a text', "['{}']", '[{}]'],
  ['major', 'another order of items', '[{ title: a }, { type: string }', '[{ type: string }, { title: a }'],
  ['patch', 'another title of an item', 'title: a', 'title: b'],
  ['major', 'a text in another encoding', 'type: string, enum', 'contentEncoding: base64, type: string, enum'],
  ['major', 'another name of a webhook', 'added:', 'note-added:'],
  ['major', 'a header that callbacks may lack', 'By, in: header, required: true', 'By, in: header'],
  ['major', 'a header that webhooks may lack', 'Signature, in: header, required: true', 'Signature, in: header'],
  ['major', 'a header that webhooks do not have', ', { name: At, in: header, schema: {} }', ''],
  ['major', 'no headers of webhooks', /parameters: \[\{ name: Signature.*\]/, ''],
  ['major', 'a body that webhooks may lack', 'requestBody: { required: true,', 'requestBody: {'],
  ['major', 'no body of webhooks', /requestBody: \{ required: true.*/, ''],
  [
    'major',
    'another media type of webhooks',
    'required: true, content: {',
    'required: true, content: { text/plain: {},',
  ],
  ['major', 'another name of a header of webhooks', 'name: Signature', 'name: Proof'],
  [
    'major',
    'a header that webhooks have to be answered with',
    '{ description: Known. } }\ncomp',
    '{ description: Known., headers: { By: { required: true, schema: {} } } } }\ncomp',
  ],
  [
    'minor',
    'a header that webhooks may be answered with',
    '{ description: Known. } }\ncomp',
    '{ description: Known., headers: { By: { schema: {} } } } }\ncomp',
  ],
  [
    'major',
    'a body that webhooks have to be answered with',
    '{ description: Known. } }\ncomp',
    '{ description: Known., content: { text/plain: {} } } }\ncomp',
  ],
  ['major', 'no schema of webhooks', '{ schema: { type: string } }', '{}'],
  ['major', 'another address of tokens', 'x.example/b', 'x.example/c'],
  ['major', 'one way to get a token less', /password: \{.*?\{\} \}, /, ''],
])('is %s: %s', async (impact, _what, before, now) => {
  const revised = NOTIFIES.replace(before, now);
  expect(revised).not.toBe(NOTIFIES);
  const changes = await changesBetween(readContract(contractOf(NOTIFIES)), readContract(contractOf(revised)));
  expect(IMPACTS.find((each) => changes.some((change) => change.impact === each))).toBe(impact);
});
