/**
 * How deep the smallest value of a schema is nested, by which values of schemas that contain themselves find an end. What stands in
 * a value is asked for a smaller height each time, and each schema once for each height.
 */
import { type Document, isSchema, type Schema } from '../../engine/reading';
import { flatten } from './flatten';
import { numberIn } from './numbers';
import { stringsOf } from './strings';
import { listedIn, typesIn } from './types';

/** Values that are nested deeper are not made. */
const HEIGHT_MAX = 16;

/** By alternative, the least height at which it is known to have a value, and the greatest at which it is known to have none. */
const known = new WeakMap<Schema, { has: number; lacks: number }>();

/** The least height of a value of one of the alternatives of `flatten`; undefined if there is none. */
export function heightOf(document: Document, flat: Schema): number | undefined {
  for (let height = 0; height <= HEIGHT_MAX; height++) if (hasValue(document, flat, height)) return height;
  return undefined;
}

function hasValue(document: Document, flat: Schema, height: number): boolean {
  const { has, lacks } = known.get(flat) ?? { has: Infinity, lacks: -1 };
  if (height >= has) return true;
  if (height <= lacks) return false;
  const found = isMade(document, flat, height);
  known.set(flat, found ? { has: height, lacks } : { has, lacks: height });
  return found;
}

function isMade(document: Document, flat: Schema, height: number): boolean {
  const within = (schema: unknown): boolean =>
    height > 0 && flatten(document, schema).some((each) => hasValue(document, each, height - 1));
  const listed = listedIn(flat);
  if (listed) return listed.length > 0;
  const types = typesIn(flat) ?? [];
  return types.length === 0 || types.some((type) => ofType(type, flat, within));
}

function ofType(type: string, flat: Schema, within: (schema: unknown) => boolean): boolean {
  if (type === 'string') return stringsOf(flat) !== undefined;
  if (type === 'array') {
    const { prefixItems = [], contains, items, unevaluatedItems } = flat;
    const isEmpty = (numberIn(flat, 'minItems') ?? 0) <= prefixItems.length && contains === undefined;
    return prefixItems.every(within) && (isEmpty || within(items ?? unevaluatedItems ?? true));
  }
  if (type !== 'object') return true;
  const { required = [], properties = {}, additionalProperties } = flat;
  return required.every((name) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return isSchema(property) ? within(property) : property !== false;
  });
}
