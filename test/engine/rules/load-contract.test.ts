import { readServed } from '../../../src/engine/contract/bundle';
import { digestOf } from '../../../src/engine/contract/digest';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { canRead } from '../../../src/engine/contract/media-type';
import { loadContract, type Served } from '../../../src/engine/rules/load-contract';
import { contractOf, engineContract, engineContractText } from '../../support/contracts';
import { table } from '../../support/table';

const served: Served = { handlers: ['a'], verifiers: { bearer: { scheme: 'http bearer' } }, canRead };

/** What is wrong with a contract, or what is told of it, in alphabetical order. */
function saidOf(text: string, server = served): { problems: string[]; warnings: string[] } {
  try {
    return { problems: [], warnings: [...loadContract(contractOf(text), server).warnings].sort() };
  } catch (error) {
    if (error instanceof ContractProblems) return { problems: [...error.problems].sort(), warnings: [] };
    throw error;
  }
}

const NOTHING = "responses: { '204': { description: Nothing. } }";
const A = `/a: { get: { operationId: a, ${NOTHING} } }`;

/** A contract of these fields; that of a schema, of paths, of an operation or a security scheme, whose operation is `a`. */
const document = (fields: string): string => `{ openapi: 3.1.0, info: { title: Notes, version: 1.0.0 }, ${fields} }`;
const contracts: Readonly<Record<string, (part: string, name: string) => string>> = {
  text: (text) => text,
  document,
  schema: (schema) => document(`paths: { ${A} }, components: { schemas: { B: { type: object }, A: ${schema} } }`),
  paths: (paths) => document(`paths: { ${paths} }`),
  operation: (operation) =>
    document(
      `paths: { /a: { get: { operationId: a, ${NOTHING}, ${operation} } } }, components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }`,
    ),
  scheme: (scheme, name) => document(`paths: { ${A} }, components: { securitySchemes: { ${name}: ${scheme} } }`),
};

/**
 * A contract, as its part (`schema: { type: string }`, `3.2 paths: ...`) in which a `¶` stands before each place of which
 * something is said, and what is said of the places, in alphabetical order.
 */
function unmarked(part: string, said: readonly string[]): { text: string; lines: string[] } {
  const [, is32, kind = '', name = '', rest = ''] = /^(3\.2 )?(\w+)(?: (\w+))?: ([^]*)$/.exec(part) ?? [];
  const contract = contracts[kind]?.(rest, name) ?? '';
  const [first = '', ...pieces] = (is32 ? contract.replace('3.1.0', '3.2.0') : contract).split('¶');
  let text = first;
  const lines = pieces.map((piece, index) => {
    const before = text.split('\n');
    text += piece;
    return `openapi.yaml:${before.length}:${(before.at(-1) ?? '').length + 1} ${said[index]}`;
  });
  return { text, lines: lines.sort() };
}

const VERSIONS = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';
const DOCUMENT = 'expected an OpenAPI document with openapi, info and paths';
const STATUS = 'expected a status such as 200, a range such as 4XX, or default';

/** Of the end of an operation's life. */
const DATE = 'expected a date such as 2027-01-31, or one with a time such as 2027-01-31T12:00:00Z';

/** Schemas of which each is a reference to the next one. */
const ROW = Array.from({ length: 100 }, (_, index) => `R${index}: { $ref: '#/components/schemas/R${index + 1}' }`).join(
  ', ',
);
/** Schemas that extend one another, the last one first. */
const HEIRS = Array.from(
  { length: 300 },
  (_, n) => `R${299 - n}: { allOf: [{ $ref: '#/components/schemas/R${300 - n}' }] }`,
).join(', ');

/** Members of a map or a list: 500 properties, 500 branches, 20 times the value `wide`, and 1,001 properties that depend on another. */
const WIDE = Array.from({ length: 500 }, (_, n) => `p${n}: { type: string }`).join(', ');
const BRANCHES = Array.from({ length: 500 }, (_, n) => `{ maxLength: ${n} }`).join(', ');
const ALL_WIDE = Array.from({ length: 20 }, () => '*wide').join(', ');
const TOO_MANY = Array.from({ length: 1_001 }, (_, n) => `p${n}`);
const DEPENDENT = TOO_MANY.map((name) => `${name}: [q]`).join(', ');

