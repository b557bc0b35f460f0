/** The oracle is exact where doubles are not, and JSON is read and written without loss. */
import type { Document, Schema } from '../../../src/engine/contract/document';
import { readJson, writeJson } from '../../../src/tools/samples/json';
import { blindSpot, Oracle } from '../../../src/tools/samples/oracle';

const document: Document = { openapi: '3.1.0', info: { title: 'Numbers', version: '1' } };
const oracle = new Oracle(document);
const accepts = (schema: Schema, text: string): boolean => oracle.accepts(schema, readJson(text));

it.each([
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['-9223372036854775808', true],
  ['-9223372036854775809', false],
  ['9.223372036854775807e18', true],
  ['9.223372036854775808e18', false],
  ['1.0', true],
  ['1e3', true],
  ['-0', true],
  ['1.5', false],
  ['1.0000000000000000001', false],
  ['9007199254740993.5', false],
  ['1e300', false],
  ['1e400', false],
  ['1e1000000000', false],
  ['1e-1000000000', false],
  ['"5"', false],
])('int64 accepts %s: %s', (text, expected) => {
  expect(accepts({ type: 'integer', format: 'int64' }, text)).toBe(expected);
});

it.each([
  ['2147483647', true],
  ['2147483648', false],
  ['-2147483648', true],
  ['-2147483649', false],
])('int32 accepts %s: %s', (text, expected) => {
  expect(accepts({ type: 'integer', format: 'int32' }, text)).toBe(expected);
});

it.each<[text: string, schema: Schema, expected: boolean]>([
  ['5.00000000000000000001', { minimum: 1 }, true],
  ['5.00000000000000000001', { maximum: 5 }, false],
  ['4.99999999999999999999', { maximum: 5 }, true],
  ['4.99999999999999999999', { minimum: 5 }, false],
  ['-5.00000000000000000001', { minimum: -5 }, false],
  ['-4.99999999999999999999', { minimum: -5 }, true],
  ['1e-400', { exclusiveMinimum: 0 }, true],
  ['-1e-400', { minimum: 0 }, false],
])('%s, which a double rounds to an integer, fits %j: %s', (text, bounds, expected) => {
  expect(accepts({ type: 'number', ...bounds }, text)).toBe(expected);
});

it('takes a pattern that Unicode mode does not, as the service does', () => {
  const schema: Schema = { type: 'string', pattern: '^(?:{[0-9a-f]{4}}|[0-9a-f]{4})$' };
  expect(['"{12ab}"', '"12ab"', '"12"'].map((text) => accepts(schema, text))).toEqual([true, true, false]);
});

it.each([
  ['[{"toString":1},{"toString":1}]', false],
  ['[{"valueOf":1},{"valueOf":2}]', true],
  ['[{"a":1,"b":2},{"b":2.0,"a":1}]', false],
  ['[0,-0]', false],
  ['[[],{},0,false,"0"]', true],
  ['[9223372036854775807,9223372036854775806]', true],
  ['[9223372036854775807,9223372036854775807.0]', false],
  ['[{"a":[9223372036854775807]},{"a":[9223372036854775806]}]', true],
  ['[1,1.00000000000000000001]', true],
])('%s has distinct items: %s', (text, expected) => {
  expect(accepts({ uniqueItems: true }, text)).toBe(expected);
});

