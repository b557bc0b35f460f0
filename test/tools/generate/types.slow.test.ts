/** The types that handlers get, where they say more than the schema, and that no text of a contract becomes code in them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { runTool } from '../../../src/tools/project/run-command';
import { contractOf } from '../../support/contracts';
import { temporaryFolder } from '../../support/temporary-folder';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    post:
      operationId: sendLetter
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              format: binary
              required: [photo]
              properties:
                photo: { type: string, format: binary, maxLength: 300 }
                scans: { type: array, items: { type: string, contentMediaType: image/png } }
      responses: { '204': { description: Sent. } }
`);

/** What is generated from a contract. */
async function typesOf(file: string): Promise<string> {
  // In a process of its own: Jest cannot load the generator.
  const script = `const { contractTypes } = require('./src/tools/generate/types.ts'); console.log(contractTypes(process.argv[1] ?? ''))`;
  return (await runTool(['tsx', '--eval', script, file])).output;
}

/** The lines of a program that the compiler refuses. */
function refusedLines(text: string): string[] {
  const file = join(temporaryFolder(), 'program.ts');
  writeFileSync(file, text);
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2023 };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  return diagnostics.flatMap(({ file: source, start = 0 }) => {
    if (source?.fileName !== file) return [];
    const { line } = source.getLineAndCharacterOfPosition(start);
    return source.text.split('\n')[line] ?? '';
  });
}

it('has types in which files are bytes, and an object is none, whatever its format is', async () => {
  const types = await typesOf(contract);
  expect(types).toMatch(/photo: Uint8Array;/);
  expect(types).toMatch(/scans\?: Uint8Array\[\];/);
});

it('has types in which files are bytes that are none of the same schema in JSON', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    post:
      operationId: sendLetter
      requestBody:
        content:
          multipart/form-data:
            schema: { $ref: '#/components/schemas/Letter' }
            encoding: { seal: { contentType: image/* }, motto: { contentType: text/plain } }
          application/json: { schema: { $ref: '#/components/schemas/Letter' } }
      responses: { '204': { description: Sent. } }
components:
  schemas:
    Anything: { title: Anything }
    Draft: { type: object, properties: { pages: { type: array, items: {} }, motto: {}, memo: { default: none } } }
    Letter:
      allOf:
        - { $ref: '#/components/schemas/Draft' }
        - type: object
          required: [cover]
          properties:
            cover: { $ref: '#/components/schemas/Anything' }
            seal: { type: [string, 'null'], description: Of wax. }
            text: { type: string }
`),
  );
  const [, form, json] =
    /"multipart\/form-data": (.*) "application\/json": (.*?;)/.exec(types.replaceAll(/\s+/g, ' ')) ?? [];
  expect(form).toBe(
    '{ pages?: Uint8Array[]; motto?: unknown; /** @default none */ memo?: unknown; } & ' +
      '{ /** Format: binary */ cover: Uint8Array; /** * Format: binary * @description Of wax. */ seal?: Uint8Array; text?: string; };',
  );
  expect(json).toBe('components["schemas"]["Letter"];');
  expect(types).toMatch(/Draft: \{\s+pages\?: unknown\[\];/);
  expect(types).toMatch(/cover: components\["schemas"\]\["Anything"\];/);
});

