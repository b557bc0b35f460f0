/** What authors write and mean, as it is served. */
import { parse } from 'yaml';
import { normalize } from '../../../src/engine/contract/normalize';
import type { Document } from '../../../src/engine/contract/document';
import { table } from '../../support/table';

/** A document with one schema, and what is said of it. */
function normalized(schema: string, openapi = '3.1.0'): [schema: unknown, said: string[]] {
  const document = parse(`{ openapi: ${openapi}, paths: {}, components: { schemas: { A: ${schema} } } }`) as Document;
  const said = normalize(document).map(([path]) => path.slice(3).join('/'));
  return [document.components?.schemas?.A, said];
}

/** A null that is accepted, and never sent. */
const ACCEPTED = '{ type: "null", writeOnly: true }';
const COLUMNS = String.raw`| value | name | meaning |\n| --- | --- | --- |\n`;

it.each(table`
  { type: string, nullable: true } | { anyOf: [{ type: string }, ${ACCEPTED}] } | nullable
  { type: string, nullable: false } | { type: string } | nullable
  { nullable: true } | {} | nullable
  { type: string, enum: [a], x-enum-varnames: [A], nullable: true }
    | { anyOf: [{ type: string, enum: [a], x-enum-varnames: [A] }, ${ACCEPTED}] } | nullable
  { $ref: '#/x', nullable: true, description: An x. }
    | { anyOf: [{ $ref: '#/x' }, ${ACCEPTED}], description: An x. } | nullable
  { type: object, nullable: true, allOf: [{ type: object }] }
    | { anyOf: [{ type: object, allOf: [{ type: object }] }, ${ACCEPTED}] } | nullable
  { $ref: '#/x', readOnly: true, xml: { name: y } } | { $ref: '#/x', readOnly: true, xml: { name: y } }
  { $ref: '#/x', maxLength: 1, allOf: [{ minLength: 1 }] } | { allOf: [{ minLength: 1 }, { $ref: '#/x' }], maxLength: 1 }
  { minimum: 1, exclusiveMinimum: true } | { exclusiveMinimum: 1 } | exclusiveMinimum
  { maximum: 1, exclusiveMaximum: false } | { maximum: 1 } | exclusiveMaximum
  { type: string, enum: [] } | { type: string, enum: [] } | enum
  { examples: { a: 1 } } | {} | examples
  { enum: [1, 2], x-enum-varnames: [One] } | { enum: [1, 2] } | x-enum-varnames
  { enum: [1, 2], x-enum-varnames: [One, One] } | { enum: [1, 2] } | x-enum-varnames
  { type: integer, default: '1' } | { type: integer, default: 1 } | default
  { type: boolean, default: 'true' } | { type: boolean, default: true } | default
  { type: string, default: 1 } | { type: string, default: '1' } | default
  { type: integer, default: a } | { type: integer, default: a }
  { required: [a, a] } | { required: [a] } | required
  { $schema: https://json-schema.org/draft/2020-12/schema } | {}
  { $schema: http://json-schema.org/draft-07/schema } | {} | $schema
  { properties: { a: { required: true }, b: { required: false } }, required: [c] }
    | { properties: { a: {}, b: {} }, required: [c, a] } | properties | properties
  { required: true } | {} | required
  { properties: { b: { $ref: '#/$defs/B', discriminator: { propertyName: c, mapping: { b: '#/$defs/B' } } } }, $defs: { B: {} } }
    | { properties: { b: { $ref: '#/components/schemas/A/$defs/B', discriminator: { propertyName: c, mapping: { b:
    '#/components/schemas/A/$defs/B' } } } }, $defs: { B: {} } } | properties/b/$ref
  { description: A number., oneOf: [{ const: 1, title: One, description: 1 ${'|'} I }, { const: null, title: None }], nullable: true }
    | { description: "A number.\n\n${COLUMNS}${String.raw`| 1 | One | 1 \\| I |\n| null | None |  |\n`}",
    enum: [1, null], x-enum-varnames: [One, None] } | nullable
  { oneOf: [{ const: a, title: An a }] } | { enum: [a], description: "${COLUMNS}${String.raw`| a | An a |  |\n`}" }
  { oneOf: [{ const: a }, { const: b }] } | { enum: [a, b] }
  { oneOf: [{ const: a }, { const: a }] } | { oneOf: [{ const: a }, { const: a }] }
  { oneOf: [{ const: a }, { type: integer }] } | { oneOf: [{ const: a }, { type: integer }] }
  { items: { $recursiveRef: '#' } } | { items: { $ref: '#/components/schemas/A' } }
`)('of %s is served %s', (schema, served, ...said) => {
  expect(normalized(schema)).toEqual([parse(served), said]);
});

it('of 3.0 is what 3.1 says in other words, and nothing is said of it', () => {
  expect(normalized('{ type: integer, nullable: true, minimum: 1, exclusiveMinimum: true }', '3.0.3')).toEqual([
    { type: ['integer', 'null'], exclusiveMinimum: 1 },
    [],
  ]);
  const reference = normalized("{ $ref: '#/x', maxLength: 1, description: An x. }", '3.0.3');
  expect(reference).toEqual([{ $ref: '#/x', description: 'An x.' }, []]);
});

