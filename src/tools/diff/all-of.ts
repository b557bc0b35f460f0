/** An `allOf` as one schema, which contracts may write instead: redocly compares the one with the other as if they had nothing in common. */
import { isDeepStrictEqual } from 'node:util';
import { isSchema, lookUp, type Path, pathOf, referenceOf, type Schema } from '../../engine/reading';
import type { Comparable } from './comparable';
import { ANNOTATIONS } from './plain';

/** Keywords that say of one schema what they say of several on the same value; any other may depend on those beside it. */
const JOINED: ReadonlySet<string> = new Set(['type', 'properties', 'required', ...ANNOTATIONS]);

/** A schema of a contract, and its path there. */
type Placed = readonly [joiner: Joiner, schema: Schema, path: Path];

/**
 * Writes each `allOf` of two schemas that are compared as one schema, in place, unless one of them cannot be, or both consist of the same;
 * true if it did, which other comparisons of either see.
 */
export function writeAsOne(...both: [base: Placed, revised: Placed]): boolean {
  const [before, now] = both.map(([, schema]) => outlineOf(schema));
  if (isDeepStrictEqual(before, now)) return false;
  const combined = both.filter(([, schema]) => schema.allOf !== undefined);
  const ones = combined.flatMap(([joiner, schema, path]) => joiner.join(schema, path) ?? []);
  if (ones.length < combined.length) return false;
  for (const [index, [, schema]] of combined.entries()) {
    delete schema.allOf;
    Object.assign(schema, ones[index]);
  }
  return combined.length > 0;
}

/** What a schema itself names: of the same parts, each is compared with itself, and a change has its place there. */
function outlineOf({ $ref, properties = {}, allOf = [] }: Schema): unknown[] {
  return [$ref, Object.keys(properties), allOf.filter(isSchema).map(outlineOf)];
}

/** Joins the schemas of a contract. */
export class Joiner {
  private readonly known = new Map<Schema, Schema | undefined>();

  constructor(private readonly contract: Comparable) {}

  /** The one schema for an `allOf` at a path; undefined where it would not be the same, or where the `allOf` itself is referred to. */
  join(schema: Schema, path: Path): Schema | undefined {
    const isComponent = path.length === 3 && path[1] === 'schemas';
    // A schema that stands for another one has its name, which may be sent.
    if (!isComponent && referenceOf(schema) !== undefined) return undefined;
    return this.contract.isReferredTo([...path, 'allOf']) ? undefined : this.asOne(schema);
  }

  private asOne(schema: unknown): Schema | undefined {
    if (!isSchema(schema)) return undefined;
    if (this.known.has(schema)) return this.known.get(schema);
    this.known.set(schema, undefined); // until it is known: it may contain itself
    const { $ref, allOf = [], ...own } = schema;
    const target = $ref === undefined ? [] : [lookUp(this.contract.document, pathOf($ref))];
    const parts = [own, ...[...target, ...allOf].map((each) => this.asOne(each))];
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
    Object.keys(other).every((key) => JOINED.has(key)) &&
    isSame(one.type, other.type) &&
    isSame(one.default, other.default) &&
    both.every(([name, property]) => isSame(properties[name], property));
  if (!isOne) return undefined;
  return {
    ...other,
    ...one,
    ...((one.properties ?? other.properties) && { properties: { ...other.properties, ...properties } }),
    ...((one.required ?? other.required) && { required: [...new Set([...required, ...(other.required ?? [])])] }),
  };
}