it('has neither headers that are described elsewhere nor extensions among responses', async () => {
  const ignored = ['Accept', 'content-type'].map((name) => `{ name: ${name}, in: header, required: true, schema: {} }`);
  const types = await typesOf(
    contractOf(`
paths:
  /notes:
    parameters: [${ignored.join(', ')}]
    get:
      operationId: notes
      parameters: [{ $ref: '#/components/parameters/Token' }, { name: X-Kept, in: header, schema: {} }]
      responses: { x-text: A., x-own: { description: B. }, '204': { description: Done. } }
components:
  parameters: { Token: { name: Authorization, in: header, required: true, schema: { type: string } } }
`),
  );
  expect(types).toMatch(/ notes: \{\s+parameters: \{\s+query\?: never;\s+header\?: \{\s+"X-Kept"\?: unknown;\s+\};/);
  expect(types).toMatch(/responses: \{[^{]+204: \{/);
});

it('has thousands of schemas that refer to one another', async () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `S${index}`);
  const schemas = names.map((name, index) => {
    const next = names[index + 1] ?? 'S0';
    return `    ${name}: { type: object, properties: { next: { $ref: '#/components/schemas/${next}' } } }\n`;
  });
  const types = await typesOf(contractOf(`\npaths: {}\ncomponents:\n  schemas:\n${schemas.join('')}`));
  expect(types).toContain('S2999: {\n            next?: components["schemas"]["S0"];');
});

it('has lists as long as they may be, and text for bytes in JSON', async () => {
  const types = await typesOf(
    contractOf(`
paths:
  /points:
    post:
      operationId: addPoint
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Point' } } } }
      responses: { '204': { description: Added. } }
components:
  schemas:
    Point:
      type: object
      properties:
        open: { type: array, prefixItems: [{ type: string }, { type: integer, format: int64 }] }
        none: { type: array, items: false }
        closed: { type: array, prefixItems: [{ type: string }, true], minItems: 1, items: false }
        some: { type: [array, 'null'], prefixItems: [{ type: string }], minItems: 1, items: { type: boolean } }
        picture: { type: string, format: binary }
        number: { type: [number, 'null'], format: int64 }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    'open?: [ string?, bigint?, ...unknown[] ]; none?: [ ]; closed?: [ string, unknown? ]; some?: [ string, ...boolean[] ] | null; picture?: string; /** Format: int64 */ number?: bigint | null;',
  );
});

it('has the name of a branch in the union alone, not wherever the schema of the branch is used', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
    Dog: { type: object, properties: { kind: { const: dog } } }
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat' } }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    'Cat: { kind: string; }; Dog: { /** @constant */ kind?: "dog"; }; Pet: (components["schemas"]["Cat"] & { /** @enum {string} */ kind?: "cat"; }) | components["schemas"]["Dog"];',
  );
});

it('has types of the definitions within a schema', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Places, version: 1.0.0 }
paths: {}
components:
  schemas:
    Place:
      type: object
      properties:
        at: { $ref: '#/components/schemas/Place/$defs/Point' }
        name: { $ref: '#/components/schemas/Place/definitions/Name' }
      $defs: { Point: { type: number } }
      definitions: { Name: { type: string } }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    'Place: { at?: components["schemas"]["Place.Point"]; name?: components["schemas"]["Place.Name"]; }; "Place.Point": number; "Place.Name": string;',
  );
});

it('has the name of a branch that is a definition as the discriminator has it', async () => {
  const types = await typesOf(
    contractOf(`
paths: {}
components:
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Pet/$defs/Cat' }, { $ref: '#/components/schemas/Pet/$defs/Dog' }]
      discriminator: { propertyName: kind, mapping: { dog: '#/components/schemas/Pet/$defs/Dog' } }
      $defs: { Cat: { type: object }, Dog: { type: object } }
`),
  );
  expect(types.match(/kind\?: "\w.*";/g)).toEqual(['kind?: "Cat";', 'kind?: "dog";']);
});

it('has types of schemas and parameters that are written in another one, a response or an operation', async () => {
  const types = await typesOf(
    contractOf(`
paths:
  /letters:
    get:
      operationId: findLetters
      parameters: [{ name: size, in: query, schema: { $ref: '#/components/schemas/Letter/properties/paper/properties/size' } }]
      responses: { '200': { $ref: '#/components/responses/Letters' } }
  /drafts:
    get:
      operationId: findDrafts
      parameters: [{ $ref: '#/paths/~1letters/get/parameters/0' }]
      responses:
        '200':
          description: Drafts.
          content: { application/json: { schema: { $ref: '#/components/responses/Letters/content/application~1json/schema' } } }
components:
  responses:
    Letters:
      description: Letters.
      content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Letter' } } } }
  schemas:
    Letter: { type: object, properties: { paper: { type: object, properties: { size: { type: integer } } } } }
`),
  );
  const drafts = 'operations["findDrafts"]';
  const query = `export const query: ${drafts}["parameters"]["query"] = { size: 4 };`;
  const answer = `export const answer: ${drafts}["responses"][200]["content"]["application/json"] = [{ paper: { size: 4 } }];`;
  const wrong = query.replace('query:', 'wrong:').replace('4', '"A4"');
  expect(refusedLines([types, query, answer, wrong].join('\n'))).toEqual([wrong]);
});

it.each(['additional', 'unevaluated'])(
  'has other, %s properties of the types of the named ones too: TypeScript has an object of both only so',
  async (which) => {
    const types = await typesOf(
      contractOf(`
openapi: 3.1.0
info: { title: Prices, version: 1.0.0 }
paths: {}
components:
  schemas:
    Prices:
      type: object
      required: [currency]
      properties: { currency: { type: string } }
      ${which}Properties: { type: number }
`),
    );
    expect(types.replaceAll(/\s+/g, ' ')).toContain(
      'Prices: { currency: string; } & { [key: string]: number | string; };',
    );
  },
);

it('has properties of requests or answers alone left out or as they are, beside others of a type', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Labels, version: 1.0.0 }
paths:
  /labels:
    post:
      operationId: addLabels
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Labels' } } } }
      responses:
        '200': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Labels' } } } }
components:
  schemas:
    Labels:
      type: object
      required: [id, secret, links]
      properties:
        id: { type: string, readOnly: true }
        secret: { type: string, writeOnly: true }
        links:
          type: object
          properties: { self: { type: number, readOnly: true } }
          additionalProperties: { type: number }
      additionalProperties: { type: string }
`),
  );
  const handler = join(__dirname, '../../../src/engine/contract/handler-types');
  const wrong = `export const lacking: Handler = () => ({ status: 200, body: { links: {} } });`;
  const wrongRequest = `export const read: Handler = ({ body }) => ({ status: 200, body: { id: body.id.trim(), links: {} } });`;
  const program = `
import type { HandlerOf } from '${handler}';
${types}
type Handler = HandlerOf<operations['addLabels']>;
export const added: Handler = ({ body }) => ({ status: 200, body: { id: body.secret.trim(), links: { self: 1, next: 2 } } });
${wrong}
${wrongRequest}`;
  expect(refusedLines(program)).toEqual([wrong, wrongRequest]);
});

it('has no type of properties that match a pattern where others may be anything', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Counts, version: 1.0.0 }
paths: {}
components:
  schemas:
    Open: { type: object, required: [a], properties: { a: { type: string } }, patternProperties: { '^[a-z]+$': { type: integer } } }
    Of: { type: object, patternProperties: { '^[a-z]+$': { type: integer } }, additionalProperties: { type: string } }
    Closed: { type: object, patternProperties: { '^[a-z]+$': { type: integer } }, additionalProperties: false }
    Evaluated: { type: object, patternProperties: { '^[a-z]+$': { type: integer } }, unevaluatedProperties: false }
    Any: { type: object, patternProperties: { '^.*$': { type: integer } } }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    `schemas: { ${[
      'Open: { a: string; } & { [key: string]: unknown; };',
      'Of: { [key: string]: string | number; };',
      'Closed: { [key: string]: number; };',
      'Evaluated: { [key: string]: number; };',
      'Any: { [key: string]: number; };',
    ].join(' ')} };`,
  );
});