/** Contracts that are not served. */
const faults = table`
  a text without an end | text: openapi: ¶"
    | the " that begins here has no end: expected another " at the end of the text, whose further lines are indented deeper than this one
  a key twice | document: ¶info: {} | the key info is there twice: expected one, or another name
  a key that is a number and a text | document: x-a: { 200: a, ¶'200': b } | the key '200' is there twice: expected one, or another name
  an alias of nothing | text: info: ¶*nobody
    | *nobody leads to no anchor: expected an anchor &nobody above it; quote a text that begins with *
  an anchor within itself | document: x-a: &a { b: ¶*a } | *a leads to the value that it is in
  an anchor that is merged into itself | document: x-a: &a { <<: ¶*a } | *a leads to the value that it is in
  a number that no double holds | schema: { example: ¶1e400 } | expected a number of at most ${Number.MAX_VALUE}, got Infinity
  OpenAPI 4.0 | text: openapi: ¶4.0.0 | ${VERSIONS}, got "4.0.0"
  two versions | document: ¶swagger: '2.0'
    | ${VERSIONS}, got Swagger "2.0": npx swagger2openapi brings it to 3.0
  a number for its version | text: openapi: ¶3.1 | ${VERSIONS}, got 3.1
  null | text: ¶null | ${DOCUMENT}, got null
  a text | text: ¶notes | ${DOCUMENT}, got "notes"
  a list | text: ¶[openapi] | ${DOCUMENT}, got array
  no title | text: { openapi: 3.1.0, info: ¶{ version: 1.0.0 }, paths: {} } | expected a field title
  a misspelt field | document: paths: {}, ¶securty: [] | unknown field securty: expected security
  a misspelt method | paths: /a: { ¶psot: { ${NOTHING} } } | unknown field psot: expected post
  a path of null with a name that objects have | paths: ¶constructor: null
    | unknown field constructor: expected /constructor
  a path without a slash | paths: ¶a: {} | unknown field a: expected /a
  a misspelt field below a path with a percent sign | paths: /100%: { get: { ¶reponses: {} } }
    | unknown field reponses: expected responses
  a status that is none
    | paths: /a: { get: { operationId: a, responses: { '204': { description: No. }, ¶'4090': { description: No. } } } }
    | unknown field 4090: ${STATUS}
  security where there is none | paths: /a: { ¶security: [] } | unknown field security
  an operation of 3.2 | paths: /a: { ¶query: {} } | unknown field query
  parameters that are no list | paths: "/{a}": { get: { parameters: ¶{ a: {} } } }
    | expected array, got object: each item begins with "- "
  a reference that leads nowhere | schema: { $ref: ¶'#/components/schemas/C' } | #/components/schemas/C leads nowhere
  a reference to another file | schema: { $ref: ¶'b.yaml#/B' }
    | b.yaml#/B is not in this document: expected #/components/schemas/B
  a reference to another host | schema: { $ref: ¶'https://b.example' } | https://b.example is not in this document
  a reference to an anchor | schema: { $ref: ¶'#B' } | #B is not in this document
  a reference through what inherits | schema: { $ref: ¶'#/constructor' } | #/constructor leads nowhere
  a reference with bad percent-encoding | schema: { $ref: ¶'#/%' } | #/% has a % that encodes no character
  a reference that is no text | schema: { $ref: ¶5 } | expected a reference, as text, got 5
  a reference of a property named example | schema: { properties: { example: { $ref: ¶'#/x' } } } | #/x leads nowhere
  a reference over very many others
    | document: paths: { ${A} }, components: { schemas: { A: { $ref: ¶'#/components/schemas/R0' }, ${ROW}, R100: {} } }
    | #/components/schemas/R0 leads over more than 100 references
  a reference in a circle | schema: { $ref: ¶'#/components/schemas/A' } | #/components/schemas/A leads in a circle
  references to what is no schema
    | document: paths: { ${A} }, components: { requestBodies: { B: { required: true, content: { a/b: {} } } }, schemas: { A:
      { properties: { a: { $ref: ¶'#/info' }, b: { $ref: ¶'#/components/requestBodies/B' } } } } }
    | #/info leads to something that is not a schema (version)
    | #/components/requestBodies/B leads to something that is not a schema (expected array, got true: each item begins with "- ")
  a misspelt keyword | schema: { ¶requried: [a] } | unknown keyword requried: expected required
  a keyword that is not followed | schema: { $dynamicRef: ¶'#a' } | $dynamicRef is not followed
  a type that is none | schema: { items: { type: ¶strin } }
    | expected one of array, boolean, integer, null, number, object, string, got "strin": expected string
  a list of properties that is none | schema: { required: ¶name } | expected array, got "name": each item begins with "- "
  a negative length | schema: { minLength: ¶-1 } | expected a number >= 0, got -1
  a pattern that is none | schema: { pattern: ¶'(' } | Invalid regular expression: /(/u: Unterminated group
  a pattern of very many groups in one another | schema: { pattern: ¶'${'('.repeat(5000)}${')'.repeat(5000)}' }
    | expected a pattern with fewer groups in one another
  a name pattern that is none | schema: { patternProperties: ¶{ '(': {} } }
    | Invalid regular expression: /(/u: Unterminated group
  a bound that is no number | schema: { minimum: ¶none } | expected number, got "none"
  schemas that apply each other to the same value
    | document: paths: { ${A} }, components: { schemas: { A: ¶{ oneOf: [{ $ref: '#/components/schemas/B' }] }, B: {
      properties: { a: { $ref: '#/components/schemas/A' } }, not: { $ref: '#/components/schemas/A' } } } }
    | the schema refers to itself without end
  schemas that extend very many others
    | document: paths: { ${A} }, components: { schemas: { R300: {}, A: ¶{ allOf: [{ $ref: '#/components/schemas/R0' }] }, ${HEIRS} } }
    | expected at most 500 schemas for the same value, one within another, got more
  a schema of very many properties, with the branches of one within
    | schema: ¶{ properties: { ${WIDE}, last: { items: { oneOf: [${BRANCHES}] } } } }
    | expected at most 1000 properties and branches, with those of a schema within, got 1001
  a schema of very many schemas, each within few others
    | schema: ¶{ anyOf: [&wide { properties: { ${WIDE} } }, ${ALL_WIDE}] }
    | expected at most 10000 schemas, with all within that are not behind a $ref, got 10522
  a schema of very many properties that depend on others | schema: { properties: { a: ¶{ dependentRequired: { ${DEPENDENT} } } } }
    | expected at most 1000 properties and branches, with those of a schema within, got 1001
  a schema of a property that depends on very many others | schema: { properties: { a: ¶{ dependentRequired: { b: [${TOO_MANY.join()}] } } } }
    | expected at most 1000 properties and branches, with those of a schema within, got 1001
  a schema of very many branches | schema: { properties: { a: ¶{ anyOf: [${TOO_MANY.map((name) => `{ const: ${name} }`).join()}] } } }
    | expected at most 1000 properties and branches, with those of a schema within, got 1001
  a default beyond the integers that a double has | schema: { type: integer, default: ¶9007199254740993 }
    | expected a default within ±9007199254740991, or one of format int64
  defaults that their own schemas refuse
    | schema: { properties: { a: { type: integer, maximum: 100, default: ¶1000 }, b: { type: integer, format: int64,
      default: ¶9223372036854775808 }, c: { $ref: "#/components/schemas/B", default: ¶text } } }
    | a default that its own schema refuses: expected a number <= 100
    | a default that its own schema refuses: expected int64 (an integer from -9223372036854775808 to
      9223372036854775807) | a default that its own schema refuses: expected object
  a default that contains itself without end, through a list
    | schema: { properties: { b: { $ref: "#/components/schemas/B", default: {} }, all: { default: ¶[{}], type: array,
      items: { $ref: "#/components/schemas/A" } } } } | a default that lacks itself: filling it in never ends
  a default that contains itself without end, through a branch
    | schema: { properties: { b: { default: ¶{}, oneOf: [{ $ref: "#/components/schemas/A" }] } } }
    | a default that lacks itself: filling it in never ends
  a parameter whose default is none of its values
    | operation: parameters: [{ name: b, in: query, schema: { enum: [x, y], default: ¶z } }]
    | a default that its own schema refuses: expected one of x, y
  parameters of its path that may be meant for each other
    | paths: '/{b}': { get: { operationId: a, ${NOTHING}, parameters: ¶[{ name: c, in: path, required: true, schema: {}
      }] } } | path parameter c is not in the path /{b}: expected path parameter b
  a parameter twice | operation: parameters: ¶[{ name: b, in: query, schema: {} }, { name: b, in: query, schema: {} }]
    | duplicate query parameter b
  a path parameter twice in one path
    | paths: ¶'/{b}/{b}': { parameters: [{ name: b, in: path, required: true, schema: {} }], get: { operationId: a, responses: { '204': { description: Done. } } } }
    | path parameter b is twice in the path
  a body that nobody reads
    | operation: requestBody: { content: { application/vnd.list: ¶{ schema: { type: object } } } }
    | no reader for bodies of application/vnd.list: give the service one, in its readers
  a form that nobody can read, and a range that would take it
    | operation: requestBody: { content: { multipart/form-data: ¶{ schema: { type: array } }, '*/*': {} } }
    | a form is an object, and the schema says another type
  items in a form | 3.2 operation: requestBody: { content: { multipart/form-data: { itemSchema: ¶{ type: object } } } }
    | itemSchema is not served here: expected the fields of a form in its schema
  items in a request that is read as text
    | 3.2 operation: requestBody: { content: { text/event-stream: { itemSchema: ¶{ type: object } } } }
    | itemSchema is not held in requests of text/event-stream: expected application/jsonl, application/x-ndjson, application/json-seq or a multipart media type
  an encoding of items in something else
    | 3.2 operation: requestBody: { content: { multipart/mixed: { itemEncoding: ¶{ contentType: a/b } } } }
    | itemEncoding is not served here: expected an itemSchema, or a schema of a list, beside it
  parts with names
    | 3.2 operation: requestBody: { content: { multipart/mixed: { itemSchema: {}, encoding: ¶{ a: { contentType: a/b } } } } }
    | these parts have no names: expected itemEncoding or prefixEncoding
  parts with headers
    | 3.2 operation: requestBody: { content: { multipart/mixed: { itemSchema: {}, prefixEncoding: [{ x-a: 1 },
      ¶{ headers: { X-A: { schema: {} } } }] } } } | expected no encoding but a contentType
  parts that nobody reads
    | 3.2 operation: requestBody: { content: { multipart/mixed: { itemSchema: { type: object }, itemEncoding:
      ¶{ contentType: 'application/json, application/xml' } } } }
    | no reader for parts of application/xml: expected application/json
  parts that nobody writes
    | 3.2 paths: /a: { get: { operationId: a, responses: { '200': { description: Parts., content: { multipart/mixed:
      { itemSchema: { type: array }, itemEncoding: ¶{ contentType: image/png } } } } } } }
    | no writer for parts of image/png: expected application/json
  parts of any media type
    | 3.2 paths: /a: { get: { operationId: a, responses: { '200': { description: Parts., content: { multipart/mixed:
      { itemSchema: {}, prefixEncoding: [{ contentType: a/b }, ¶{ contentType: image/* }], itemEncoding: { contentType: a/b } } } } } } }
    | expected one media type for the parts of an answer
  an operation without a handler | paths: ${A}, /b: { get: { operationId: ¶b, ${NOTHING} } }
    | operation b has no handler: add it to src/handlers.ts
  an operation without an operationId | paths: ${A}, /b: { get: ¶{ ${NOTHING} } }
    | operation getB has no handler: add it to src/handlers.ts
  an operation under a name that is inherited | paths: ${A}, /b: { get: { operationId: ¶toString, ${NOTHING} } }
    | operation toString has no handler: add it to src/handlers.ts
  a handler that belongs to nothing | document: paths: ¶{} | handler a has no operation in the contract
  security of no scheme | document: security: [{ ¶other: [] }], paths: { ${A} }
    | security names other, which components.securitySchemes does not declare
  security of an inherited name | operation: security: [{ ¶constructor: [] }]
    | security names constructor, which components.securitySchemes does not declare
  a component of another kind | operation: parameters: [{ $ref: ¶'#/components/securitySchemes/bearer' }]
    | #/components/securitySchemes/bearer is of another kind: expected a reference to one of #/components/parameters
  a scope that can stand in no header | operation: security: ¶[{ bearer: [write, "read all"] }]
    | "read all" is not a scope: expected ASCII without spaces, " and \
  a scheme without a verifier | scheme other: ¶{ type: http, scheme: bearer }
    | security scheme other is http bearer and has no verifier: add it in src/service.ts
  a scheme of an inherited name | scheme toString: ¶{ type: http, scheme: bearer }
    | security scheme toString is http bearer and has no verifier: add it in src/service.ts
  a scheme of another kind than its verifier | scheme bearer: ¶{ type: http, scheme: Basic }
    | security scheme bearer is http basic, and its verifier is for http bearer
  a scheme of another type than its verifier | scheme bearer: ¶{ type: apiKey, in: query, name: key }
    | security scheme bearer is apiKey in query, and its verifier is for http bearer
  a day that is none | operation: x-sunset: ¶'2027-02-30' | ${DATE}
  a deprecation without a date | operation: x-deprecated-since: ¶soon | ${DATE}
  a sunset before the deprecation | operation: x-deprecated-since: 2027-01-02, x-sunset: ¶2027-01-01T00:00:00Z
    | expected a sunset after the deprecation (RFC 9745)
`;

