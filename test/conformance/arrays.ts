/** Arrays: of every length that the contract allows, and with each of their elements wrong. */
import fc, { type Arbitrary } from 'fast-check';
import { type Json, writeJson } from './json';
import { drawn, numberIn, type Sample, within } from './samples';
import type { Values } from './values';
import type { Way } from './ways';

/** Longer ones are not made. */
const LENGTH_MAX = 200;

export function validArray(way: Way, values: Values): Arbitrary<Json[]> | undefined {
  const [least, greatest = least + 3] = lengthsOf(way);
  return ofLength(way, values, least, greatest);
}

export function arrayEdges(way: Way, values: Values): Sample[] {
  const [least, greatest] = lengthsOf(way);
  const lengths: [string, number | undefined][] = [
    ['the shortest', least],
    ['the longest', greatest],
  ];
  return [
    ...lengths.flatMap(([what, length]) => (length === undefined ? [] : sampleOf(way, values, what, length))),
    ...embedded(way, values, (schema) => values.edges(schema, way.trail)),
  ];
}

export function arrayWrongs(way: Way, values: Values): Sample[] {
  const [least, greatest] = lengthsOf(way);
  const twice =
    way.schema.uniqueItems === true ? validArray(way, values)?.map((each) => [...each, ...each]) : undefined;
  return [
    ...(least > 0 ? sampleOf(way, values, 'too short', least - 1) : []),
    ...(greatest === undefined ? [] : sampleOf(way, values, 'too long', greatest + 1)),
    ...(twice ? [drawn('with an element twice', twice)] : []),
    ...embedded(way, values, (schema) => values.wrongs(schema, way.trail)),
  ];
}

function sampleOf(way: Way, values: Values, what: string, length: number): Sample[] {
  const value = length > LENGTH_MAX ? undefined : ofLength(way, values, length, length);
  return value ? [drawn(what, value)] : [];
}

/** Undefined where there are no such arrays, as where a recursive schema was gone round often enough. */
function ofLength(way: Way, values: Values, least: number, greatest: number): Arbitrary<Json[]> | undefined {
  const { prefixItems = [], uniqueItems } = way.schema;
  const first = prefixItems.slice(0, greatest).map((each) => values.valid(each, way.trail));
  const known = first.filter((each) => each !== undefined);
  if (known.length < first.length) return undefined;
  const rest = values.valid(mostlyContained(way), way.trail);
  const [minLength, maxLength] = [Math.max(0, least - first.length), greatest - first.length];
  if (!rest) return minLength > 0 ? undefined : fc.tuple(...known);
  const tail =
    uniqueItems === true
      ? fc.uniqueArray(rest, { minLength, maxLength, selector: writeJson })
      : fc.array(rest, { minLength, maxLength });
  return fc.tuple(fc.tuple(...known), tail).map(([head, more]) => [...head, ...more]);
}

function embedded(way: Way, values: Values, samplesOf: (schema: unknown) => Sample[]): Sample[] {
  const valid = validArray(way, values);
  if (!valid) return [];
  const { prefixItems = [] } = way.schema;
  return [...prefixItems, restOf(way)].flatMap((schema, index) =>
    samplesOf(schema).map((each) =>
      within(
        index,
        each,
        fc.tuple(valid, each.value).map(([array, value]) => array.toSpliced(index, 1, value)),
      ),
    ),
  );
}

/** The elements after those that have a schema each, with many of those that some have to be like. */
function mostlyContained(way: Way): unknown {
  const { contains } = way.schema;
  const rest = restOf(way) ?? true;
  return contains === undefined ? rest : { anyOf: [rest, { allOf: [rest, contains] }] };
}

function restOf({ schema: { items, unevaluatedItems } }: Way): unknown {
  return items ?? unevaluatedItems;
}

function lengthsOf({ schema }: Way): [least: number, greatest: number | undefined] {
  return [numberIn(schema, 'minItems') ?? 0, numberIn(schema, 'maxItems')];
}