it('has a bigint where one of the schemas of a number is of int64', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    Id: { type: integer, format: int64 }
    Few: { allOf: [{ $ref: '#/components/schemas/Id' }, { enum: [1, 2] }] }
    Count: { type: integer, allOf: [{ $ref: '#/components/schemas/Id' }], enum: [1, 2] }
    Draft: { type: object, properties: { id: { $ref: '#/components/schemas/Id' }, size: { type: integer } } }
    Letter:
      allOf:
        - { $ref: '#/components/schemas/Draft' }
        - { type: object, properties: { id: { type: integer, minimum: 1 }, size: { type: integer, minimum: 1 } } }
    Either: { properties: { id: { $ref: '#/components/schemas/Id' } }, anyOf: [{ properties: { id: { type: integer, minimum: 1 } } }, { type: object }] }
    One: { properties: { id: { $ref: '#/components/schemas/Id' } }, oneOf: [{ properties: { id: { type: integer, minimum: 1 } } }, { required: [size] }] }
`),
  );
  const values = Object.entries({
    Few: '1n',
    Count: '2n',
    Draft: '{ id: 1n, size: 1 }',
    Letter: '{ id: 1n, size: 1 }',
    Either: '{ id: 1n }',
    One: '{ id: 1n }',
  });
  const written = values.map(([name, value]) => `export const ${name}: components["schemas"]["${name}"] = ${value};`);
  expect(refusedLines([types, ...written].join('\n'))).toEqual([]);
});

it('has a null that the specification does not allow in requests alone', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.0.3
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    Place: { type: object }
    Letter:
      type: object
      properties: { from: { $ref: '#/components/schemas/Place', nullable: true }, text: { type: string, nullable: true } }
`),
  );
  expect(types).toMatch(/from\?: components\["schemas"\]\["Place"\] \| \$Write<null>;/);
  expect(types).toMatch(/text\?: string \| null;/);
});

