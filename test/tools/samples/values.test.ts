/** Values are made of schemas of any size, and of schemas that contain themselves: nearly all of them fit. */
import fc from 'fast-check';
import type { Document, Schema } from '../../../src/engine/contract/document';
import { fitting } from '../../../src/tools/samples/arbitraries';
import { type Json, writeJson } from '../../../src/tools/samples/json';
import { notableNumbers } from '../../../src/tools/samples/numbers';
import { Oracle } from '../../../src/tools/samples/oracle';
import { plausibleValuesOf, valuesOf } from '../../../src/tools/samples/values';

const names = Array.from({ length: 30 }, (_, index) => `Kind${index}`);
const all = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
/** Of thirty kinds each, every one of which has a list, a map and a property of any of them. */
const kinds = names.map((name): [string, Schema] => [
  name,
  {
    type: 'object',
    required: ['kind', 'any'],
    properties: {
      kind: { const: name },
      any: { anyOf: [...all, { type: 'null' }] },
      list: { type: 'array', items: { anyOf: all } },
      map: { type: 'object', additionalProperties: { oneOf: all } },
    },
  },
]);
const schemas: Record<string, Schema> = {
  ...Object.fromEntries(kinds),
  Tree: {
    type: 'object',
    required: ['children'],
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  },
  Map: { type: 'object', patternProperties: { '^a': { $ref: '#/components/schemas/Map' } } },
  NonEmpty: {
    type: 'object',
    minProperties: 1,
    additionalProperties: { oneOf: [{ type: 'string', minLength: 1 }, { $ref: '#/components/schemas/NonEmpty' }] },
  },
  Listed: { enum: Array.from({ length: 200_000 }, (_, index) => `Value ${index}`) },
  Endless: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } },
  Pet: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping: { feline: '#/components/schemas/Cat' } },
  },
  Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, bark: { type: 'string' } } },
};
const document: Document = { openapi: '3.1.0', info: { title: 'Kinds', version: '1' }, components: { schemas } };
const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const some = (schema: Schema, numRuns = 20): Json[] => {
  const made = valuesOf(document, schema);
  return made ? fc.sample(made, { seed: 1, numRuns }) : [];
};

it.each(['Kind0', 'Tree', 'Map', 'NonEmpty'])('%s, which contains itself, has values, and they fit', (name) => {
  const oracle = new Oracle(document);
  const schema = named(name);
  expect(some(schema).filter((value) => !oracle.accepts(schema, value))).toEqual([]);
});

it('a schema that requires itself has none', () => {
  expect(valuesOf(document, named('Endless'))).toBeUndefined();
});

it('repetitions in one another have typical texts, and none of exponential length', () => {
  const texts = some({ type: 'string', pattern: '^((((a*)*)*)*)*$' });
  expect(texts.filter((each) => String(each).length > 100)).toEqual([]);
});

it.each(['^[^\\x01-\\x7E]+$', '^[^ -~]+$', '^[^\\S ]{2}:[^a-z]$', '[^\\x00-\\uffff]'])(
  'the pattern %s, of a class without printable ASCII, has values, and they fit',
  (pattern) => {
    const expression = new RegExp(pattern, 'u');
    const texts = some({ type: 'string', pattern }).map(String);
    expect(texts).toHaveLength(20);
    expect(texts.filter((each) => !expression.test(each))).toEqual([]);
  },
);

it.each<Schema>([
  { type: 'string', minLength: 256, maxLength: 1 },
  { type: 'string', format: 'binary', minLength: 256, maxLength: 1 },
  { type: 'integer', minimum: 2, maximum: 1 },
  { type: 'number', minimum: 2, maximum: 1 },
  { type: 'array', minItems: 5, maxItems: 1 },
  { type: 'object', minProperties: 5, maxProperties: 1 },
])('%j has no values, and an optional property of it is left out', (none) => {
  expect(valuesOf(document, none)).toBeUndefined();
  const object: Schema = { type: 'object', properties: { none, some: { const: 1 } }, additionalProperties: false };
  const values = valuesOf(document, object, 'full') ?? fc.constant(null);
  expect(fc.sample(values, { seed: 1, numRuns: 1 }).map(writeJson)).toEqual(['{"some":1}']);
});

it.each(['[^\\s\\S]', '^[^\\w\\W]$'])('the pattern %s, which nothing matches, has none', (pattern) => {
  expect(valuesOf(document, { type: 'array', items: { type: 'string', pattern }, minItems: 1 })).toBeUndefined();
});

it('texts of a length are of visible ASCII often enough for headers, which hold no other', () => {
  const texts = some({ type: 'string', minLength: 20, maxLength: 36 });
  expect(texts.filter((each) => /^[!-~]+$/.test(String(each))).length).toBeGreaterThan(4);
  expect(texts).toContainEqual(expect.stringMatching(/[^ -~]/));
});

it('one of very many values is made', () => {
  expect(some(named('Listed'))).toContainEqual(expect.stringMatching(/^Value \d+$/));
});

