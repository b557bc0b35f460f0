/** Mistakes in requests, each with the message that its sender can mend it by. */
import { gzipSync } from 'node:zlib';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { table } from '../../support/table';

const noting = notingService(
  `
paths:
  /notes:
    get:
      operationId: findNotes
      parameters:
        - { name: since, in: query, schema: { type: string, format: date } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: where, in: query, content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: Found. } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
      responses: { '204': { description: Added. } }
components:
  schemas:
    Note:
      type: object
      required: [name]
      additionalProperties: false
      properties:
        name: { type: string, minLength: 2, maxLength: 5 }
        code: { type: string, pattern: '^[A-Z]{2}$', examples: [DE] }
        mail: { type: string, format: email }
        kind: { enum: [oak, elm] }
        key: { allOf: [{ type: string, minLength: 8 }, { format: password }] }
        token: { type: string, maxLength: 3 }
        pin: { type: integer, maximum: 10 }
`,
);

it.each(table`
  a trailing comma | ${'{\n  "name": "Ada",\n}'} | a key at line 3, column 1: a trailing comma
  keys without quotes | {name: "Ada"} | a key at line 1, column 2: a key has double quotes
  single quotes | {'name': 'Ada'} | a key at line 1, column 2: a text has double quotes
  None | {"name": None} | a value at line 1, column 10: nothing is written null
  True | {"name": True} | a value at line 1, column 10: booleans are written true and false
  a comment | {"name": "Ada"} // mine | the end of the text at line 1, column 17: JSON has no comments
  a cut text | {"name": "Ada" | "," or "}" at line 1, column 15: the text ends there
  a leading zero | {"pin": 01} | "," or "}" at line 1, column 10: a number has no leading zero
  a missing comma | {"name": "Ada" "pin": 1} | "," or "}" at line 1, column 16: a mark is missing before it
  a key twice | ${'{"name": "Ada",\n"name": "Bo"}'} | no duplicate key at line 2, column 1
  a byte order mark | ${'\uFEFF{}'} | a value at line 1, column 1: got a byte order mark
`)('%s is told with its place', async (_mistake, body, message) => {
  expectError(await noting.send('/notes', body), 40001, `expected JSON: expected ${message}`);
});

it('gzip is told as such', async () => {
  const message = 'expected UTF-8, got gzip, which no Content-Encoding declares';
  expectError(await noting.send('/notes', gzipSync('{}')), 40001, message);
});

it.each(table`
  a list | [] | /body: expected object, got array
  nothing | {} | /body/name: expected a value, got nothing
  a capital | {"Name":"Ada"} | /body/name: expected a value, got nothing; Name is unknown, and may be it;
    /body/Name: expected no property of this name, got "Ada"; name may be meant
  null | {"name":null} | /body/name: expected string, got null
  a short text | {"name":"A"} | /body/name: expected at least 2 characters, got 1 in "A"
  a long text | {"name":"Ada Lovelace"} | /body/name: expected at most 5 characters, got 12 in "Ada Lovelace"
  a pattern | {"name":"Ada","code":"de"} | /body/code: expected text that matches ^[A-Z]{2}$ such as DE, got "de"
  a format | {"name":"Ada","mail":"ada"} | /body/mail: expected an email such as ada@example.com, got "ada"
  a choice | {"name":"Ada","kind":"ash"} | /body/kind: expected one of oak, elm, got "ash"
  a password | {"name":"Ada","key":"hunter2"} | /body/key: expected at least 8 characters, got string
  a field of a secret name | {"name":"Ada","token":"hunter2"} | /body/token: expected at most 3 characters, got string
  a secret number | {"name":"Ada","pin":4711} | /body/pin: expected a number <= 10, got number
`)('%s is told with what fits, and what came unless it is a secret', async (_mistake, note, message) => {
  expectError(await noting.send('/notes', note), 40002, message);
});

it.each(table`
  since=01.02.2026 | /query/since: expected a date such as 2024-05-31, got "01.02.2026"
  limit=ten | /query/limit: expected integer, got "ten"
  limit=0 | /query/limit: expected a number >= 1, got 0
  limt=5 | /query/limt: expected no parameter of this name; limit may be meant, got one
  where={kind:1}
    | /query/where: expected JSON: expected a key at line 1, column 2: a key has double quotes, got another text
  limit=1&limit=2 | /query/limit: expected a parameter once, got it twice
`)('the query %s is told with what fits', async (query, message) => {
  expectError(await noting.get(`/notes?${query}`), 40002, message);
});
