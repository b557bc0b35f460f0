/**
 * A schema as a list of flat alternatives: references followed, `allOf` merged, one branch of every `anyOf` and `oneOf`
 * taken. An approximation: values are generated from it, and the oracle decides on each of them.
 */
import { type Document, resolve, type Schema } from '../contract/document';
import { isSchema } from '../contract/walk';

export interface Flat {
  schema: Schema;
  visits: Visits;
}

/** How often each reference was followed on the way here, to bound recursive schemas. */
export type Visits = ReadonlyMap<string, number>;

export const NO_VISITS: Visits = new Map();
const VISITS_MAX = 2;
const ALTERNATIVES_MAX = 64;

/** Empty where nothing fits, or where a recursive schema has reached its bound. */
export function flatten(document: Document, schema: unknown, visits: Visits): Flat[] {
  if (schema === false) return [];
  if (!isSchema(schema)) return [{ schema: {}, visits }];
  const { $ref, allOf = [], anyOf, oneOf, const: only, ...own } = schema;
  let flats: Flat[] = [{ schema: Object.hasOwn(schema, 'const') ? { ...own, enum: [only] } : own, visits }];
  const and = (others: Flat[]): void => {
    flats = flats.flatMap((flat) => others.flatMap((other) => merged(flat, other))).slice(0, ALTERNATIVES_MAX);
  };
  if ($ref !== undefined) {
    const count = (visits.get($ref) ?? 0) + 1;
    if (count > VISITS_MAX) return [];
    and(flatten(document, resolve(document, { $ref }), new Map([...visits, [$ref, count]])));
  }
  for (const each of allOf) and(flatten(document, each, visits));
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches)) and(branches.flatMap((each) => flatten(document, each, visits)));
  return flats;
}

/** Both at once; empty where their types exclude each other. */
function merged(a: Flat, b: Flat): Flat[] {
  const schema: Schema = { ...a.schema, ...b.schema };
  for (const [keyword, merge] of Object.entries(MERGES)) {
    if (Object.hasOwn(a.schema, keyword) && Object.hasOwn(b.schema, keyword))
      schema[keyword] = merge(a.schema[keyword], b.schema[keyword]);
  }
  if (Array.isArray(schema.type) && schema.type.length === 0) return [];
  const visits = new Map(a.visits);
  for (const [ref, count] of b.visits) visits.set(ref, Math.max(count, visits.get(ref) ?? 0));
  return [{ schema, visits }];
}

type Merge = (a: unknown, b: unknown) => unknown;

const greater: Merge = (a, b) => Math.max(Number(a), Number(b));
const lesser: Merge = (a, b) => Math.min(Number(a), Number(b));
const both: Merge = (a, b) => ({ allOf: [a, b] });
const eachOfBoth: Merge = (a, b) => {
  const members = new Map(Object.entries(a ?? {}));
  for (const [name, value] of Object.entries(b ?? {}))
    members.set(name, members.has(name) ? both(members.get(name), value) : value);
  return Object.fromEntries(members);
};
const common: Merge = (a, b) =>
  listOf(a).filter((each) => listOf(b).some((other) => JSON.stringify(other) === JSON.stringify(each)));
const commonTypes: Merge = (a, b) => {
  const withInteger = (types: unknown[]): unknown[] => (types.includes('number') ? [...types, 'integer'] : types);
  const types = listOf(common(withInteger(listOf(a)), withInteger(listOf(b))));
  return types.includes('number') ? types.filter((type) => type !== 'integer') : types;
};

/** How two schemas combine in one keyword; of any other keyword the second schema's value is taken. */
const MERGES: Readonly<Record<string, Merge>> = {
  type: commonTypes,
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: lesser,
  exclusiveMaximum: lesser,
  maxLength: lesser,
  maxItems: lesser,
  maxProperties: lesser,
  required: (a, b) => [...new Set([...listOf(a), ...listOf(b)])],
  enum: common,
  properties: eachOfBoth,
  patternProperties: eachOfBoth,
  items: both,
  additionalProperties: both,
};

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
