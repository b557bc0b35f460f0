/** Mistakes in contracts, each with the lines that its author can mend it by; `generate`, `new`, `check` and `dev` say the same. */
import { judgeContract, readContract } from '../../src/tools/project/read-contract';
import { contractOf } from '../support/contracts';
import { table } from '../support/table';

const CONTRACT = `openapi: 3.1.0
info:
  title: Notes
  version: 1.0.0
security:
  - bearerAuth: []
paths:
  /notes/{noteId}:
    get:
      operationId: getNote
      parameters:
        - name: noteId
          in: path
          required: true
          schema:
            type: integer
            format: int64
      responses:
        '200':
          description: The note.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Note'
components:
  securitySchemes:
    bearerAuth:
      type: http
      scheme: bearer
  schemas:
    Base:
      type: object
      required:
        - name
      properties:
        name:
          type: string
        tag:
          type: string
    Note:
      allOf:
        - $ref: '#/components/schemas/Base'
        - type: object
          properties:
            id:
              type: integer
`;

const TAG = '        tag:\n          type: string\n';
const tag = (rest: string, type = 'string'): string => `${TAG} →         tag:\n          type: ${type}\n${rest}`;
const REFERENCE = "'#/components/schemas/Note'";
const TYPES = 'expected one of array, boolean, integer, null, number, object, string';
const STATUS = 'expected a status such as 200, a range such as 4XX, or default';

const WITHOUT_CONTENT = '      responses: →       requestBody: {}\n      responses:';