it('has a constant null, and the values of headers that are declared by a media type', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    get:
      operationId: readLetters
      responses:
        '204':
          description: None.
          headers:
            X-Count: { required: true, content: { text/plain: { schema: { type: integer } } } }
            X-Page: { $ref: '#/components/headers/Page' }
components:
  headers: { Page: { content: { application/json: { schema: { type: object, required: [n], properties: { n: { type: string } } } } } } }
  schemas: { None: { const: null }, Letter: { type: object, properties: { text: { anyOf: [{ type: string }, { const: null }] } } } }
`),
  );
  expect(types).toMatch(/None: null;/);
  expect(types).toMatch(/text\?: string \| null;/);
  expect(types).toMatch(/"X-Count": number;/);
  expect(types).toMatch(/"X-Page"\?: \{\s*n: string;\s*\};/);
});

it.each(['3.0.3', '3.1.0'])(
  'marks what only answers or requests have behind a reference, too, under %s',
  async (version) => {
    const types = await typesOf(
      contractOf(`
openapi: ${version}
info: { title: Members, version: 1.0.0 }
paths: {}
components:
  schemas:
    Id: { type: string, readOnly: true }
    Secret: { type: string, writeOnly: true }
    Password: { allOf: [{ $ref: '#/components/schemas/Secret' }] }
    Either: { oneOf: [{ $ref: '#/components/schemas/Id' }, { type: integer }] }
    Member:
      type: object
      required: [id, password]
      properties:
        id: { $ref: '#/components/schemas/Id' }
        former: { allOf: [{ $ref: '#/components/schemas/Id' }, { minLength: 1 }] }
        password: { $ref: '#/components/schemas/Password' }
        friends: { type: array, items: { $ref: '#/components/schemas/Id' } }
        either: { $ref: '#/components/schemas/Either' }
`),
    );
    expect(types.replaceAll(/\s+/g, ' ')).toContain(
      `Member: { ${[
        'id: $Read<components["schemas"]["Id"]>;',
        'former?: $Read<components["schemas"]["Id"] & unknown>;',
        'password: $Write<components["schemas"]["Password"]>;',
        'friends?: components["schemas"]["Id"][];',
        'either?: components["schemas"]["Either"];',
      ].join(' ')} };`,
    );
  },
);

it('marks what only answers have in each of the schemas of a property, also where a discriminator names its value', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.0.3
info: { title: Members, version: 1.0.0 }
paths: {}
components:
  schemas:
    Adult: { type: object, required: [kind], properties: { kind: { type: string, readOnly: true }, age: { type: integer } } }
    Child: { type: object, required: [kind], properties: { kind: { type: string, readOnly: true }, parent: { type: string } } }
    Member:
      oneOf: [{ $ref: '#/components/schemas/Adult' }, { $ref: '#/components/schemas/Child' }]
      discriminator: { propertyName: kind, mapping: { adult: '#/components/schemas/Adult', child: '#/components/schemas/Child' } }
    Named: { properties: { id: { type: string, readOnly: true } }, anyOf: [{ properties: { id: { type: string, minLength: 1 } } }, { required: [name] }] }
    Contrary: { allOf: [{ $ref: '#/components/schemas/Named' }, { properties: { id: { writeOnly: true } } }] }
`),
  );
  expect(types).toContain('id?: $Write<unknown>;'); // which has an annotation of its own
  const of = (name: string, value: string): string =>
    `export const _: Readable<components["schemas"]["${name}"]> = ${value};`;
  const fit = [of('Member', '{ kind: "child", parent: "Ada" }'), of('Named', '{ id: "a" }')];
  const unfit = [
    of('Member', '{ kind: "Child" }'),
    of('Member', '{ kind: "adult", age: "1" }'),
    of('Named', '{ id: 1 }'),
  ];
  const apart = [...fit, ...unfit].map((each, index) => each.replace('_', `value${index}`));
  expect(refusedLines([types, ...apart].join('\n'))).toEqual(apart.slice(fit.length));
});

