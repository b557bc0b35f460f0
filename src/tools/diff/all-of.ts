/**
 * What a schema adds to others, as one schema, which contracts may write instead: parts in an `allOf`, annotations beside a reference, and
 * null beside a schema. Redocly compares the one with the other as if they had nothing in common.
 */
import { isDeepStrictEqual } from 'node:util';
import { isSchema, lookUp, type Path, pathOf, referenceOf, type Schema, schemasWithin } from '../../engine/reading';
import type { Comparable } from './comparable';
import { ANNOTATIONS, branchBesideNull, isAnnotation, withNull } from './plain';

/** Keywords that say of one schema what they say of several on the same value; any other may depend on those beside it. */
const JOINED: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  ...['type', 'enum', 'format', 'properties', 'required', 'minLength', 'maxLength', 'pattern', 'multipleOf', 'minimum'],
  ...['maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
/** Keywords of which the first one holds, or of which two are one. */
const UNITED: ReadonlySet<string> = new Set(
  [...ANNOTATIONS, 'properties', 'required'].filter((key) => key !== 'default'),
);
/** Keywords under which a schema adds to others. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** A schema of a contract, and its path there. */
type Placed = readonly [joiner: Joiner, schema: Schema, path: Path];

/**
 * Writes each schema of two that are compared, and adds to others, as one schema, in place, unless one of them cannot be, or both consist
 * of the same; true if it did, which other comparisons of either see.
 */
export function writeAsOne(...both: [base: Placed, revised: Placed]): boolean {
  const [before, now] = both.map(([, schema]) => outlineOf(schema));
  if (isDeepStrictEqual(before, now)) return false;
  const combined = both.filter(([joiner, schema]) => joiner.canJoin(schema));
  const ones = combined.flatMap(([joiner, schema, path]) => joiner.join(schema, path) ?? []);
  if (ones.length < combined.length) return false;
  for (const [index, [, schema]] of combined.entries()) {
    for (const key of COMBINING) Reflect.deleteProperty(schema, key);
    Object.assign(schema, ones[index]);
  }
  return combined.length > 0;
}

/** What a schema itself names: of the same parts, each is compared with itself, and a change has its place there. */
function outlineOf({ $ref, properties = {}, allOf = [], anyOf = [], oneOf = [] }: Schema): unknown[] {
  const parts = [allOf, anyOf, oneOf].map((each) => each.filter(isSchema).map(outlineOf));
  return [$ref, Object.keys(properties), ...parts];
}

/** True for a schema that adds to others; a reference alone is followed. */
function isCombined(schema: Schema): boolean {
  const isAnnotated = schema.$ref !== undefined && Object.keys(schema).length > 1;
  return schema.allOf !== undefined || isAnnotated || branchBesideNull(schema) !== undefined;
}

/** Joins the schemas of a contract. */
export class Joiner {
  private readonly known = new Map<Schema, Schema | undefined>();

  /** `writesReferences` is false to leave annotations and null beside a reference as they are. */
  constructor(
    private readonly contract: Comparable,
    private readonly writesReferences: boolean,
  ) {}

  canJoin(schema: Schema): boolean {
    return schema.allOf !== undefined || (this.writesReferences && isCombined(schema));
  }

  /** The one schema for one that is combined, at a path; undefined where it would not be the same, or where a branch of it is referred to. */
  join(schema: Schema, path: Path): Schema | undefined {
    const hasOwnName = (path.length === 3 && path[1] === 'schemas') || path.at(-2) === 'properties';
    // A schema that stands for another one has its name, which may be sent.
    if (!hasOwnName && referenceOf(schema) !== undefined) return undefined;
    if (COMBINING.some((key) => this.contract.isReferredTo([...path, key]))) return undefined;
    const one = this.asOne(schema);
    // What it refers to may have the schema itself within, where it would have no end.
    const isWithin = one && schemasWithin(one, []).some(([each]) => each === schema);
    return one && !isWithin && !isCombined(one) ? one : undefined;
  }

  private asOne(schema: unknown): Schema | undefined {
    if (!isSchema(schema)) return undefined;
    if (this.known.has(schema)) return this.known.get(schema);
    this.known.set(schema, undefined); // until it is known: it may contain itself
    const { $ref, allOf = [], ...own } = schema;
    const target = $ref === undefined ? [] : [lookUp(this.contract.document, pathOf($ref))];
    const branch = this.asOne(branchBesideNull(own));
    const parts = [(branch && withNull(own, branch)) ?? own, ...[...target, ...allOf].map((each) => this.asOne(each))];
    const one = parts.reduce((a, b) => a && b && joined(a, b), {});
    this.known.set(schema, one);
    return one;
  }
}

/** The schema of what fits two; undefined if it could be another one. */
function joined(one: Schema, other: Schema): Schema | undefined {
  const isSame = (a: unknown, b: unknown): boolean => a === undefined || b === undefined || isDeepStrictEqual(a, b);
  const { properties = {}, required = [] } = one;
  const both = Object.entries(other.properties ?? {}).filter(([name]) => Object.hasOwn(properties, name));
  const isOne =
    (saysNothing(one) || saysNothing(other) || [one, other].every(isJoined)) &&
    Object.entries(other).every(([key, value]) => UNITED.has(key) || isSame(Reflect.get(one, key), value)) &&
    both.every(([name, property]) => isSame(properties[name], property));
  if (!isOne) return undefined;
  return {
    ...other,
    ...one,
    ...((one.properties ?? other.properties) && { properties: { ...other.properties, ...properties } }),
    ...((one.required ?? other.required) && { required: [...new Set([...required, ...(other.required ?? [])])] }),
  };
}

function saysNothing(schema: Schema): boolean {
  return Object.keys(schema).every(isAnnotation);
}

function isJoined(schema: Schema): boolean {
  return Object.keys(schema).every((key) => JOINED.has(key));
}
