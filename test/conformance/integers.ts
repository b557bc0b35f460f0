/** Integers: of any size, at and beyond their bounds, in every spelling. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../src/contract/document';
import { type Json, NumberText } from './json';
import { drawn, type Kind, numberIn, type Sample, sample } from './samples';

/** Integers beyond these are asked for where the contract says int64; otherwise a program may keep them in a double. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** No double is equal to it. */
const ODD = 2n ** 53n + 1n;

interface Range {
  least: bigint;
  greatest: bigint;
  /** Whether the contract says so, so that what is beyond it is wrong. */
  bounded: boolean;
  step: bigint;
}

export const integers: Kind = {
  valid: (schema) => inRange(rangeOf(schema)),
  edges(schema) {
    const range = rangeOf(schema);
    const edges: [string, bigint][] = [
      ['the least', ceiling(range.least, range.step)],
      ['the greatest', floor(range.greatest, range.step)],
      ['zero', 0n],
      ['one that no double is equal to', ODD],
      ['a negative one that no double is equal to', -ODD],
    ];
    const whole = inRange(range);
    return [
      ...edges.filter(([, value]) => isIn(range, value)).map(([what, value]) => sample(what, value)),
      ...(whole ? [drawn('with a fraction or an exponent of zero', whole.chain(otherSpelling))] : []),
    ];
  },
  wrongs(schema) {
    const range = rangeOf(schema);
    const { least, greatest, bounded, step } = range;
    const whole = inRange(range);
    return [
      ...(bounded ? beyond(least, greatest) : []),
      ...(whole ? [drawn('a fraction', whole.chain(withFraction))] : []),
      ...(whole && step > 1n ? [noMultiple(whole)] : []),
    ];
  },
};

function rangeOf(schema: Schema): Range {
  const bits = schema.format === 'int64' ? 63n : schema.format === 'int32' ? 31n : undefined;
  const [minimum, above] = [numberIn(schema, 'minimum'), numberIn(schema, 'exclusiveMinimum')];
  const [maximum, below] = [numberIn(schema, 'maximum'), numberIn(schema, 'exclusiveMaximum')];
  const least = [bits ? -(2n ** bits) : -SAFE];
  const greatest = [bits ? 2n ** bits - 1n : SAFE];
  if (minimum !== undefined) least.push(BigInt(Math.ceil(minimum)));
  if (above !== undefined) least.push(BigInt(Math.floor(above)) + 1n);
  if (maximum !== undefined) greatest.push(BigInt(Math.floor(maximum)));
  if (below !== undefined) greatest.push(BigInt(Math.ceil(below)) - 1n);
  const multiple = numberIn(schema, 'multipleOf');
  return {
    least: least.reduce((a, b) => (a > b ? a : b)),
    greatest: greatest.reduce((a, b) => (a < b ? a : b)),
    bounded: bits !== undefined || least.length + greatest.length > 2,
    step: multiple !== undefined && Number.isInteger(multiple) ? BigInt(multiple) : 1n,
  };
}

function beyond(least: bigint, greatest: bigint): Sample[] {
  return [
    sample('just below the least', least - 1n),
    sample('far below the least', numberText('-1e300')),
    sample('just above the greatest', greatest + 1n),
    sample('far above the greatest', numberText('1e300')),
  ];
}

function noMultiple(multiples: Arbitrary<bigint>): Sample {
  const others = multiples.map((value) => value + 1n);
  return drawn('no multiple', others);
}

function isIn({ least, greatest, step }: Range, value: bigint): boolean {
  return value >= least && value <= greatest && value % step === 0n;
}

function inRange({ least, greatest, step }: Range): Arbitrary<bigint> | undefined {
  const [min, max] = [ceiling(least, step) / step, floor(greatest, step) / step];
  return min > max ? undefined : fc.bigInt({ min, max }).map((value) => value * step);
}

function floor(value: bigint, step: bigint): bigint {
  return value - (((value % step) + step) % step);
}

function ceiling(value: bigint, step: bigint): bigint {
  return -floor(-value, step);
}

function otherSpelling(value: bigint): Arbitrary<Json> {
  const digits = String(value).replace('-', '');
  const scientific = `${digits[0] ?? '0'}.${digits.slice(1)}0e${digits.length - 1}`;
  const sign = value < 0n ? '-' : '';
  return fc.constantFrom(`${sign}${digits}.0`, `${sign}${digits}e0`, sign + scientific).map(numberText);
}

function withFraction(value: bigint): Arbitrary<Json> {
  return fc.constantFrom(`${value}.5`, `${value}.00000000000000000001`, `${value}.1e0`).map(numberText);
}

function numberText(source: string): NumberText {
  return new NumberText(source);
}
