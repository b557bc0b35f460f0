import { readYaml } from '../../../src/engine/contract/read-yaml';
import { contractOf } from '../../support/contracts';

const schemasOf = (schemas: string): unknown =>
  (readYaml(contractOf(`{ openapi: 3.1.0, components: { schemas: ${schemas} } }`)).value as { components: unknown })
    .components;
const at = (place: string): object => ({ $ref: `#/components/schemas/${place}` });

it.each<[written: string, read: object]>([
  ["{ A: { $anchor: a }, B: { $ref: '#a' } }", { A: {}, B: at('A') }],
  ["{ A: { $id: https://a.test/a }, B: { $ref: 'https://a.test/a' } }", { A: {}, B: at('A') }],
  [
    "{ A: { $id: a/b, $defs: { c: {} } }, B: { $ref: 'a/b#/$defs/c' } }",
    { A: { $defs: { c: {} } }, B: at('A/$defs/c') },
  ],
  [
    "{ A: { $id: a/b, $defs: { '%': { $id: c } }, items: { $ref: c } } }",
    { A: { $defs: { '%': {} }, items: at('A/$defs/%25') } },
  ],
  ["{ A: { $id: a, $ref: '#/components/schemas/B' }, B: {} }", { A: at('B'), B: {} }], // a place of the document
  ["{ A: { $id: a, items: { $ref: 'other.yaml#/B' } } }", { A: { items: { $ref: 'other.yaml#/B' } } }],
  ["{ A: { $ref: '#none' }, B: { $anchor: b } }", { A: { $ref: '#none' }, B: {} }],
  [
    "{ A: { $dynamicAnchor: a }, B: { type: object, $dynamicRef: '#a' } }",
    { A: {}, B: { type: 'object', ...at('A') } },
  ],
])('%s has references to places', (written, read) => {
  expect(schemasOf(written)).toEqual({ schemas: read });
});

it('a generic list has the items of the schema that refers to it', () => {
  const list =
    "{ $id: list, type: array, items: { $dynamicRef: '#item' }, $defs: { item: { $dynamicAnchor: item, not: {} } } }";
  const numbers = '{ $id: numbers, $ref: list, $defs: { item: { $dynamicAnchor: item, type: number } } }';
  const $defs = { item: { not: {} } };
  expect(schemasOf(`{ List: ${list}, Numbers: ${numbers} }`)).toEqual({
    schemas: {
      List: { type: 'array', items: at('List/$defs/item'), $defs },
      Numbers: { ...at('List.1'), $defs: { item: { type: 'number' } } },
      'List.1': { type: 'array', items: at('Numbers/$defs/item'), $defs },
    },
  });
});

it('a tree is of nodes of the schema that refers to it', () => {
  const tree = "{ $id: tree, $dynamicAnchor: node, properties: { child: { $dynamicRef: '#node' } } }";
  const strict = '{ $id: strict, $dynamicAnchor: node, $ref: tree, unevaluatedProperties: false }';
  expect(schemasOf(`{ Tree: ${tree}, Strict: ${strict} }`)).toEqual({
    schemas: {
      Tree: { properties: { child: at('Tree') } },
      Strict: { ...at('Tree.1'), unevaluatedProperties: false },
      'Tree.1': { properties: { child: at('Strict') } },
    },
  });
});

it.each<[what: string, count: number, references: (index: number) => number[]]>([
  ['at each of very many places', 12, () => [...Array(12).keys()]],
  ['behind thousands of others', 2_000, (index) => [(index + 1) % 2_000]],
])('schemas that mean something else %s are refused', (_what, count, references) => {
  const schemas = Array.from({ length: count }, (_, n) => {
    const branches = references(n).map((other) => `{ $ref: s${other} }`);
    return `S${n}: { $id: s${n}, $dynamicAnchor: a${n}, anyOf: [${branches.join()}], not: { $dynamicRef: '#a${n}' } }`;
  });
  expect(() => schemasOf(`{ ${schemas.join()} }`)).toThrow('$dynamicRef gives schemas too many meanings');
});
