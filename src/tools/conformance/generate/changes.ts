/**
 * Changes that put a notable value in some place of a value: at or beyond a bound, of another type, missing. Whether the
 * result still fits the schema is for the oracle to say, so that one list serves for valid and for invalid values.
 */
import { type Document, isSchema, type Path, pointerOf, type Schema } from '../../../engine/reading';
import { sampled } from '../../samples/arbitraries';
import { isObject, type Json, JsonNumber, writeJson } from '../../samples/json';
import { notableNumbers, numberIn } from '../../samples/numbers';
import { notableStrings } from '../../samples/strings';
import { listedIn, typesIn } from '../../samples/types';
import { valuesOf } from '../../samples/values';
import { membersOf, type Place, placesOf } from './places';

export interface Change {
  path: Path;
  /** The new value at the path; undefined removes it. */
  value: Json | undefined;
}

/** A value of every type, and texts that a lenient reader takes for another type. */
const OF_EACH_TYPE: readonly Json[] = [
  ...[null, true, new JsonNumber(7), new JsonNumber('1.5'), 'text', '', '5', 'true', 'null'],
  ...[[], ['text'], {}, { value: new JsonNumber(1) }],
];

const ONE = new JsonNumber(1);

/** Names that few patterns of `propertyNames` allow. */
const NAMES = ['', 'Ⅻ 植物', '-1'];

/** Larger arrays and objects are not made. */
const SIZE_MAX = 200;

export function changesOf(document: Document, schema: unknown): Change[] {
  const keyOf = ({ path, value }: Change): string =>
    `${pointerOf(path)} ${value === undefined ? '' : writeJson(value)}`;
  const all = placesOf(document, schema).flatMap((place) => [
    ...OF_EACH_TYPE.map((value) => ({ path: place.path, value })),
    ...changesAt(document, place),
  ]);
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}

/** Changes that put a notable value in a place, and that remove or add a member of it. */
export function changesAt(document: Document, { path, flats }: Place): Change[] {
  return flats.flatMap((flat) => [
    ...notableValues(document, flat).map((value) => ({ path, value })),
    ...membersOf(flat).flatMap(([step, inner]) =>
      typeof step === 'string' ? [{ path: [...path, step], value: isSchema(inner) ? undefined : ONE }] : [],
    ),
  ]);
}

/** Values for the place itself. */
function notableValues(document: Document, schema: Schema): Json[] {
  const types = typesIn(schema) ?? [];
  return [
    ...(listedIn(schema) ?? []),
    ...(types.includes('string') ? notableStrings(schema) : []),
    ...(types.includes('integer') || types.includes('number') ? notableNumbers(schema) : []),
    ...(types.includes('array') ? arraySizes(document, schema) : []),
    ...(types.includes('object') ? objectSizes(document, schema) : []),
  ];
}

/** Arrays of the lengths around the bounds, and one with an element twice, which is no longer than it has to be. */
function arraySizes(document: Document, schema: Schema): Json[] {
  const isUnique = schema.uniqueItems === true;
  const lengths = aroundBounds(schema, 'minItems', 'maxItems');
  const minItems = Math.min(1, numberIn(schema, 'maxItems') ?? 1);
  const sample = lengths.length === 0 && !isUnique ? [] : sampleOf(document, { ...schema, minItems });
  return sample.flatMap((value) => {
    if (!Array.isArray(value)) return [];
    const sized = isUnique
      ? lengths.flatMap((length) => sampleOf(document, { ...schema, minItems: length, maxItems: length }))
      : lengths.map((length) => Array.from({ length }, (_, index) => value[index] ?? value.at(-1) ?? null));
    const [first = null, ...rest] = value;
    return [...sized, ...(isUnique ? [[first, first, ...rest.slice(1)]] : [])];
  });
}

/** Objects of the sizes around the bounds, with one property more than there may be, and with one of another name. */
function objectSizes(document: Document, schema: Schema): Json[] {
  const { propertyNames, additionalProperties, properties = {} } = schema;
  const sizes = aroundBounds(schema, 'minProperties', 'maxProperties');
  if (sizes.length === 0 && propertyNames === undefined) return [];
  const [other = ONE] = isSchema(additionalProperties) ? sampleOf(document, additionalProperties) : [];
  const more = Array.from({ length: Math.max(0, ...sizes) }, (_, index) => `undeclared${index}`);
  const added = [...(propertyNames === undefined ? [] : NAMES.map((name) => [name])), more];
  return [
    ...sizes.flatMap((size) => sampleOf(document, { ...schema, minProperties: size, maxProperties: size })),
    ...sampleOf(document, schema).flatMap((value) => {
      const declared = Object.entries(isObject(value) ? value : {}).filter(([name]) => Object.hasOwn(properties, name));
      return added.map((names) => Object.fromEntries([...declared, ...names.map((name) => [name, other] as const)]));
    }),
  ];
}

/** The sizes around the bounds. */
function aroundBounds(schema: Schema, ...keywords: string[]): number[] {
  return keywords
    .map((keyword) => numberIn(schema, keyword))
    .flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))
    .filter((size) => size >= 0 && size <= SIZE_MAX);
}

function sampleOf(document: Document, schema: Schema): Json[] {
  return sampled(valuesOf(document, schema, 'full'));
}

/** The value with the change made to it; undefined if it has no such place. */
export function applied(json: Json, { path: [step, ...rest], value }: Change): Json | undefined {
  if (step === undefined) return value;
  const isLast = rest.length === 0;
  if (Array.isArray(json) && typeof step === 'number' && step <= json.length) {
    const inner = isLast ? value : applied(json[step] ?? null, { path: rest, value });
    return inner === undefined ? undefined : json.toSpliced(step, 1, inner);
  }
  if (!isObject(json) || typeof step !== 'string') return undefined;
  const { [step]: member = null, ...others } = json;
  const inner = isLast ? value : applied(member, { path: rest, value });
  if (inner === undefined) return isLast ? others : undefined;
  return { ...others, [step]: inner };
}

/** The value at a path; undefined if there is none. */
export function memberAt(json: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, json);
}