/** Mistakes, what is written for a part of the contract, and what is said of it. */
const refused = table`
  a tab | ${'      operationId: getNote → \toperationId: getNote'}
    | 10:1 a tab indents this line: YAML takes spaces only
  an odd indent | ${'      operationId →      operationId'}
    | 10:6 the line is indented by 5 spaces, and the next by 6: expected 6
  a quote without end | title: Notes → title: 'Notes
    | 3:10 the ' that begins here has no end: expected another ' at the end of the text, whose further lines are indented deeper than this one
  a colon in a text | title: Notes → title: Note: all | 3:10 a text with ": " in it has to be quoted: 'Note: all'
  a colon in a text between braces | ${'components: → x-note: { text: Note: all, of: them }\ncomponents:'}
    | 25:17 a text with ": " in it has to be quoted: 'Note: all'
  a text that begins with @ | title: Notes → title: @Notes | 3:10 a text may not begin with @: quote it, '@Notes'
  a brace in a text | title: Notes → title: {id} notes
    | 3:10 the text goes on behind what YAML takes for its end: quote it, '{id} notes'
  no space behind a colon | operationId: getNote → operationId:getNote | 10:19 expected a space behind operationId:
  a key twice | ${'title: Notes → title: Notes\n  title: Notes'}
    | 4:3 the key title is there twice: expected one, or another name
  an unknown anchor | ${`${TAG} →         tag: *nobody\n`}
    | 38:14 *nobody leads to no anchor: expected an anchor &nobody above it; quote a text that begins with *
  a misspelt field | responses: → responces: | 18:7 unknown field responces: expected responses
  a misspelt keyword | ${'      required:\n        - name →       requiered:\n        - name'}
    | 33:7 unknown keyword requiered: expected required
  a method in capitals | ${'    get: →     GET:'} | 9:5 unknown field GET: expected get
  a status with letters | '200' → 2oo | 19:9 unknown field 2oo: ${STATUS}
  a path without a slash | ${'  /notes/{noteId} →   notes/{noteId}'}
    | 8:3 unknown field notes/{noteId}: expected /notes/{noteId}
  an unknown reference | ${REFERENCE} → '#/components/schemas/Noet'
    | 24:23 #/components/schemas/Noet leads nowhere: expected #/components/schemas/Note
  a name for a reference | ${REFERENCE} → Note | 24:23 Note is not in this document: expected #/components/schemas/Note
  a reference without quotes | ${REFERENCE} → #/components/schemas/Note
    | 24:23 expected a reference, as text, got null: it has to be quoted, because # begins a comment
  a reference to a missing file | ${REFERENCE} → ./note.yaml#/Note
    | 24:23 ./note.yaml#/Note is not in this document: expected #/components/schemas/Note
  another path parameter | name: noteId → name: noteid
    | 11:7 path parameter noteid is not in the path /notes/{noteId}: expected path parameter noteId
  a parameter without schema | ${'          schema:\n            type: integer\n            format: int64\n → '}
    | 12:11 expected a field schema
  a parameter in the body | in: path → in: body
    | 13:15 expected one of query, header, path, cookie, got "body": expected a requestBody beside parameters
  required as a text | ${'      required:\n        - name →       required: name'}
    | 33:17 expected array, got "name": each item begins with "- "
  a scheme for its requirement | - bearerAuth: [] → - bearerAuth
    | 6:5 expected object, got "bearerAuth": expected bearerAuth: []
  an address for a server | ${'paths: → servers:\n  - https://a.example\npaths:'}
    | 8:5 expected object, got "https://a.example": expected url: https://a.example
  schemas for items | ${tag('          items: [{ type: string }]\n', 'array')}
    | 40:18 expected object or boolean, got array: a list of schemas is prefixItems
  examples without names | ${'          schema:\n            type: integer →           examples: [1]\n          schema:\n            type: integer'}
    | 15:21 expected object, got array: each example has a name, and a value below it
  a wrong type among several | ${tag('', '[string, nul]')} | 39:26 ${TYPES}, got "nul"
  a type in capitals | ${tag('', 'String')} | 39:17 ${TYPES}, got "String": expected string
  a type of another language | ${tag('', 'int')} | 39:17 ${TYPES}, got "int": expected integer
  an undeclared scheme | - bearerAuth → - bearerauth
    | 6:5 security names bearerauth, which components.securitySchemes does not declare: expected bearerAuth
  a reference to itself
    | ${`${TAG} →         tag:\n          $ref: '#/components/schemas/Loop'\n    Loop:\n      $ref: '#/components/schemas/Loop'\n`}
    | ${' #/components/schemas/Loop leads in a circle: 2 places, openapi.yaml:39:17, openapi.yaml:41:13'}
  a body without content | ${WITHOUT_CONTENT} | 18:20 expected a field content
  a scheme that is no text | scheme: bearer → scheme: {} | 29:15 expected string, got object
  version 4 | 3.1.0 → 4.0.0 | 1:10 expected openapi: 3.0.x, 3.1.x or 3.2.x, got "4.0.0"
  Swagger | openapi: 3.1.0 → swagger: '2.0'
    | 1:1 expected openapi: 3.0.x, 3.1.x or 3.2.x, got Swagger "2.0": npx swagger2openapi brings it to 3.0
  a negative length | ${tag('          minLength: -1\n')} | 40:22 expected a number >= 0, got -1
  a default that does not fit | ${tag('          minLength: 5\n          default: oak\n')}
    | 41:20 a default that its own schema refuses: expected at least 5 characters
  a schema without media type
    | ${'          content:\n            application/json:\n              schema:\n                $ref →           content:\n            schema:\n              $ref'}
    | 23:15 unknown field $ref: expected a media type such as application/json above schema
  yes for true | required: true → required: yes | 14:21 expected boolean, got "yes": true is written true
  a schema for a request body
    | ${"      responses:\n →       requestBody:\n        $ref: '#/components/schemas/Note'\n      responses:\n"}
    | 19:15 #/components/schemas/Note is a schema: expected it below content, a media type such as application/json, and schema
  parameters by name | ${'        - name: noteId\n          in →         noteId:\n          in'}
    | 11:7 expected array, got object: each item begins with "- "
  a type for a schema | ${'        tag:\n          type: string\n →         tag: string\n'}
    | 38:14 expected object or boolean, got "string": a schema is written { type: string }
  components without s | components: → component: | 25:1 unknown field component: expected components
`;