it('has an operation under the text of its id, also where that is a number', async () => {
  const types = await typesOf(
    contractOf(`
paths: { /notes: { get: { operationId: '1001', responses: { '204': { description: None. } } } } }
`),
  );
  const named = 'export const id: keyof operations = "1001";';
  const status = 'export const status: keyof operations["1001"]["responses"] = 204;';
  expect(refusedLines([types, named, status].join('\n'))).toEqual([]);
});

it('takes a property that is named as an extension for a property', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Enumerations, version: 1.0.0 }
paths: {}
components:
  schemas:
    List: { properties: { x-enum-varnames: { type: array, items: { type: string } }, x-enum-descriptions: { type: boolean }, properties: { type: integer } } }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    'List: { "x-enum-varnames"?: string[]; "x-enum-descriptions"?: boolean; properties?: number; };',
  );
});

it.each(['x-enum-descriptions', 'x-enumDescriptions'])(
  'keeps each text of %s in a comment of one line',
  async (list) => {
    const types = await typesOf(
      contractOf(`
openapi: 3.1.0
info: { title: Colours, version: 1.0.0 }
paths: {}
components:
  schemas:
    Colour: { enum: [a, b, c, d], ${list}: ["two\\nlines", "}; run();\\r(", "run();\\u2028run();", "run();\\u2029run();"] }
`),
    );
    expect(types).toContain(`
export const Colour = {
    // two lines
    a: "a",
    // }; run(); (
    b: "b",
    // run(); run();
    c: "c",
    // run(); run();
    d: "d"
} as const;
`);
  },
);

