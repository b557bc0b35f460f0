/** Numbers of a schema: integers exactly, and others as far as doubles go. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../engine/reading';
import { JsonNumber } from './json';

/** A keyword whose value is a number. */
export function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

/** Without a format they stay within what a double holds exactly; plausible ones are small, if they may be. */
export function integersOf(schema: Schema, isPlausible = false): Arbitrary<JsonNumber> | undefined {
  const [low, high] = limitsOf(schema) ?? [-SAFE, SAFE];
  const { minimum, above, maximum, below, multiple } = rangeOf(schema);
  const least = [Math.ceil(minimum), Math.floor(above) + 1].filter(Number.isFinite).map(BigInt).reduce(larger, low);
  const most = [Math.floor(maximum), Math.ceil(below) - 1].filter(Number.isFinite).map(BigInt).reduce(smaller, high);
  const step = multiple !== undefined && Number.isInteger(multiple) && multiple !== 0 ? BigInt(multiple) : 1n;
  const [min, max] = [-floorOf(-least, step), floorOf(most, step)];
  if (min > max) return undefined;
  const range = isPlausible ? windowOf(min, max) : { min, max };
  return fc.bigInt(range).map((times) => new JsonNumber(times * step));
}

/** False for an integer that a reader of the schema may not hold exactly: without a format, one beyond what a double does. */
export function isInReach(schema: Schema, { integer }: JsonNumber): boolean {
  const [low, high] = limitsOf(schema) ?? [-SAFE, SAFE];
  return integer === undefined || (low <= integer && integer <= high);
}

/** The part of the range from 1 on, or the nearest to that. */
function windowOf(least: bigint, greatest: bigint): { min: bigint; max: bigint } {
  const min = smaller(larger(1n, least), greatest);
  return { min, max: smaller(min + PLAUSIBLE, greatest) };
}

export function doublesOf(schema: Schema, isPlausible = false): Arbitrary<JsonNumber> | undefined {
  if (limitsOf(schema)) return integersOf(schema, isPlausible);
  const { minimum, above, maximum, below, multiple } = rangeOf(schema);
  const least = Math.max(minimum, above, -Number.MAX_VALUE);
  const greatest = Math.min(maximum, below, Number.MAX_VALUE);
  if (least > greatest) return undefined;
  const step = multiple ?? (isPlausible && greatest - least > 1 ? 0.25 : undefined);
  if (step === undefined || step === 0) {
    const excluded = {
      minExcluded: above === least && above < greatest,
      maxExcluded: below === greatest && least < below,
    };
    return fc.double({ noNaN: true, min: least, max: greatest, ...excluded }).map((value) => new JsonNumber(value));
  }
  const min = Math.ceil(Math.max(least / step, -1e6)) + (above === least && Number.isInteger(least / step) ? 1 : 0);
  const max =
    Math.floor(Math.min(greatest / step, 1e6)) - (below === greatest && Number.isInteger(greatest / step) ? 1 : 0);
  if (min > max) return undefined;
  const range = isPlausible ? windowOf(BigInt(min), BigInt(max)) : { min: BigInt(min), max: BigInt(max) };
  // 0.3 of 3 times 0.1, which is 0.30000000000000004 in doubles.
  return fc.bigInt(range).map((times) => new JsonNumber(Number((Number(times) * step).toPrecision(15))));
}

/** Numbers at the edges of what the schema allows and beyond, those that are nearest to a bound first; and integers in other spellings. */
export function notableNumbers(schema: Schema): JsonNumber[] {
  const limits = LIMITS[schema.format ?? ''];
  const { multiple } = rangeOf(schema);
  const bounds = BOUNDS.map((keyword) => numberIn(schema, keyword)).filter((bound) => bound !== undefined);
  const isFraction = [schema.type].flat().includes('number') && limitsOf(schema) === undefined;
  return [
    ...bounds.flatMap((bound) => [bound, ...(isFraction ? beside(bound) : [])]),
    ...bounds.filter(Number.isSafeInteger).flatMap((bound) => neighbours(BigInt(bound))),
    ...(limits ? [...limits.flatMap(neighbours), '1e300', '-1e300'] : []),
    ...(schema.format === 'int64' ? [UNEVEN, -UNEVEN, `${UNEVEN}.0`, `${UNEVEN}.5`] : []),
    ...(multiple !== undefined && Number.isSafeInteger(multiple) ? aroundMultiples(BigInt(multiple), bounds) : []),
    ...[0, '-0', '5.0', '5e0', '0.5', '1.5'],
  ]
    .map((source) => new JsonNumber(source))
    .filter((number) => multiple === undefined || isDouble(number));
}

/** The numbers next to one, of one more decimal than it has: 9.985 and 9.995 of 9.99. */
function beside(bound: number): string[] {
  const [, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(String(bound)) ?? [];
  const step = 5 * 10 ** -(decimals.length + 1);
  return [bound - step, bound + step].map((each) => each.toFixed(Math.min(decimals.length + 1, DECIMALS_MAX)));
}

/** Integers around a multiple, and multiples around the bounds: what is beside a bound is mostly none. */
function aroundMultiples(multiple: bigint, bounds: readonly number[]): bigint[] {
  const within = bounds.filter((bound) => multiple !== 0n && Number.isSafeInteger(bound));
  const beside = within.flatMap((bound) =>
    neighbours(floorOf(BigInt(bound), multiple)).map((times) => times * multiple),
  );
  return [...neighbours(multiple), ...beside];
}

/** False for a number that its double may misrepresent: multiples are judged on doubles. */
function isDouble({ text, integer }: JsonNumber): boolean {
  const double = Number(text);
  return integer === undefined ? !Number.isInteger(double) : Number.isSafeInteger(double);
}

/** The range of plausible numbers. */
const PLAUSIBLE = 999n;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** An integer that no double is equal to. */
const UNEVEN = 2n ** 53n + 1n;
const LIMITS: Readonly<Record<string, [least: bigint, greatest: bigint]>> = { int32: signed(32n), int64: signed(64n) };
/** Limits whose edges are not tried, as not every server knows these formats. */
const FURTHER_LIMITS: typeof LIMITS = {
  ...{ int8: signed(8n), int16: signed(16n) },
  ...{ uint8: unsigned(8n), uint16: unsigned(16n), uint32: unsigned(32n), uint64: unsigned(64n) },
};
/** As many as a double surely has around 1. */
const DECIMALS_MAX = 15;
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'];

/** The limits of its format, if that is one of integers. */
function limitsOf({ format = '' }: Schema): [least: bigint, greatest: bigint] | undefined {
  return LIMITS[format] ?? FURTHER_LIMITS[format];
}

/** The bounds of a schema, infinite if there are none. */
function rangeOf(schema: Schema) {
  const boundOf = (keyword: string, none: number): number => numberIn(schema, keyword) ?? none;
  return {
    minimum: boundOf('minimum', -Infinity),
    above: boundOf('exclusiveMinimum', -Infinity),
    maximum: boundOf('maximum', Infinity),
    below: boundOf('exclusiveMaximum', Infinity),
    multiple: numberIn(schema, 'multipleOf'),
  };
}

function signed(bits: bigint): [least: bigint, greatest: bigint] {
  return [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

function unsigned(bits: bigint): [least: bigint, greatest: bigint] {
  return [0n, 2n ** bits - 1n];
}

function neighbours(value: bigint): bigint[] {
  return [value - 1n, value, value + 1n];
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Division that rounds down. */
function floorOf(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
