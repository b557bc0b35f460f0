/**
 * The nesting depth of the smallest value of a schema, by which values of recursive schemas find an end. Nested schemas
 * are asked for a smaller height each time, and each schema once for each height.
 */
import { type Document, isSchema, type Schema } from '../../engine/reading';
import { flatten } from './flatten';
import { NAMES_MAX, SIZE_MAX } from './making';
import { numberIn } from './numbers';
import { leastLengthOf, stringsOf } from './strings';
import { listedIn, typesIn } from './types';

/** The maximum nesting depth of generated values. */
export const HEIGHT_MAX = 16;

/**
 * By alternative: the least height at which it is known to have a value, the size of this value, and the greatest
 * height at which it is known to have none.
 */
const known = new WeakMap<Schema, { has: number; size: number; lacks: number }>();

/**
 * The least height of a value of one of the alternatives of `flatten`; undefined if there is none, or none of at most
 * `SIZE_MAX`.
 */
export function heightOf(document: Document, flat: Schema): number | undefined {
  for (let height = 0; height <= HEIGHT_MAX; height++) if (sizeAt(document, flat, height) <= SIZE_MAX) return height;
  return undefined;
}

/** True if a value of the type can be made. */
export function isMakeable(document: Document, flat: Schema, type: string): boolean {
  return sizeOf(type, flat, sizeWithin(document, HEIGHT_MAX)) <= SIZE_MAX;
}

/** The least number of parts and characters of a value of this height; infinite if there is none. */
function sizeAt(document: Document, flat: Schema, height: number): number {
  const { has, size, lacks } = known.get(flat) ?? { has: Infinity, size: Infinity, lacks: -1 };
  if (height >= has) return size;
  if (height <= lacks) return Infinity;
  const found = sizeOfAny(flat, sizeWithin(document, height));
  known.set(flat, found <= SIZE_MAX ? { has: height, size: found, lacks } : { has, size, lacks: height });
  return found;
}

type SizeWithin = (schema: unknown) => number;

/** The size of nested values. Any alternative may be taken: the size is that of the largest one that can be made. */
function sizeWithin(document: Document, height: number): SizeWithin {
  return (schema) =>
    height > 0 ? largest(flatten(document, schema).map((each) => sizeAt(document, each, height - 1))) : Infinity;
}

function sizeOfAny(flat: Schema, within: SizeWithin): number {
  const listed = listedIn(flat);
  if (listed) return listed.length > 0 ? 1 : Infinity;
  const types = typesIn(flat) ?? [];
  return types.length === 0 ? 1 : largest(types.map((type) => sizeOf(type, flat, within)));
}

/** The largest size that can be made; infinite if there is none. */
function largest(sizes: readonly number[]): number {
  const made = sizes.filter((size) => size <= SIZE_MAX);
  return made.length > 0 ? Math.max(...made) : Infinity;
}

/** The keywords for the least and the most of a type. */
const BOUNDS: Readonly<Record<string, [least: string, most: string]>> = {
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
};

function sizeOf(type: string, flat: Schema, within: SizeWithin): number {
  const [least, most] = (BOUNDS[type] ?? []).map((keyword) => numberIn(flat, keyword));
  if (least !== undefined && most !== undefined && least > most) return Infinity;
  if (type === 'string') return stringsOf(flat) === undefined ? Infinity : 1 + leastLengthOf(flat);
  if (type === 'array') {
    const { prefixItems = [], contains, items, unevaluatedItems } = flat;
    const least = Math.max(numberIn(flat, 'minItems') ?? 0, contains === undefined ? 0 : 1);
    const others = Math.max(0, least - prefixItems.length);
    const ofOthers = others === 0 ? 0 : others * within(items ?? unevaluatedItems ?? true);
    return sum([1, ofOthers, ...prefixItems.map(within)]);
  }
  if (type !== 'object') return 1;
  const { required = [], properties = {}, additionalProperties } = flat;
  const sizes = required.map((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return isSchema(property) ? within(property) : property === false ? Infinity : 1;
  });
  const others = Math.max(0, (numberIn(flat, 'minProperties') ?? 0) - required.length);
  if (others > NAMES_MAX) return Infinity;
  const ofOthers = others === 0 ? 0 : others * (isSchema(additionalProperties) ? within(additionalProperties) : 1);
  return sum([1, ofOthers, ...sizes]);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