/** What is served, and told if it says so. */
const oddities = table`
  a default branch that is none of the branches
    | 3.2 schema: { oneOf: [{ $ref: '#/components/schemas/B' }], discriminator: { propertyName: b, defaultMapping: ¶C }
      } | defaultMapping names none of the branches, and is ignored
  an object without an element | 3.2 schema: { type: object, xml: { nodeType: ¶none } }
    | nodeType none is for lists: expected an element in XML
  properties of one name in XML
    | schema: { properties: { a: { xml: { name: z } }, z: { xml: { attribute: true } }, ¶c: { xml: { name: z } } } }
    | a and c have the same name in XML: z
  a prefix that is not bound | schema: { type: object, xml: { prefix: ¶p } }
    | prefix p is bound to no namespace: expected one beside it
  a prefix that an outer element binds
    | schema: { xml: { prefix: p, namespace: 'urn:p' }, properties: { b: { xml: { prefix: p } } } }
  an example outside of the contract
    | operation: parameters: [{ name: b, in: query, schema: { type: string }, examples: { far: { externalValue:
      ¶'https://b.example/' } } }] | an example outside of the contract is not read
  a coding of a body that is read | operation: parameters: [{ name: Content-Encoding, in: header, schema: {} }], requestBody:
      { content: { image/png: {}, ¶application/json: {} } }
    | a body that is read has no Content-Encoding, whatever is declared: with one it is answered with 415
  extensions | document: x-a: { a: 1 }, paths: { ${A}, x-b: null, x-c: { get: {} } }
  values that are merged | document: x-a: &a { a: 1 }, x-b: &b { b: 1 }, x-c: { <<: *a, <<: *b }, paths: { ${A} }
  extensions of a schema | schema: { x-ref: { $ref: '#/nowhere' } }
  what OpenAPI adds to a schema | schema: { example: { $ref: nowhere } }
  properties of any name | schema: { properties: { $id: true, x-y: { $ref: '#/components/schemas/B' } } }
  schemas that are true or false | schema: { properties: { any: true, none: false } }
  numbers that no double is
    | schema: { type: integer, format: int64, minimum: -9007199254740993, multipleOf: 3, enum: [1, 9007199254740993] }
  a length that no double is | schema: { type: string, maxLength: 18446744073709551615 }
  items without repetition | schema: { type: array, uniqueItems: true, items: { type: integer, format: int64 } }
  a default that no double is | schema: { type: integer, format: int64, default: 9223372036854775807 }
  a default of what is not answered
    | schema: { type: object, additionalProperties: false, required: [a], properties: { a: { type: string, writeOnly:
      true } }, default: { a: b } }
  a default of null
    | schema: { properties: { a: { type: string, default: ¶null }, b: { type: [string, 'null'], default: null } } }
    | a default of null that its schema does not allow is ignored
  a default of null beside keywords that refuse it | schema: { properties: { a: { default: ¶null, allOf: [{ $ref: '#/components/schemas/C' }] },
      b: { default: null, anyOf: [{ $ref: '#/components/schemas/C' }, {}] }, c: { default: null, not: { $ref: '#/components/schemas/C' } } } }, C: { oneOf: [{ type: string }, { enum: [1] }] }
    | a default of null that its schema does not allow is ignored
  a tuple | schema: { type: array, prefixItems: [{ type: string }], items: false }
  a schema that contains itself | schema: { type: object, properties: { parent: { $ref: '#/components/schemas/A' } } }
  a scheme in other letters | scheme bearer: { type: http, scheme: Bearer }
  an operation that is open to all | operation: security: [{}, { bearer: [] }]
  a path that stands elsewhere | paths: ${A}, /b: { $ref: '#/paths/~1c' }, /c: { description: None yet. }
  the data of links | paths: /a: { get: { operationId: a, responses: { '200': { description: A., links: { b: { operationId: a, parameters: {
      c: 10, d: { $ref: '#/nowhere' } }, requestBody: [{ $ref: b.yaml }] } } } } } }
  an operation of which it says nothing | paths: /a: { get: { operationId: a } }
  a text that only the author needs
    | text: { openapi: 3.1.0, info: { title: Notes, version: ¶1, description: ¶null }, paths: { /a: { get: {
      operationId: a } } } } | a version that is not text is read as one: expected it in quotes | a description that is not text is left out
  a field of no meaning | paths: /a: { get: { operationId: a, ¶colour: red, ${NOTHING} } }
    | unknown field colour is ignored
  more of a scheme than its kind has | scheme bearer: { type: http, scheme: bearer, ¶in: header }
    | unknown field in is ignored
  a name with a space | document: paths: { ${A} }, components: { schemas: { A b: ¶{} } }
    | the name A b: expected text that matches ^[a-zA-Z0-9._-]+$
  a parameter of its path that is not declared | paths: '/{b}': { get: ¶{ operationId: a, ${NOTHING} } }
    | (b) a parameter of the path that is not declared is text
  a path parameter that is not in the path
    | paths: /a: { parameters: [{ name: b, in: path, required: true, schema: {} }], get: ¶{ operationId: a, ${NOTHING}
      } } | (b) a path parameter that is not in the path is ignored
  a path parameter that is not required
    | paths: '/{b}': { get: { operationId: a, ${NOTHING}, parameters: [¶{ name: b, in: path, schema: {} }] } }
    | a path parameter is required, whether it says so or not: expected required: true
  a response without description | paths: /a: { get: { operationId: a, responses: { '204': ¶{} } } }
    | a response without description is described as nothing
  a pattern that may hang | schema: { type: string, pattern: ¶'^(?:(?=a)(b*)*)$' }
    | (^(?:(?=a)(b*)*)$) texts of more than 6 characters are refused: a pattern with a lookahead, a back-reference or very
      many repetitions could take for ever on longer ones
  a pattern of other expressions | schema: { type: string, pattern: ¶'^[\w-.]$' }
    | (^[\w-.]$) a pattern that is invalid with the flag u is read without it
  a keyword of no meaning | schema: { ¶minChars: 1 } | (minChars) an unknown keyword is ignored
  a format of its own for a text | schema: { type: string, format: ¶zip } | (zip) an unknown format of text is ignored
  a format of its own for a number | schema: { type: number, format: ¶zip }
    | (zip) an unknown format of numbers is ignored
  a body that can be read, and another
    | operation: requestBody: { content: { application/json: {}, application/vnd.list: ¶{ schema: { type: object } } } }
    | bodies of application/vnd.list have no reader: they are answered with 415
  a list in JSON and in a form
    | operation: requestBody: { content: { application/json: { schema: { type: array } }, multipart/form-data: ¶{ schema: { type: array } } } }
    | bodies of multipart/form-data cannot be read (a form is an object, and the schema says another type): they are answered with 415
  a file in parts and in percent-encoding
    | operation: requestBody: { content: { application/x-www-form-urlencoded: ¶{ schema: { properties: { b: { type: string, format: binary } } } },
      multipart/form-data: { schema: { properties: { b: { type: string, format: binary } } } } } }
    | bodies of application/x-www-form-urlencoded cannot be read (field b: a file needs multipart/form-data): they are answered with 415
  a parameter that may be text or a number
    | operation: parameters: ¶[{ name: b, in: query, schema: { type: [string, integer] } }]
    | (b) a parameter that may be text or integer is text
  a parameter with the name of a property of another
    | operation: parameters: ¶[{ name: b, in: query, schema: { type: integer } }, { name: c, in: query, schema: { type: object, properties: { b: {} } } }]
    | (b) two parameters take the same name: only the first of them gets a value
  a list of different items, each of which is judged as it comes
    | operation: requestBody: { content: { ¶application/jsonl: { schema: { type: array, items: {}, uniqueItems: true } } } }
    | uniqueItems of a list is not held where its items come one by one
  a list of two lists, of which each item is judged as it comes
    | operation: requestBody: { content: { ¶application/jsonl: { schema: { allOf: [{ type: array, items: {} }], items: {} } } } }
    | items of a list is not held where its items come one by one
  a parameter in a header of no name
    | operation: parameters: ¶[{ name: b c, in: header, schema: { type: string } }]
    | (b c) a name that no header has: no request can have it
  a header of an answer of no name
    | paths: /a: { get: { operationId: a, responses: { '204': { description: Done., headers: { 'b c': ¶{ schema: {} } } } } } }
    | (b c) a name that no header has: no answer can have it
  a field of a form that may be text or a number
    | operation: requestBody: { content: { application/x-www-form-urlencoded: ¶{ schema: { type: object, properties: {
      size: { type: [integer, string] } } } } } } | (size) a field of a form that may be text or integer is text
  a server without a scheme
    | document: servers: [{ url: ¶'{host}:8080/v1', variables: { host: { default: localhost } } }], paths: { ${A} }
    | a server without a scheme is read with one: expected http://localhost:8080/v1
  an operation with a server of its own under another path
    | operation: servers: ¶[{ url: 'https://upload.example/{v}', variables: { v: { default: v2 } } }]
    | only the first server of the contract says under which path it is served
  a path with a server of its own under another path
    | document: servers: [{ url: /v1 }], paths: { /a: { servers: ¶[{ url: / }], get: { operationId: a, ${NOTHING} } } }
    | only the first server of the contract says under which path it is served
  an operation with a server of its own under the same path
    | operation: servers: [{ url: 'https://upload.example/v2' }, { url: 'https://upload.example/' }]
  a method that Node does not parse
    | 3.2 paths: /a: { additionalOperations: { BEFRIEND: ¶{ operationId: a, ${NOTHING} } } }
    | (BEFRIEND) no request with this method can come: the HTTP server of Node does not take it
  a method that asks for a tunnel
    | 3.2 paths: /a: { additionalOperations: { CONNECT: ¶{ operationId: a, ${NOTHING} } } }
    | (CONNECT) no request with this method can come: the HTTP server of Node does not take it
`;