it('has an object of its own for each enumeration with names, whatever the schema is called', async () => {
  const names = ['A-2', 'A2', '2A', 'Record', 'String'];
  const schemas = names.map((name) => `    ${name}: { enum: [x], x-enum-varnames: ['of ${name}'] }\n`);
  const types = await typesOf(contractOf(`\npaths: {}\ncomponents:\n  schemas:\n${schemas.join('')}`));
  expect(types.match(/export const \w+ = \{\s+\w+: "x"/g)?.map((each) => each.replaceAll(/\s+/g, ' '))).toEqual([
    'export const A2 = { of_A_2: "x"',
    'export const A2_ = { of_A2: "x"',
    'export const _2A = { of_2A: "x"',
    'export const Record_ = { of_Record: "x"',
    'export const String_ = { of_String: "x"',
  ]);
  expect(refusedLines(types)).toEqual([]);
});

it('has the operations of methods that OpenAPI 3.2 added, and items as a list', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.2.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    query:
      operationId: findLetters
      parameters: [{ name: filter, in: querystring, content: { application/json: { schema: { type: integer, format: int64 } } } }]
      responses:
        '200':
          content:
            application/jsonl: { itemSchema: { type: integer, format: int64 } }
            multipart/mixed: { itemSchema: { type: string, format: binary }, itemEncoding: { contentType: image/png } }
            text/event-stream: { itemSchema: { type: object, properties: { data: { type: string, contentSchema: { type: integer, format: int64 } } } } }
    additionalOperations: { LINK: { operationId: linkLetters, responses: { '204': {} } } }
`),
  );
  expect(types).toMatch(/paths {\s+"\/letters": {[^"]+query\?: never;[^"]+}\s+export/);
  expect(types).toMatch(/findLetters: {\s+parameters: {\s+query\?: {\s+filter\?: bigint;/);
  expect(types).toContain('"application/jsonl": bigint[];');
  expect(types).toMatch(/"multipart\/mixed": \(?Uint8Array\)?\[\];/);
  expect(types).toMatch(/"text\/event-stream": {\s+\/\*\* Format: int64 \*\/\s+data\?: bigint;\s+}\[\];/);
  expect(types).toContain('linkLetters: {');
});

it('has what is required beside a reference', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    Draft: { type: object, properties: { text: { type: string } } }
    Letter: { allOf: [{ $ref: '#/components/schemas/Draft' }], required: [text] }
    Sent: { $ref: '#/components/schemas/Draft', required: [text], properties: { at: { type: string } } }
`),
  );
  expect(types).toContain('Letter: WithRequired<components["schemas"]["Draft"], "text">;');
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    'Sent: { at?: string; } & WithRequired<components["schemas"]["Draft"], "text">;',
  );
});

it('has what is required of properties that another schema describes, or none', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Beds, version: 1.0.0 }
paths: {}
components:
  schemas:
    Bed: { type: object, properties: { x: { type: string }, y: { type: integer } } }
    Whole: { allOf: [{ $ref: '#/components/schemas/Bed' }, { type: object, required: [x] }] }
    Either: { type: object, properties: { x: { type: string } }, oneOf: [{ required: [x] }, { required: [z] }] }
    Typed: { type: object, required: [x], properties: { y: { type: integer } }, additionalProperties: { type: integer } }
    Open: { type: object, required: [x] }
    Text: { type: string, required: [x] }
    Kind: { type: object, required: [x], oneOf: [{ $ref: '#/components/schemas/Bed' }] }
    Named: { required: [x] }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    [
      'Whole: components["schemas"]["Bed"] & { x: {} | null; };',
      'Either: { x?: string; } & (({ x: {} | null; } | null) | ({ z: {} | null; } | null));',
      'Typed: { y?: number; x: number; } & { [key: string]: number; };',
      'Open: { x: {} | null; } & { [key: string]: unknown; };',
      'Text: string;',
      'Kind: { x: {} | null; } & components["schemas"]["Bed"];',
      'Named: { x: {} | null; } | null;',
    ].join(' '),
  );
});

