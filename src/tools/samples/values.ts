/**
 * Values of a schema. If it combines others they are only likely to fit, and what only restricts (`not`,
 * `dependentRequired`) is left out: whoever sends a value asks the oracle first. Nothing is made before it is needed, and how much a
 * value may hold is divided among its parts, so that a schema of any size, or one that contains itself, has values of some size.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Annotation, Document, Schema } from '../../engine/reading';
import { anything, later } from './arbitraries';
import { arraysOf, objectsOf } from './containers';
import { flatten } from './flatten';
import { HEIGHT_MAX, heightOf, isMakeable } from './heights';
import { fromYaml, type Json } from './json';
import type { Extent, Making, Room } from './making';
import { doublesOf, integersOf } from './numbers';
import { stringsOf } from './strings';
import { listedIn, typesIn } from './types';

const ROOM: Room = { size: 150, depth: 6 };
/** The most values of an enumeration that are made: a function takes no more arguments than its stack holds. */
const LISTED_MAX = 10_000;

/** Undefined if no value can be made. */
export function valuesOf(
  document: Document,
  schema: unknown,
  extent: Extent = 'any',
  without?: Annotation,
): Arbitrary<Json> | undefined {
  return make({ document, extent, without }, schema, ROOM);
}

/** Full values as a person might write them; `examplesOf` gives those of the contract for each schema. */
export function plausibleValuesOf(
  document: Document,
  schema: unknown,
  examplesOf: (schema: Schema) => readonly Json[],
  without?: Annotation,
): Arbitrary<Json> | undefined {
  return make({ document, extent: 'full', without, examplesOf }, schema, ROOM);
}

function make(making: Making, schema: unknown, room: Room): Arbitrary<Json> | undefined {
  const { document, examplesOf } = making;
  // A null that answers never have may have been the only end.
  if (room.depth < -HEIGHT_MAX) return undefined;
  const given = examplesOf && typeof schema === 'object' && schema !== null ? examplesOf(schema as Schema) : [];
  if (given.length > 0) return fc.constantFrom(...given);
  const { without } = making;
  // A null that is accepted in requests alone.
  const all = flatten(document, schema).filter((flat) => !(without && flat[without] === true && isNull(flat)));
  // Of a choice, the branches that may be sent; a schema that is annotated as a whole may be that of items.
  const sent = all.filter((flat) => !(without && flat[without] === true));
  const flats = sent.length > 0 ? sent : all;
  const heights = flats.map((flat) => heightOf(document, flat) ?? Infinity);
  // Without room for more, the smallest.
  const heightMax = room.size > 0 && room.depth >= 0 ? Number.MAX_VALUE : Math.min(...heights, Number.MAX_VALUE);
  let fitting = flats.filter((_flat, index) => (heights[index] ?? Infinity) <= heightMax);
  const notNull = fitting.filter((flat) => !isNull(flat));
  if (examplesOf && notNull.length > 0) fitting = notNull;
  if (fitting.length === 0) return undefined;
  return fc.oneof(...fitting.map((flat) => later(() => valuesOfFlat(making, flat, room))));
}

function isNull(flat: Schema): boolean {
  return listedIn(flat)?.every((each) => each === null) ?? flat.type === 'null';
}

function valuesOfFlat(making: Making, flat: Schema, room: Room): Arbitrary<Json> {
  const listed = listedIn(flat);
  if (listed) return fc.constantFrom(...listed.slice(0, LISTED_MAX));
  const types = typesIn(flat);
  if (!types) return making.examplesOf ? (stringsOf({}, true) ?? anything) : anything;
  const shown = making.examplesOf && types.length > 1 ? types.filter((type) => type !== 'null') : types;
  const makeable = shown.filter((type) => isMakeable(making.document, flat, type));
  const made = makeable.flatMap((type) => valuesOfType(type, flat, making, room) ?? []);
  if (made.length > 0) return fc.oneof(...made);
  const { examples } = flat;
  return Array.isArray(examples) && examples.length > 0
    ? fc.constantFrom(...examples.map(fromYaml))
    : fc.constant(null);
}

function valuesOfType(type: string, flat: Schema, making: Making, room: Room): Arbitrary<Json> | undefined {
  const isPlausible = making.examplesOf !== undefined;
  const inner = (schema: unknown, share: Room): Arbitrary<Json> | undefined => make(making, schema, share);
  switch (type) {
    case 'string':
      return stringsOf(flat, isPlausible);
    case 'integer':
      return integersOf(flat, isPlausible);
    case 'number':
      return doublesOf(flat, isPlausible);
    case 'boolean':
      return fc.boolean();
    case 'object':
      return objectsOf(flat, inner, making, room);
    case 'array':
      return arraysOf(flat, inner, making, room);
    default:
      return fc.constant(null);
  }
}
