/** What is made of a schema: valid values, and for every rule of it values that break just that one. */
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Document, Schema } from '../../src/contract/document';
import { Bodies, type GivenBodies, type GivenBody } from './bodies';
import { type Json, readJson } from './json';
import { Oracle } from './oracle';
import type { Variant } from './samples';
import { Values } from './values';

const document: Document = {
  openapi: '3.1.0',
  info: { title: 'Trees', version: '1' },
  components: {
    schemas: {
      Tree: parse(
        '{ type: object, required: [id], properties: { id: { type: integer }, left: { $ref: "#/components/schemas/Tree" } } }',
      ) as Schema,
    },
  },
};
const oracle = new Oracle(document);

const SCALAR = ['boolean', 'number', 'string', 'array', 'object'];
const ofTypes = (at: string, ...but: string[]): string[] => [
  ...(but.includes('null') ? [] : [`${at} null`]),
  ...SCALAR.filter((type) => !but.includes(type)).flatMap((type) =>
    [type, ...(type === 'string' ? ['string that says a number', 'string that says a word of JSON'] : [])].map(
      (each) => `${at} of type ${each}`,
    ),
  ),
];

describe.each<[schema: string, edges: string[], wrongs: string[]]>([
  ['{}', [], []],
  ['{ type: boolean }', ['body true', 'body false'], ofTypes('body', 'boolean')],
  ['{ enum: [raised, 2, null] }', ['body "raised"', 'body 2', 'body null'], ['body not listed']],
  ['{ const: 2 }', ['body 2'], ['body not listed']],
  [
    '{ type: integer, format: int32, minimum: 5, multipleOf: 5 }',
    ['body the least', 'body the greatest', 'body with a fraction or an exponent of zero'],
    [
      ...ofTypes('body', 'number'),
      'body just below the least',
      'body far below the least',
      'body just above the greatest',
      'body far above the greatest',
      'body a fraction',
      'body no multiple',
    ],
  ],
  [
    '{ type: number, exclusiveMinimum: 0, maximum: 1 }',
    ['body the maximum'],
    [
      ...ofTypes('body', 'number'),
      'body just below the least',
      'body far below the least',
      'body just above the greatest',
      'body far above the greatest',
    ],
  ],
  [
    '{ type: string, minLength: 2, maxLength: 4, pattern: "^[a-z]*$" }',
    ['body the shortest'],
    [...ofTypes('body', 'string'), 'body too short', 'body too long', 'body not of its pattern'],
  ],
  ['{ type: string, format: date }', [], [...ofTypes('body', 'string'), 'body not of its format']],
  ['{ type: [string, "null"], maxLength: 0 }', ['body empty', 'body null'], []],
  [
    '{ type: array, items: { const: 1 }, minItems: 1, maxItems: 2 }',
    ['body the shortest', 'body the longest', 'body/0 1'],
    [...ofTypes('body', 'array'), 'body too short', 'body too long', 'body/0 not listed'],
  ],
  [
    '{ type: object, required: [bed], properties: { bed: { type: object, required: [on], properties: { on: { const: 1 } } } } }',
    ['body/bed/on 1'],
    ['body/bed missing', 'body/bed/on missing', 'body/bed/on not listed'],
  ],
  ['{ type: object, additionalProperties: false, properties: { a: {} } }', [], ['body with an undeclared property']],
  ['{ type: object, additionalProperties: { const: 1 } }', ['body/undeclared 1'], ['body/undeclared not listed']],
  [
    '{ allOf: [{ type: object, required: [a], properties: { a: { type: integer, minimum: 1 } } }, { properties: { a: { maximum: 2 } } }] }',
    ['body/a the least', 'body/a the greatest'],
    ['body/a missing', 'body/a just below the least', 'body/a just above the greatest'],
  ],
  [
    '{ type: array, prefixItems: [{ const: 1 }], items: false, minItems: 1 }',
    ['body/0 1'],
    ['body too short', 'body/0 not listed', 'body/1 there at all'],
  ],
  // What one branch refuses and another takes is not wrong.
  ['{ oneOf: [{ type: integer }, { type: string }] }', ['body zero'], ofTypes('body', 'number', 'string')],
  ['{ anyOf: [{ const: 1 }, { type: string }] }', ['body 1'], ['body not listed']],
  [
    '{ $ref: "#/components/schemas/Tree" }',
    ['body/left/id zero'],
    ['body/id missing', 'body/left of type array', 'body/left/id missing'],
  ],
])('%s', (text, edges, wrongs) => {
  const schema = parse(text) as Schema;
  const bodies = new Bodies(new Values(document), oracle).of({ 'application/json': { schema } });

  it('has valid values', () => expect(problems(schema, { what: 'valid', made: bodies.valid })).toEqual([undefined]));

  it('has edges', () => {
    expect(kindsOf(bodies, 'edges')).toEqual(expect.arrayContaining(edges));
    for (const each of fromSchema(bodies.edges)) expect(problems(schema, each)).toEqual([undefined]);
  });

  it('has rules, each of which can be broken', () => {
    expect(kindsOf(bodies, 'wrongs')).toEqual(expect.arrayContaining(wrongs));
    for (const each of fromSchema(bodies.wrongs)) expect(problems(schema, each)).not.toContain(undefined);
  });
});

it('goes round in a recursive schema, and comes to an end', () => {
  const schema = { $ref: '#/components/schemas/Tree' };
  const bodies = new Bodies(new Values(document), oracle).of({ 'application/json': { schema } });
  const depths = kindsOf(bodies, 'wrongs').map((kind) => kind.split('/left').length - 1);
  expect(Math.max(...depths)).toBe(1);
});

/** Those that come from the schema, and not from the media type. */
function fromSchema(all: Variant<GivenBody>[]): Variant<GivenBody>[] {
  return all.filter(({ what }) => what.startsWith('body'));
}

function kindsOf(bodies: GivenBodies, which: 'edges' | 'wrongs'): string[] {
  return fromSchema(bodies[which]).map(({ what }) => what);
}

/** What the oracle says of some of them, each thing once. */
function problems(schema: Schema, { made }: Variant<GivenBody>): (string | undefined)[] {
  const values = fc.sample(made, { seed: 1, numRuns: 20 }).map(({ text }): Json => readJson(text));
  return [...new Set(values.map((value) => oracle.problem(schema, value)))];
}