it('has each branch of an anyOf together with what else its schema says', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    Person:
      type: object
      properties: { id: { type: string, readOnly: true }, email: { type: string, description: Where. }, phone: { type: string } }
      anyOf: [{ required: [email] }, { required: [phone] }]
    Sender:
      description: Who sends.
      required: [kind]
      properties: { kind: { type: string } }
      anyOf: [{ $ref: '#/components/schemas/Person' }, { $ref: '#/components/schemas/Office' }]
      discriminator: { propertyName: kind, mapping: { one: '#/components/schemas/Person' } }
    Office: { type: object, properties: { name: { type: string } } }
    Member: { allOf: [{ $ref: '#/components/schemas/Office' }], anyOf: [{ required: [name] }, { required: [id] }] }
    Absent: { type: [object, 'null'], properties: { id: {} }, anyOf: [{ required: [id] }] }
    Colour: { type: string, anyOf: [{ enum: [a, b], x-enum-varnames: [A, B] }, { const: c }] }
    Many: { type: array, items: { type: string }, anyOf: [{ minItems: 2 }, { maxItems: 0 }] }
    Alone: { title: Alone, type: object, anyOf: [{ $ref: '#/components/schemas/Office' }, { type: 'null' }] }
    Contact: { type: [object, 'null'], properties: { name: { type: string } }, anyOf: [{ required: [mail], properties: { mail: { type: string } } }, { required: [name] }] }
    Manager: { allOf: [{ $ref: '#/components/schemas/Office' }], properties: { email: { type: string } }, anyOf: [{ required: [email] }, { required: [phone] }] }
    Payload: { additionalProperties: true, anyOf: [{ type: string }, { type: object }] }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    [
      'Person: { id?: $Read<string>; /** @description Where. */ email?: string; phone?: string; } & (({ email: {} | null; } | null) | ({ phone: {} | null; } | null));',
      '/** @description Who sends. */ Sender: { kind: string; } & ((components["schemas"]["Person"] & { /** @enum {string} */ kind?: "one"; }) | (components["schemas"]["Office"] & { /** @enum {string} */ kind?: "Office"; }));',
      'Office: { name?: string; };',
      'Member: components["schemas"]["Office"] & (({ name: {} | null; } | null) | ({ id: {} | null; } | null));',
      'Absent: (({ id?: unknown; } & ({ id: {} | null; } | null)) | null) & ({ id: {} | null; } | null);',
      'Colour: string & (ColourAnyOf0 | "c");',
      'Many: string[] & (unknown[] | unknown[]);',
      '/** Alone */ Alone: components["schemas"]["Office"] | null;',
    ].join(' '),
  );
  const of = (name: string, value: string): string => `export const _: components["schemas"]["${name}"] = ${value};`;
  const email = '"a@b.example"';
  const fit = [
    of('Person', `{ email: ${email} }`),
    of('Person', '{ phone: "1", email: "2" }'),
    of('Sender', '{ kind: "Office", name: "Post" }'),
    of('Absent', 'null'),
    of('Colour', '"c"'),
    of('Contact', 'null'),
    of('Contact', '{ mail: "a" }'),
    of('Payload', '"a"'),
    of('Manager', '{ email: "a", name: "b" }'),
  ];
  const unfit = [
    of('Person', '{}'),
    of('Person', 'null'),
    of('Person', `{ email: ${email}, phone: 1 }`),
    of('Sender', '{ name: "Post" }'),
    of('Absent', '{}'),
    of('Contact', '{}'),
    of('Manager', 'null'),
    of('Manager', '{ email: 5 }'),
    of('Colour', '"d"'),
    of('Many', '[1]'),
  ];
  const apart = [...fit, ...unfit].map((each, index) => each.replace('_', `value${index}`));
  expect(refusedLines([types, ...apart].join('\n'))).toEqual(apart.slice(fit.length));
});