it('a list of 20,000 objects has distinct items', () => {
  const objects = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"tags":["a"]}`);
  expect(accepts({ uniqueItems: true }, `[${objects.join()}]`)).toBe(true);
  expect(accepts({ uniqueItems: true }, `[${[...objects, '{"tags":["a"],"id":7.0}'].join()}]`)).toBe(false);
});

it.each(['{"__proto__":1,"a":[9007199254740993,"n1","s\\"2"]}', '"\\u0000"', '[true,false,null,-1]', '{"1":{"":""}}'])(
  '%s is read and written unchanged',
  (text) => {
    expect(writeJson(readJson(text))).toBe(text);
  },
);

it.each(['', '{', '01', '[1,]', 'nul'])('%s is no JSON', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});

// The address that a browser would make of it, which ajv-formats does not take.
it.each(['http://a--b.example/', 'https://example.com:8080/a?b'])('%s is a url, as it is for the service', (url) => {
  expect(accepts({ type: 'string', format: 'url' }, JSON.stringify(url))).toBe(true);
});

it('takes no `$id` of an example for that of a schema', () => {
  const name: Schema = { type: 'object', example: { $id: 'a' }, examples: [{ $id: 'a' }, { $id: 'a' }] };
  const examples = new Oracle({ ...document, components: { schemas: { Name: name } } });
  expect(examples.accepts({ allOf: [{ $ref: '#/components/schemas/Name' }, name] }, readJson('{}'))).toBe(true);
});

it.each<[schema: Schema, right: string, wrong: string]>([
  [{ const: { example: 1 } }, '{"example":1}', '{}'],
  [{ dependentRequired: { 'x-a': ['b'] } }, '{"x-a":1,"b":1}', '{"x-a":1}'],
])('takes no name of %j for an extension', (schema, right, wrong) => {
  expect([right, wrong].map((text) => accepts(schema, text))).toEqual([true, false]);
});

it('takes no inherited property for one of the value', () => {
  expect(accepts({ required: ['constructor'] }, '{}')).toBe(false);
  expect(accepts({ properties: { toString: { type: 'string' } } }, '{}')).toBe(true);
});

it.each<[schema: Schema, expected: string | undefined]>([
  [{ enum: [] }, 'an enum without values is not judged'],
  [{ properties: { ['__proto__']: {} } }, 'a property __proto__ is not judged'],
  [
    { contains: {}, unevaluatedItems: false },
    'unevaluatedItems beside contains or the items of branches is not judged',
  ],
  [{ allOf: [{ if: {} }], unevaluatedProperties: false }, 'what is unevaluated beside an if is not judged'],
  [{ properties: { a: {} }, unevaluatedProperties: false }, undefined],
])('of %j it says: %s', (schema, expected) => {
  expect(blindSpot(document, { schema: { items: schema } })).toBe(expected);
});

it('refuses a value that a schema would take for ever to decide on', () => {
  const next = (index: number): Schema => ({ $ref: `#/components/schemas/S${index + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, index): [string, Schema] => [
      `S${index}`,
      { anyOf: [{ allOf: [next(index), { const: 'no' }] }, next(index)] },
    ]),
  );
  const endless = { ...document, components: { schemas: { ...schemas, S40: { type: 'integer' } } } };
  expect(new Oracle(endless).problem(next(-1), 'text')).toBe('must be a value that is decided in 100000 steps');
});

it('judges by schemas that refer to one another in a long row', () => {
  const next = (index: number): Schema => ({ $ref: `#/components/schemas/S${index + 1}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 400 }, (_, index): [string, Schema] => [
      `S${index}`,
      { oneOf: [{ type: 'integer' }, { type: 'object', properties: { next: next(index) } }] },
    ]),
  );
  const row = new Oracle({ ...document, components: { schemas: { ...schemas, S400: { type: 'string' } } } });
  expect(row.problem(next(-1), { next: { next: {} } })).toBeUndefined();
  expect(row.problem(next(-1), { next: { next: 'five' } })).toBe('must be integer');
});

describe('a discriminator of branches that are open', () => {
  const beds: Record<string, Schema> = {
    Bed: {
      oneOf: [{ $ref: '#/components/schemas/Row' }, { $ref: '#/components/schemas/Circle' }],
      discriminator: { propertyName: 'kind', mapping: { row: 'Row' } },
    },
    Row: { type: 'object', properties: { length: { type: 'integer' } } },
    Circle: { type: 'object', properties: { radius: { type: 'integer' } } },
  };
  const garden = new Oracle({ ...document, components: { schemas: beds } });

  it.each([
    ['{"kind":"row","length":1}', true],
    ['{"kind":"Circle","length":1}', true],
    ['{"kind":"Circle","radius":"1"}', true],
    ['{"kind":"row","length":"1","radius":"1"}', false],
    ['{"kind":"square"}', false],
    ['{}', false],
  ])('of %s, which one of them alone fits, or names: %s', (text, expected) => {
    expect(garden.accepts({ $ref: '#/components/schemas/Bed' }, readJson(text))).toBe(expected);
    expect(garden.accepts(beds.Row ?? {}, readJson('{"length":1}'))).toBe(true);
  });
});
