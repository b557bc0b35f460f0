/**
 * A schema as flat alternatives: references followed, `allOf` merged, one branch of every `anyOf` and `oneOf` taken, `then` with its
 * `if`, or `else`. An approximation: values are generated from it, and the oracle decides on each of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isDiscriminator, isSchema, namesOfBranch, resolve, type Schema } from '../../engine/reading';

/** The greatest number of combinations of branches that are kept, and tried. */
const ALTERNATIVES_MAX = 64;
const MERGES_MAX = 1_000;
const ANYTHING: readonly Schema[] = [{}];

const known = new WeakMap<Document, WeakMap<Schema, readonly Schema[]>>();

/** Empty if nothing fits. The same schema gives the same objects, so that callers can cache by them. */
export function flatten(document: Document, schema: unknown): readonly Schema[] {
  if (schema === false) return [];
  if (!isSchema(schema)) return ANYTHING;
  const ofDocument = known.get(document) ?? new WeakMap<Schema, readonly Schema[]>();
  known.set(document, ofDocument);
  const before = ofDocument.get(schema);
  if (before) return before;
  const { $ref, allOf = [], anyOf, oneOf, discriminator, const: only, ...rest } = schema;
  if ($ref !== undefined && Object.keys(schema).length === 1) return flatten(document, resolve(document, schema));
  const own = Object.hasOwn(schema, 'const') ? { ...rest, enum: [only] } : rest;
  // A schema that is combined with itself, as the branch of a discriminator that names its parent, counts with its own keywords alone.
  ofDocument.set(schema, [own]);
  const parts: (() => Iterable<Schema>)[] = [];
  if ($ref !== undefined) parts.push(() => flatten(document, resolve(document, { $ref })));
  for (const each of allOf) parts.push(() => flatten(document, each));
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches)) parts.push(() => ofBranches(document, branches, discriminator));
  const { if: condition, then = {}, else: otherwise = {} } = own;
  if (isSchema(condition)) parts.push(() => ofBranches(document, [{ allOf: [condition, then] }, otherwise], undefined));
  const flats = parts.length === 0 ? [own] : combined(own, parts);
  ofDocument.set(schema, flats);
  return flats;
}

/** Each way to take one alternative of every part. */
function combined(own: Schema, parts: readonly (() => Iterable<Schema>)[]): Schema[] {
  const found: Schema[] = [];
  let merges = 0;
  const add = (flat: Schema, [part, ...others]: typeof parts): void => {
    if (!part) return void found.push(flat);
    for (const each of part()) {
      if (found.length >= ALTERNATIVES_MAX || ++merges > MERGES_MAX) return;
      const both = merged(flat, each);
      if (both) add(both, others);
    }
  };
  add(own, parts);
  return found;
}

function* ofBranches(document: Document, branches: readonly unknown[], discriminator: unknown): Generator<Schema> {
  for (const branch of branches) {
    const tag = tagOf(branch, discriminator);
    for (const flat of flatten(document, branch)) yield tag ? tagged(document, flat, tag) : flat;
  }
}

interface Tag {
  property: string;
  values: string[];
}

/** The property that names a branch, and the values that do; undefined if its schema has no name. */
function tagOf(branch: unknown, discriminator: unknown): Tag | undefined {
  if (!isDiscriminator(discriminator)) return undefined;
  const values = namesOfBranch(branch, discriminator);
  return values.length === 0 ? undefined : { property: discriminator.propertyName, values };
}

/** The branch with its tag; unchanged if its own schema fixes the property to another value. */
function tagged(document: Document, flat: Schema, { property, values }: Tag): Schema {
  const own = flat.properties?.[property] ?? {};
  const both: Schema = { allOf: [own, { enum: values }] };
  if (flatten(document, both).length === 0) return flat;
  const { properties, required = [] } = flat;
  return { ...flat, properties: { ...properties, [property]: both }, required: [...new Set([...required, property])] };
}

/** The schema of values that fit both; undefined if they exclude each other. */
function merged(a: Schema, b: Schema): Schema | undefined {
  const schema: Schema = { ...a, ...b };
  for (const [keyword, merge] of Object.entries(MERGES)) {
    if (Object.hasOwn(a, keyword) && Object.hasOwn(b, keyword)) schema[keyword] = merge(a[keyword], b[keyword]);
  }
  if (schema.properties) schema.properties = { ...schema.properties, ...restricted(a, b), ...restricted(b, a) };
  const isEmpty = [schema.type, schema.enum].some((list) => Array.isArray(list) && list.length === 0);
  return isEmpty ? undefined : schema;
}

/** The properties of `a` that are additional ones for `b`. */
function restricted(
  a: Schema,
  { properties = {}, patternProperties, additionalProperties = true }: Schema,
): Schema['properties'] {
  if (additionalProperties === true || patternProperties !== undefined) return {};
  const additional = Object.entries(a.properties ?? {}).filter(([name]) => !Object.hasOwn(properties, name));
  return Object.fromEntries(additional.map(([name, property]) => [name, { allOf: [property, additionalProperties] }]));
}

type Merge = (a: unknown, b: unknown) => unknown;

const greater: Merge = (a, b) => Math.max(Number(a), Number(b));
const lesser: Merge = (a, b) => Math.min(Number(a), Number(b));
const both: Merge = (a, b) => (a === b ? a : { allOf: [a, b] });
const eachOfBoth: Merge = (a, b) => {
  const members = new Map(Object.entries(a ?? {}));
  for (const [name, value] of Object.entries(b ?? {}))
    members.set(name, members.has(name) ? both(members.get(name), value) : value);
  return Object.fromEntries(members);
};
const common: Merge = (a, b) => listOf(a).filter((each) => listOf(b).some((other) => isDeepStrictEqual(other, each)));
const commonTypes: Merge = (a, b) => {
  const withInteger = (types: unknown[]): unknown[] => (types.includes('number') ? [...types, 'integer'] : types);
  const types = listOf(common(withInteger(listOf(a)), withInteger(listOf(b))));
  return types.includes('number') ? types.filter((type) => type !== 'integer') : types;
};

/** The keywords that combine; any other has the second schema's value. */
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