it('has schemas that contain themselves in lists alone, each with a name of its own', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    json-value:
      anyOf:
        - { type: [string, 'null'] }
        - { type: array, items: { $ref: '#/components/schemas/json-value' } }
        - { type: object, additionalProperties: { $ref: '#/components/schemas/json-value' } }
    Even: { description: Two, type: array, items: { $ref: '#/components/schemas/Odd' } }
    Odd: { type: array, items: { oneOf: [{ $ref: '#/components/schemas/Even' }, { $ref: '#/components/schemas/Size' }] } }
    Pair: { type: array, minItems: 1, prefixItems: [{ type: string }, { $ref: '#/components/schemas/Pair' }], items: false }
    pair: { type: array, items: { $ref: '#/components/schemas/pair' } }
    Record: { type: array, items: { $ref: '#/components/schemas/Record' } }
    Size: { enum: [a, b], x-enum-varnames: [small, large] }
    Tree: { type: object, properties: { below: { type: array, items: { $ref: '#/components/schemas/Tree' } } } }
    Wood: { type: array, items: { $ref: '#/components/schemas/Even' } }
`),
  );
  expect(types.replaceAll(/\s+/g, ' ')).toContain(
    `schemas: { ${[
      '"json-value": Json_value;',
      '/** @description Two */ Even: Even;',
      'Odd: Odd;',
      'Pair: Pair;',
      'pair: Pair_;',
      'Record: Record_;',
      '/** @enum {unknown} */ Size: Size;',
      'Tree: { below?: components["schemas"]["Tree"][]; };',
      'Wood: components["schemas"]["Even"][];',
    ].join(' ')} };`,
  );
  const of = (name: string, value: string): string => `export const _: components["schemas"]["${name}"] = ${value};`;
  const fit = [
    of('json-value', '["a", [null, { b: ["c"] }]]'),
    of('Odd', '[[["a"]], "b"]'),
    of('Pair', '["a", ["b"]]'),
  ];
  const unfit = [of('json-value', '["a", [null, { b: [1] }]]'), of('Odd', '[["a"]]'), of('Pair', '["a", [["b"]]]')];
  const apart = [...fit, ...unfit].map((each, index) => each.replace('_', `value${index}`));
  expect(refusedLines([types, ...apart].join('\n'))).toEqual(apart.slice(fit.length));
});

it('has a null beside what is required of the objects', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.0.3
info: { title: Letters, version: 1.0.0 }
paths: {}
components:
  schemas:
    Draft: { type: object, nullable: true, properties: { text: { type: string } } }
    Letter: { allOf: [{ $ref: '#/components/schemas/Draft' }], required: [text] }
`),
  );
  const letter = 'components["schemas"]["Letter"]';
  const written = `export const written: ${letter}[] = [null, { text: 'Dear all' }];`;
  const empty = `export const empty: ${letter} = {};`;
  expect(refusedLines([types, written, empty].join('\n'))).toEqual([empty]);
});

it('has every name and reference that the generator would stop at', async () => {
  const types = await typesOf(
    contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0, hasOwnProperty: 1, constructor: { name: x } }
paths:
  /letters:
    get:
      operationId: getLetter
      responses:
        '200':
          description: One.
          content:
            application/json:
              schema:
                oneOf: [{ $ref: '#/components/schemas/Letter' }]
                discriminator: { propertyName: valueOf, mapping: { short: Letter, long: Missing } }
              examples: { lost: { $ref: '#/components/examples/Lost' } }
components:
  schemas:
    Letter:
      allOf: [true, { type: object, required: [valueOf], properties: { valueOf: { type: string }, constructor: { type: string } } }]
    Size: { type: string, enum: [a, b], x-enum-varnames: [-1, ''] }
    Point: { type: object, enum: [{ x: 1 }, [1]] }
    Colour: { type: string, enum: [a, b, c], x-enum-varnames: [a-b, a b, a_b] }
    Sign: { type: string, enum: ['', '"', '\\', '"\\', '+', '++', 'é', '-1', a, 1], x-enum-descriptions: [none, a quote] }
    Anything: { type: object, properties: { any: true, none: false } }
`),
  );
  expect(types).toMatch(/valueOf: string;\n\s*constructor\?: string;/);
  expect(types).toMatch(/components\["schemas"\]\["Letter"\]/);
  expect(types).toMatch(/Size = \{\n\s*a: "a",\n\s*b: "b"\n/);
  expect(types).toMatch(/Point: \{\n\s*x: 1;\n\s*\};/);
  expect(types).toContain(String.raw`
export const Sign = {
    // none
    "": "",
    // a quote
    "\"": "\"",
    "\\": "\\",
    "\"\\": "\"\\",
    "+": "+",
    "++": "++",
    "é": "\u00E9",
    ValueMinus1: "-1",
    a: "a",
    Value1: 1
} as const;
`);
  expect(types).toMatch(/Anything: \{\n\s*any\?: unknown;\n\s*none\?: never;\n\s*\};/);
  expect(types).toMatch(/Colour = \{\n\s*a_b: "a",\n\s*a_b_: "b",\n\s*a_b__: "c"\n/);
});