const LEFT_OUT = 'what is not served is left out:';

/** Faults of what no request comes to. */
const unserved = table`
  a status that is none in a webhook
    | document: paths: { ${A} }, webhooks: { b: { post: { responses: { '204': { description: Done. }, ¶2xx: {
      description: Done. } } } } } | ${LEFT_OUT} unknown field 2xx: ${STATUS}
  a reference that leads nowhere in a webhook | document: paths: { ${A} }, webhooks: { b: { $ref: ¶'#/nowhere' } }
    | ${LEFT_OUT} #/nowhere leads nowhere
  a pattern that is none in a callback
    | operation: callbacks: { b: { '{$url}': { post: { requestBody: { content: { a/b: { schema: { pattern: ¶'(' } } } }
      } } } } | ${LEFT_OUT} Invalid regular expression: /(/u: Unterminated group
  a variable that no address has | document: servers: [{ url: /v1, variables: { port: ¶{} } }], paths: { ${A} }
    | ${LEFT_OUT} expected a field default
`;

describe('a contract', () => {
  it.each(faults)('is not served with %s', (_what, part, ...said) => {
    const { text, lines } = unmarked(part, said);
    expect(saidOf(text)).toEqual({ problems: lines, warnings: [] });
  });

  it.each([...oddities, ...unserved])('is served with %s', (_what, part, ...said) => {
    const { text, lines } = unmarked(part, said);
    expect(saidOf(text)).toEqual({ problems: [], warnings: lines });
  });

  it('is not served with a fault in a variable of its address', () => {
    const servers = 'servers: [{ url: "/{version}", variables: { version: {} } }]';
    expect(saidOf(document(`${servers}, paths: { ${A} }`)).problems).toHaveLength(1);
  });

  it('is not served with two paths that are one, which has both places', () => {
    const path = (id: string, name: string): string =>
      `{ get: { operationId: ${id}, ${NOTHING}, parameters: [{ name: ${name}, in: path, required: true, schema: {} }] } }`;
    const text = document(
      `paths: {\n'/p/{b}': ${path('a', 'b')},\n'/p/{c}': ${path('b', 'c')},\n'/q/{c}': ${path('c', 'c')} }`,
    );
    expect(saidOf(text, { ...served, handlers: ['a', 'b', 'c'] }).problems).toEqual([
      'the paths /p/{b} and /p/{c} are one: only one GET of it can be reached: 2 places, openapi.yaml:2:18, openapi.yaml:3:18',
    ]);
  });

  it('is not served with a method of 3.2 that its path has already, which has both places', () => {
    const item = `{ get: { operationId: a, ${NOTHING} }, additionalOperations: { GET: { operationId: b, ${NOTHING} } } }`;
    const { text } = unmarked(`3.2 paths: /a: ${item}`, []);
    expect(saidOf(text, { ...served, handlers: ['a', 'b'] }).problems).toEqual([
      expect.stringContaining('GET /a is declared twice: only one of the two can be reached: 2 places'),
    ]);
  });

  it('is served with nothing but schemas', () => {
    expect(saidOf(document('components: { schemas: {} }'), { ...served, handlers: [] })).toEqual({
      problems: [],
      warnings: ['openapi.yaml:1:1 no paths are declared: nothing is served'],
    });
  });

  it('is not served where it is empty, or nowhere', () => {
    expect(saidOf('').problems).toEqual([`openapi.yaml:1:1 ${DOCUMENT}, got null`]);
    expect(() => loadContract('/nowhere/openapi.yaml', served)).toThrow(/ENOENT/);
  });

  it('says all that is wrong with it at once, and what is the same in one line', () => {
    const parameter = '{ name: b, in: query, schema: {} }';
    const { text, lines } = unmarked(
      `document: security: [{ ¶other: [] }], paths: { /a: { get: { operationId: ¶b, parameters: ¶[${parameter}, ${parameter}] } } },
      components: { schemas: { A: { ¶requried: [a] }, B: { pattern: ¶'(' } } }`,
      [
        'security names other, which components.securitySchemes does not declare',
        'operation b has no handler: add it to src/handlers.ts',
        'duplicate query parameter b',
        'unknown keyword requried: expected required',
        'Invalid regular expression: /(/u: Unterminated group',
      ],
    );
    expect(saidOf(text, { ...served, handlers: [] }).problems).toEqual(lines);
    const wrong = ['A', 'B', 'C', 'D'].map((name) => `\n${name}: { minLength: -1 }`);
    const same = document(`paths: {}, components: { schemas: { ${wrong.join()} } }`);
    expect(saidOf(same, { ...served, handlers: [] }).problems).toEqual([
      'expected a number >= 0, got -1: 4 places, openapi.yaml:2:17, openapi.yaml:3:17, openapi.yaml:4:17, ...',
    ]);
  });

  it('is served only with types that were generated from it, which comments and line endings do not change', () => {
    const withTypes = {
      handlers: ['createPlant'],
      verifiers: { bearerAuth: { scheme: 'http bearer' } },
      canRead,
      digest: digestOf(readServed(engineContract).value),
    };
    expect(saidOf(`# A comment.\n${engineContractText.replaceAll('\n', '\r\n')}`, withTypes).problems).toEqual([]);
    const [problem] = saidOf(engineContractText.replace('title: ', 'title: The '), withTypes).problems;
    expect(problem).toMatch(/:\d+:1 generated\/openapi.ts was made from another contract: run npm run generate$/);
  });

  it('that is not served is told of in one message, a line for each problem', () => {
    expect(new ContractProblems(['openapi.yaml:1:1 a', 'openapi.yaml:2:1 b']).message).toBe(
      'the contract is not fit to be served:\n  openapi.yaml:1:1 a\n  openapi.yaml:2:1 b',
    );
  });
});

it('says on one line what is wrong with a contract, whatever it quotes', () => {
  const { warnings } = saidOf(
    document(`"\\e[31mred\\n::error::\\u2028": 1, "${'x'.repeat(3_000)}": 1, paths: { ${A} }`),
  );
  expect(warnings).toEqual([
    expect.stringMatching(/unknown field \?\[31mred\?::error::\? is ignored$/),
    expect.stringMatching(/^.{2000}$/),
  ]);
});

it('refuses what is nested too deeply', () => {
  const { problems } = saidOf(document(`x-deep: ${'['.repeat(3_000)}${']'.repeat(3_000)}`));
  expect(problems).toEqual([expect.stringMatching(/:1:\d+ it is nested too deeply: expected at most 200 levels$/)]);
});
