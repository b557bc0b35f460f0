/** Arbitraries that generators share. */
import fc, { type Arbitrary } from 'fast-check';
import { type Json, JsonNumber, type JsonObject, writeJson } from './json';

/** Text of any script, and names that have special meanings somewhere. */
export const text: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '"\\\u2028',
    'e\u0301',
    '\u{1F331}\u{1F3FD}',
    'null',
    '1e3',
    'access_token',
  ),
);

/** One value, the same each time, in a list; none if none can be made. */
export function sampled<T>(values: Arbitrary<T> | undefined): T[] {
  return values ? fc.sample(values, { seed: 0, numRuns: 1 }) : [];
}

const scalar: Arbitrary<Json> = fc.oneof(
  fc.constantFrom(null, true, false),
  fc.maxSafeInteger().map((value) => new JsonNumber(value)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new JsonNumber(value)),
  fc.constantFrom('1e400', '-0', '0.10000000000000000000000001').map((source) => new JsonNumber(source)),
  text,
);

export const anything: Arbitrary<Json> = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), dictionary(text, scalar));

/** Objects of these names; smaller ones if there are not as many names, for which the generator's own would search without end. */
export function dictionary(
  name: Arbitrary<string>,
  value: Arbitrary<Json>,
  minKeys = 0,
  maxKeys = minKeys + 2,
): Arbitrary<JsonObject> {
  return fc
    .array(fc.tuple(name, value), { minLength: 2 * minKeys, maxLength: 2 * maxKeys })
    .map((entries) => Object.fromEntries([...new Map(entries)].slice(0, maxKeys)));
}

/** Lists of different items; shorter ones if there are not as many. */
export function distinct(item: Arbitrary<Json>, minLength: number, maxLength: number): Arbitrary<Json[]> {
  return fc
    .array(item, { minLength: 2 * minLength, maxLength: 2 * maxLength })
    .map((items) => [...new Map(items.map((each) => [writeJson(each), each])).values()].slice(0, maxLength));
}

/** An arbitrary that is made when its first value is needed: most parts of a large schema never are. */
export function later<T>(make: () => Arbitrary<T>): Arbitrary<T> {
  let made: Arbitrary<T> | undefined;
  return fc.constant(undefined).chain(() => (made ??= make()));
}

/** Values that are tried before a filter counts as one without a match. */
const SAMPLES = 40;

/** The values that fit, a few of them if they are rare; undefined if none seems to: a filter that is rarely matched would not end. */
export function fitting<T, Fit extends T>(
  values: Arbitrary<T>,
  fits: (value: T) => value is Fit,
): Arbitrary<Fit> | undefined;
export function fitting<T>(values: Arbitrary<T>, fits: (value: T) => boolean): Arbitrary<T> | undefined;
export function fitting<T>(values: Arbitrary<T>, fits: (value: T) => boolean): Arbitrary<T> | undefined {
  // One after the other: most of the time the first one fits. Without a bias to small values, which are few among those that are made later.
  const seeds = Array.from({ length: SAMPLES }, (_, seed) => seed);
  const unbiased = fc.noBias(values);
  if (seeds.some((seed) => fc.sample(unbiased, { seed, numRuns: 1 }).some(fits))) return values.filter(fits);
  const rare = seeds.flatMap((seed) => fc.sample(values, { seed, numRuns: 1 })).filter(fits);
  return rare.length > 0 ? fc.constantFrom(...rare) : undefined;
}
