/** What is made of a schema: valid bodies, valid bodies at the edges of what it allows, and bodies that break its rules. */
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Document, Schema } from '../../../src/engine/contract/document';
import { bodiesOf, type Bodies } from '../generate/bodies';
import type { Variant } from '../generate/variants';
import { Oracle } from '../judge/oracle';
import { readJson } from '../json';

const TREE =
  '{ type: object, required: [id], properties: { id: { type: integer }, left: { $ref: "#/components/schemas/Tree" } } }';
const document: Document = {
  openapi: '3.1.0',
  info: { title: 'Trees', version: '1' },
  components: { schemas: { Tree: parse(TREE) as Schema } },
};
const oracle = new Oracle(document);

function bodiesFor(schema: Schema): Bodies {
  const contract = { document, operations: [], methods: new Map<string, []>(), errors: [] };
  return bodiesOf(contract, oracle, { 'application/json': { schema } });
}

/** Some of the texts of all variants that come from the schema. */
function textsOf(variants: Variant<{ text: string }>[]): string[] {
  return variants
    .filter(({ what }) => what.startsWith('body'))
    .flatMap(({ made }) => fc.sample(made, { seed: 1, numRuns: 20 }).map(({ text }) => text));
}

describe.each<[schema: string, edges: string[], wrongs: string[]]>([
  ['{}', ['null', 'true', '7', '""', '[]', '{}'], []],
  ['{ type: boolean }', ['true'], ['null', '7', '"true"', '[]', '{}']],
  ['{ enum: [raised, 2, null] }', ['"raised"', '2', 'null'], ['7', '"text"']],
  ['{ const: 2 }', ['2'], ['7', 'null']],
  [
    '{ type: integer, format: int64 }',
    ['9223372036854775807', '-9223372036854775808', '9007199254740993', '5.0', '5e0', '-0'],
    ['9223372036854775808', '-9223372036854775809', '1e300', '0.5', '9007199254740993.5', '"5"', 'true', 'null'],
  ],
  [
    '{ type: integer, minimum: 5, maximum: 100, multipleOf: 5 }',
    ['5', '100', '5.0'],
    ['4', '6', '101', '0', '5.00000000000000000001', '1.5'],
  ],
  ['{ type: number, exclusiveMinimum: 0, maximum: 1 }', ['1', '0.5'], ['0', '-1', '2', '"5"']],
  [
    '{ type: string, minLength: 2, maxLength: 4 }',
    ['"xx"', '"xxxx"', '"🌱🌱🌱🌱"'],
    ['""', '"x"', '"xxxxx"', '"🌱🌱🌱🌱🌱"', '7', 'null'],
  ],
  ['{ type: string, pattern: "^car$" }', [], ['"Acar"', '" car"', '"\\u0000car"', '""']],
  ['{ type: string, format: date }', [], ['"neither this nor that"', '"%"', '"text"']],
  ['{ type: [string, "null"], maxLength: 0 }', ['""', 'null'], ['"x"', '7']],
  [
    '{ type: array, items: { const: 1 }, minItems: 1, maxItems: 2 }',
    ['[1]', '[1,1]'],
    ['[]', '[1,1,1]', '["text"]', '{}'],
  ],
  ['{ type: array, items: { const: 1 }, uniqueItems: true }', ['[1]', '[]'], ['[1,1]']],
  ['{ type: array, prefixItems: [{ const: 1 }], items: false, minItems: 1 }', ['[1]'], ['[]', '[7]', '[1,null]']],
  [
    '{ type: object, required: [bed], properties: { bed: { type: object, required: [on], properties: { on: { const: 1 } } } } }',
    ['{"bed":{"on":1},"undeclared":1}'],
    ['{"bed":{}}', '{"bed":{"on":true}}', '{"bed":null}', '{}'],
  ],
  [
    '{ type: object, additionalProperties: false, properties: { a: { const: 1 } } }',
    ['{}'],
    ['{"a":1,"undeclared":1}'],
  ],
  ['{ type: object, maxProperties: 1, properties: { a: { const: 1 } } }', ['{"a":1}'], ['{"a":1,"undeclared":1}']],
  [
    '{ allOf: [{ type: object, required: [a], properties: { a: { type: integer, minimum: 1 } } }, { properties: { a: { maximum: 2 } } }] }',
    ['{"a":1}', '{"a":2}'],
    ['{"a":0}', '{"a":3}', '{}'],
  ],
  // What one branch refuses and another takes is valid.
  ['{ oneOf: [{ type: integer }, { type: string }] }', ['7', '"text"'], ['null', '1.5', '[]']],
  ['{ anyOf: [{ const: 1 }, { type: string }] }', ['1', '"text"'], ['7', 'null']],
])('%s', (text, edges, wrongs) => {
  const schema = parse(text) as Schema;
  const bodies = bodiesFor(schema);
  const verdictsOf = (texts: string[]): boolean[] => [
    ...new Set(texts.map((each) => oracle.accepts(schema, readJson(each)))),
  ];

  it('has valid bodies', () => {
    expect(verdictsOf(textsOf([{ what: 'body', made: bodies.valid }]))).toEqual([true]);
  });

  it('has edges, which are valid', () => {
    const texts = textsOf(bodies.edges);
    for (const edge of edges) expect(texts).toContainEqual(expect.stringContaining(edge));
    expect(verdictsOf(texts)).not.toContain(false);
  });

  it('has rules that are broken', () => {
    const texts = textsOf(bodies.wrongs);
    for (const wrong of wrongs) expect(texts).toContain(wrong);
    expect(verdictsOf(texts)).not.toContain(true);
  });
});

it('a recursive schema comes to an end', () => {
  const { wrongs } = bodiesFor({ $ref: '#/components/schemas/Tree' });
  const places = new Set(wrongs.map(({ what }) => what).filter((what) => what.startsWith('body')));
  expect([...places]).toEqual(['body', 'body/id', 'body/left', 'body/left/id', 'body/left/left']);
});
