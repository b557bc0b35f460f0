/**
 * The ways of keeping to a schema, each as one flat schema: references followed, `allOf` merged, one branch of every
 * `anyOf` and `oneOf` taken. What the merging cannot say, such as that *only* one branch of a `oneOf` may hold, is left to
 * the oracle, which every value made from a way is shown to.
 */
import { type Document, resolve, type Schema } from '../../src/contract/document';
import { isSchema } from '../../src/contract/walk';

export interface Way {
  schema: Schema;
  /** How often each reference was entered to come here; what a recursive schema is bounded by. */
  trail: Trail;
}

export type Trail = ReadonlyMap<string, number>;

export const START: Trail = new Map();
/** How often a value goes round in a recursive schema. */
const ROUNDS_MAX = 2;
/** How many combinations of branches are tried. */
const WAYS_MAX = 64;

/** None at all where nothing fits, or where a recursive schema was gone round often enough. */
export function waysOf(document: Document, schema: unknown, trail: Trail): Way[] {
  if (schema === false) return [];
  if (!isSchema(schema)) return [{ schema: {}, trail }];
  const { $ref, allOf, anyOf, oneOf, const: only, ...own } = schema;
  let ways: Way[] = [{ schema: Object.hasOwn(schema, 'const') ? { ...own, enum: [only] } : own, trail }];
  const and = (others: Way[]): void => {
    ways = ways.flatMap((way) => others.flatMap((other) => merged(way, other))).slice(0, WAYS_MAX);
  };
  if ($ref !== undefined) {
    const rounds = trail.get($ref) ?? 0;
    if (rounds >= ROUNDS_MAX) return [];
    and(waysOf(document, resolve(document, { $ref }), new Map([...trail, [$ref, rounds + 1]])));
  }
  for (const each of listOf(allOf)) and(waysOf(document, each, trail));
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches)) and(branches.flatMap((each) => waysOf(document, each, trail)));
  return ways;
}

/** Both at once; none where that is impossible. */
function merged(a: Way, b: Way): Way[] {
  const types = commonTypes(a.schema.type, b.schema.type);
  if (types?.length === 0) return [];
  const trail = new Map(a.trail);
  for (const [ref, rounds] of b.trail) trail.set(ref, Math.max(rounds, trail.get(ref) ?? 0));
  const schema: Schema = { ...a.schema, ...b.schema };
  if (types) schema.type = types;
  for (const [keyword, value] of Object.entries(a.schema)) {
    const combine = Object.hasOwn(COMBINED, keyword) ? COMBINED[keyword] : undefined;
    if (combine && Object.hasOwn(b.schema, keyword)) schema[keyword] = combine(value, b.schema[keyword]);
  }
  return [{ schema, trail }];
}

type Combine = (a: unknown, b: unknown) => unknown;

const greater: Combine = (a, b) => Math.max(Number(a), Number(b));
const lesser: Combine = (a, b) => Math.min(Number(a), Number(b));
const both: Combine = (a, b) => ({ allOf: [a, b] });
const eachOfBoth: Combine = (a, b) => {
  const [left, right] = [new Map(Object.entries(a ?? {})), new Map(Object.entries(b ?? {}))];
  for (const [name, value] of right) left.set(name, left.has(name) ? both(left.get(name), value) : value);
  return Object.fromEntries(left);
};

/** How two schemas say one keyword together; of any other keyword the second one's word counts. */
const COMBINED: Readonly<Record<string, Combine>> = {
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
  enum: (a, b) => listOf(a).filter((each) => listOf(b).some((other) => JSON.stringify(other) === JSON.stringify(each))),
  properties: eachOfBoth,
  patternProperties: eachOfBoth,
  items: both,
  additionalProperties: both,
};

function commonTypes(a: Schema['type'], b: Schema['type']): string[] | undefined {
  if (a === undefined || b === undefined) return a === undefined && b === undefined ? undefined : listOf(a ?? b);
  const [left, right] = [listOf(a), listOf(b)];
  const integers = (types: string[], others: string[]): string[] =>
    types.includes('integer') && others.includes('number') ? ['integer'] : [];
  const common = left.filter((type) => right.includes(type));
  return [...new Set([...common, ...integers(left, right), ...integers(right, left)])];
}

function listOf<T>(value: T | T[] | undefined): T[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