const warned = table`
  a path parameter as other tools write it | ${'/notes/{noteId} → /notes/<int:noteId>'}
    | 8:3 <noteId> in a path is a text like any other: expected {noteId}
  a path with a fragment | ${'/notes/{noteId} → "/notes/{noteId}#whole"'} | 8:3 a path has no fragment: clients send none
  half a media type | application/json → json | 22:13 json is no media type: expected application/json
  a missing description | ${'          description: The note.\n → '}
    | 19:9 a response without description is described as nothing
  a missing operationId | ${'      operationId: getNote\n → '}
    | 9:5 (getNotesNoteId) an operation without operationId is named after its method and path
  a path parameter that is not required | required: true → required: false
    | 14:21 a path parameter is required, whether it says so or not: expected required: true
  a required property that is none | ${'- name\n → - nmae\n'}
    | 34:11 required names nmae, which is no property here: expected name
  nullable in 3.1 | ${tag('          nullable: true\n')}
    | 40:21 a null where nullable of OpenAPI 3.0 does not allow it is accepted, and never sent
  an enum of another type | ${tag('          enum:\n            - 1\n')} | 40:11 enum has 1, which type string never is
  a minimum above the maximum | ${tag('          minimum: 10\n          maximum: 1\n', 'integer')}
    | 40:20 minimum 10 is above maximum 1: no value fits
  a keyword of another type | ${tag('          minimum: 10\n')} | 40:11 minimum says nothing of type string
  an unknown format | ${tag('          format: datetime\n')}
    | 40:19 (datetime) an unknown format of text is ignored: expected date-time
  an example that does not fit | ${tag('          examples:\n            - 5\n')}
    | 41:15 an example that its schema refuses: expected string, got 5
  Norway | ${tag('          const: no\n')} | 40:18 no is text, and a boolean to readers of YAML 1.1: quote it, 'no'
  Norway in a list | ${tag('          enum: [yes, "on", no]\n')}
    | 40:18 yes is text, and a boolean to readers of YAML 1.1: quote it, 'yes'
    | 40:29 no is text, and a boolean to readers of YAML 1.1: quote it, 'no'
  a discriminator that is no object | ${'    Note:\n →     Note:\n      discriminator: name\n'}
    | 41:22 a discriminator without propertyName is ignored: expected propertyName: name below it
  an operationId twice
    | ${"components: →     put:\n      operationId: getNote\n      responses: { '204': { description: No. } }\ncomponents:"}
    | 26:20 (putNotesNoteId; GET /notes/{noteId} has it) an operation with the operationId of another is named after its method and path
  a closed part | ${'    Note:\n →     Note:\n      additionalProperties: false\n'}
    | 41:7 additionalProperties: false refuses name, tag, id, which another part of the schema declares:
      unevaluatedProperties: false knows all parts
  properties without a type | ${`${TAG} →         tag:\n          properties:\n            color:\n              type: string\n`}
    | 39:11 without type: object, null, lists and text are accepted too
  properties in the wrong place
    | ${'      properties:\n        name:\n          type: string\n        tag:\n          type: string\n →       name:\n        type: string\n'}
    | 35:7 (name) an unknown keyword is ignored: expected it below properties
`;

/** The file of the contract with a mistake. */
function edited(edit: string): string {
  const [right = '', wrong = ''] = edit.split(' → ');
  return contractOf(CONTRACT.replace(right, () => wrong));
}

function judged(edit: string): ReturnType<typeof judgeContract> {
  return judgeContract(edited(edit));
}
const lineOf = (text: string): string => (text.startsWith(' ') ? text.slice(1) : `openapi.yaml:${text}`);

it('a contract without a mistake is not talked about', () => {
  expect(judgeContract(contractOf(CONTRACT))).toMatchObject({ refusals: [], warnings: [], examples: [] });
});

it.each(refused)('%s is refused with its place and what is meant', (_mistake, edit, ...said) => {
  expect(judged(edit).refusals).toEqual(said.map(lineOf));
});

it.each(warned)('%s is told with its place', (_mistake, edit, ...said) => {
  const { refusals, warnings, examples } = judged(edit);
  expect(refusals).toEqual([]);
  expect([...warnings, ...examples]).toEqual(expect.arrayContaining(said.map(lineOf)));
});

it('commands that read a contract without the checks of a start name the same place', () => {
  expect(() => readContract(edited(WITHOUT_CONTENT))).toThrow('openapi.yaml:18:20 expected a field content');
});
