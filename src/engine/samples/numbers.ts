/** Numbers of a schema: integers exactly, and others as far as doubles go. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../contract/document';
import { JsonNumber } from './json';

/** A keyword whose value is a number. */
export function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

/** Without a format they stay within what a double holds exactly. */
export function integersOf(schema: Schema): Arbitrary<JsonNumber> | undefined {
  const [low, high] = LIMITS[schema.format ?? ''] ?? [-SAFE, SAFE];
  const { minimum, maximum, multiple } = rangeOf(schema);
  const least = larger(low, minimum === undefined ? low : BigInt(Math.ceil(minimum)));
  const greatest = -larger(-high, maximum === undefined ? -high : -BigInt(Math.floor(maximum)));
  const step = multiple !== undefined && Number.isInteger(multiple) ? BigInt(multiple) : 1n;
  const [min, max] = [-floorOf(-least, step), floorOf(greatest, step)];
  return min > max ? undefined : fc.bigInt({ min, max }).map((times) => new JsonNumber(times * step));
}

export function doublesOf(schema: Schema): Arbitrary<JsonNumber> | undefined {
  const { minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE, multiple } = rangeOf(schema);
  if (minimum > maximum) return undefined;
  if (multiple === undefined)
    return fc.double({ noNaN: true, min: minimum, max: maximum }).map((value) => new JsonNumber(value));
  const min = Math.ceil(Math.max(minimum / multiple, -1e6));
  const max = Math.floor(Math.min(maximum / multiple, 1e6));
  return min > max ? undefined : fc.integer({ min, max }).map((times) => new JsonNumber(times * multiple));
}

/** Numbers at the edges of what the schema allows and beyond, and integers in other spellings. */
export function notableNumbers(schema: Schema): JsonNumber[] {
  const limits = LIMITS[schema.format ?? ''];
  const { multiple } = rangeOf(schema);
  const bounds = BOUNDS.map((keyword) => numberIn(schema, keyword)).filter((bound) => bound !== undefined);
  return [
    ...[0, '-0', '5.0', '5e0', '0.5', '5.00000000000000000001'],
    ...bounds.flatMap((bound): (number | bigint)[] =>
      Number.isSafeInteger(bound) ? neighbours(BigInt(bound)) : [bound - Math.abs(bound), bound + Math.abs(bound)],
    ),
    ...(limits ? [...limits.flatMap(neighbours), '1e300', '-1e300'] : []),
    ...(schema.format === 'int64' ? [UNEVEN, -UNEVEN, `${UNEVEN}.0`, `${UNEVEN}.5`] : []),
    ...(Number.isSafeInteger(multiple) ? neighbours(BigInt(multiple ?? 0)) : []),
  ].map((source) => new JsonNumber(source));
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** An integer that no double is equal to. */
const UNEVEN = 2n ** 53n + 1n;
const LIMITS: Readonly<Record<string, [least: bigint, greatest: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};
const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'];

interface Range {
  minimum: number | undefined;
  maximum: number | undefined;
  multiple: number | undefined;
}

/** Exclusive bounds are taken for inclusive: what is generated of them the oracle refuses. */
function rangeOf(schema: Schema): Range {
  const [minimum, above, maximum, below] = BOUNDS.map((keyword) => numberIn(schema, keyword));
  return {
    minimum: minimum === undefined ? above : Math.max(minimum, above ?? minimum),
    maximum: maximum === undefined ? below : Math.min(maximum, below ?? maximum),
    multiple: numberIn(schema, 'multipleOf'),
  };
}

function neighbours(value: bigint): bigint[] {
  return [value - 1n, value, value + 1n];
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Division that rounds down. */
function floorOf(value: bigint, by: bigint): bigint {
  return (value - (((value % by) + by) % by)) / by;
}