it.each(table`
  { type: string, enum: [a], nullable: true } | { anyOf: [{ type: string, enum: [a] }, ${ACCEPTED}] }
  { $ref: '#/x', nullable: true } | { anyOf: [{ $ref: '#/x' }, ${ACCEPTED}] }
  { allOf: [{ $ref: '#/x' }], nullable: true } | { anyOf: [{ allOf: [{ $ref: '#/x' }] }, ${ACCEPTED}] }
  { type: object, allOf: [{ $ref: '#/x' }], nullable: true }
    | { anyOf: [{ type: [object, 'null'], allOf: [{ $ref: '#/x' }] }, ${ACCEPTED}] }
`)('of 3.0 with a null that 3.0.4 does not allow accepts it, and says so: %s', (schema, served) => {
  expect(normalized(schema, '3.0.3')).toEqual([parse(served), ['nullable']]);
});

it('of 3.0 with an enum that lists null allows it', () => {
  const nullable = normalized('{ type: string, enum: [a, null], nullable: true }', '3.0.3');
  expect(nullable).toEqual([{ type: ['string', 'null'], enum: ['a', null] }, []]);
});

it.each(table`
  callbacks: { A: { x-a: { b: 1 }, a: {} } } | callbacks: { A: { a: {} } }
  responses: { A: { description: An a., content: null } } | responses: { A: { description: An a. } }
  parameters: { A: { name: a, in: header, schema: {}, allowReserved: false } }
    | parameters: { A: { name: a, in: header, schema: {} } }
`)('with %s is served without what has no effect', (written, served) => {
  const document = (components: string): object =>
    parse(`{ openapi: 3.1.0, paths: {}, components: { ${components} } }`) as object;
  const read = document(written);
  normalize(read);
  expect(read).toEqual(document(served));
});

it('of webhooks alone serves nothing, and says so', () => {
  const document = parse('{ openapi: 3.1.0, webhooks: {} }') as Document;
  expect(normalize(document).map(([path]) => path)).toEqual([['webhooks']]);
  expect(document.paths).toEqual({});
});

it('without an operationId that can be a name is named after method and path, each otherwise', () => {
  const document = parse(`
openapi: 3.1.0
paths:
  /: { get: {} }
  /v1/elevation: { get: {}, post: { operationId: getV1_elevation } }
  '/v1/{elevation}': { get: { parameters: [{ name: elevation, in: path, required: true }] } }
  /v1/plant-pots: { get: { operationId: getV1Elevation } }
  /v1/trees: { get: { operationId: __proto__ }, put: { operationId: 'v1#trees' }, post: { operationId: '' } }
`) as Document;
  const said = normalize(document).map(([path, , name]) => [...path.slice(1), name].join(' '));
  expect(said).toEqual([
    '/ get getRoot',
    '/v1/elevation get getV1Elevation2',
    '/v1/{elevation} get getV1Elevation3',
    '/v1/trees get operationId getV1Trees',
    '/v1/trees put operationId putV1Trees',
    '/v1/trees post operationId postV1Trees',
  ]);
});

it('copies at most 10 MB for paths that share an item', () => {
  const names = Array.from({ length: 50 }, (_, index) => `/note${index}`);
  const note = { get: { description: 'x'.repeat(1_000_000), responses: {} } };
  const others = names.map((name) => [name, { $ref: '#/paths/~1note' }]);
  const paths = Object.fromEntries([['/note', note], ...others]) as NonNullable<Document['paths']>;
  const document: Document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths };
  normalize(document);
  expect(Object.values(document.paths ?? {}).filter(({ $ref }) => $ref === undefined)).toHaveLength(1 + 9);
});

it('of 3.2 has its examples in value, and names security schemes', () => {
  const document = parse(`
openapi: 3.2.0
security: [{ '#/components/securitySchemes/key': [] }, { other: [] }]
paths:
  /notes:
    get:
      operationId: notes
      parameters: [{ name: q, in: query, examples: { sent: { serializedValue: q=1 }, data: { dataValue: 1, serializedValue: q=1 } } }]
      responses:
        '200':
          summary: All.
          content:
            application/json: { examples: { data: { dataValue: [1] }, text: { serializedValue: '[2]' }, broken: { serializedValue: '[' } } }
            text/csv: { examples: { text: { serializedValue: '1,2' } } }
`) as Document;
  normalize(document);
  const { parameters, responses } = document.paths?.['/notes']?.get ?? {};
  expect(document.security).toEqual([{ key: [] }, { other: [] }]);
  expect(parameters?.[0]?.examples).toEqual({ sent: {}, data: { value: 1 } });
  expect(responses?.['200']).toEqual({
    summary: 'All.',
    description: 'All.',
    content: {
      'application/json': { examples: { data: { value: [1] }, text: { value: [2] }, broken: { value: '[' } } },
      'text/csv': { examples: { text: { value: '1,2' } } },
    },
  });
});