it('a discriminator has the value that names the branch', () => {
  const made = some(named('Pet')).map((value) => writeJson(value));
  expect(made.filter((text) => !/"kind":"(?:feline|Dog)"/.test(text))).toEqual([]);
});

it('a null that only requests may have is in no value of an answer', () => {
  const schema: Schema = { anyOf: [{ type: 'boolean' }, { type: 'null', writeOnly: true }] };
  const made = (without: 'readOnly' | 'writeOnly'): Json[] => {
    const values = valuesOf(document, schema, 'any', without);
    return [...new Set(values ? fc.sample(values, { seed: 1, numRuns: 50 }) : [])].map(String).sort();
  };
  expect(made('readOnly')).toEqual(['false', 'null', 'true']);
  expect(made('writeOnly')).toEqual(['false', 'true']);
});

it('a schema that only such a null ends has values of some depth also in an answer', () => {
  const next: Schema = { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null', writeOnly: true }] };
  const row: Schema = { type: 'object', required: ['next'], properties: { next } };
  const values = valuesOf({ ...document, components: { schemas: { Row: row } } }, named('Row'), 'any', 'writeOnly');
  const made = values ? fc.sample(values, { seed: 1, numRuns: 5 }).map((value) => writeJson(value)) : [];
  expect(made.map((text) => text.split('"next":').length)).toEqual(Array(5).fill(made[0]?.split('"next":').length));
  expect(made[0]).toContain('"next":null}');
});

it('plausible values prefer examples, words and small numbers', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      name: { type: 'string', example: 'Ada' },
      note: { type: ['string', 'null'], minLength: 20, maxLength: 20 },
      count: { type: 'integer' },
      price: { type: 'number', exclusiveMinimum: 0 },
      mail: { type: 'string', format: 'email' },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
    },
  };
  const examples = ({ example }: Schema): Json[] => (typeof example === 'string' ? [example] : []);
  const [value] = fc.sample(plausibleValuesOf(document, schema, examples) ?? fc.constant(null), {
    seed: 1,
    numRuns: 1,
  });
  const text = writeJson(value ?? null);
  expect(text).toMatch(
    /^\{"name":"Ada","note":"[a-z]{20}","count":\d{1,4},"price":\d+(?:\.\d+)?,"mail":"\w+@example\.\w+","tags":\["[a-z]+"(?:,"[a-z]+")?\]\}$/,
  );
});

it.each<Schema>([{ type: 'integer' }, { type: 'integer', format: 'int32', maximum: 9 }])(
  'numbers to try for %j are integers as doubles only if they are exactly, as most servers read doubles',
  (schema) => {
    const numbers = notableNumbers(schema);
    expect(numbers.some(({ integer }) => integer === undefined)).toBe(true);
    expect(numbers.filter(({ text, integer }) => Number.isInteger(Number(text)) !== (integer !== undefined))).toEqual(
      [],
    );
  },
);

it('are made without the tables of all of Unicode that fast-check builds for some arbitraries', () => {
  let entries = 0;
  const { set } = Map.prototype;
  const counting = jest.spyOn(Map.prototype, 'set').mockImplementation(function (
    this: Map<unknown, unknown>,
    ...entry
  ) {
    entries++;
    return set.apply(this, entry);
  });
  jest.isolateModules(() => jest.requireActual('../../../src/tools/samples/strings'));
  counting.mockRestore();
  expect(entries).toBeLessThan(100_000);
});

it.each(['uri', 'url', 'uri-reference', 'uri-template', 'email', 'hostname', 'uuid', 'ipv6', 'date-time', 'byte'])(
  'of the format %s fit',
  (format) => {
    const oracle = new Oracle(document);
    const schema: Schema = { type: 'string', format };
    expect(some(schema, 100).filter((value) => !oracle.accepts(schema, value))).toEqual([]);
  },
);

it('are a few that were found where those that fit are rare', () => {
  let tried = 0;
  const isSmall = (value: number): boolean => ++tried > 0 && value < 100;
  const small = fitting(fc.nat(1_000_000_000), isSmall);
  const seen = tried;
  const samples = small && fc.sample(small, { seed: 0, numRuns: 500 });
  expect(samples?.every((value) => value < 100)).toBe(true);
  expect(tried).toBe(seen);
});

it('are none that need more names than can be made up', () => {
  const propertyNames = { pattern: '^[a-z]{1,3}$' };
  expect(valuesOf(document, { type: 'object', minProperties: 5_000, propertyNames })).toBeUndefined();
});

it.each<Schema>([
  { required: ['a', 'b'], propertyNames: { pattern: '^[ab]$' } },
  { properties: { a: { const: 1 }, b: { const: 1 } }, required: ['a', 'b'], patternProperties: { '^[ab]$': {} } },
])('of an object have no other names where %j has them all', (schema) => {
  const values = valuesOf(document, { type: 'object', ...schema, additionalProperties: { const: 1 } }, 'full');
  expect(fc.sample(values ?? fc.constant(null), { seed: 1, numRuns: 1 }).map(writeJson)).toEqual(['{"a":1,"b":1}']);
});
