/**
 * Exact integers past a validator that only knows doubles: it is shown a *stand-in*, a double on the same side of every
 * bound as the number that was written. The bounds this holds for are checked at the start (`check-schemas.ts`).
 */

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The largest double below 2^63. */
const BELOW_2_63 = 2 ** 63 - 1024;
const PLAIN_INTEGER = /^-?\d{1,19}$/;
const NUMBER_TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** What is no integer, as a double that is none: its own, unless that was rounded to one, or to infinity. */
export function noInteger(source: string): number {
  const double = Number(source);
  return Number.isInteger(double) || !Number.isFinite(double) ? 0.5 : double;
}

/** Whether a text is a number as JSON writes it; parameters are held to the same grammar as bodies. */
export function isNumberText(text: string): boolean {
  return NUMBER_TEXT.test(text);
}

/**
 * The integer that a JSON number text denotes, exactly: `1e3` is 1000n, `1.0` is 1n, `-0` is 0n. A fraction, or an integer
 * of more than 19 digits, is given as a number that no int64 place accepts. Takes time linear in the text's length, whatever
 * its exponent says.
 */
export function exactInteger(source: string): bigint | number {
  if (PLAIN_INTEGER.test(source)) return BigInt(source);
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.slice(negative ? 1 : 0).split('.');
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === '0') first++;
  let end = digits.length;
  while (end > first && digits[end - 1] === '0') end--;
  if (first === end) return 0n;
  const zeros = Number(exponent) - fraction.length + (digits.length - end);
  if (zeros < 0) return noInteger(source);
  if (end - first + zeros > 19) return negative ? -Number.MAX_VALUE : Number.MAX_VALUE;
  const magnitude = BigInt(digits.slice(first, end) + '0'.repeat(zeros));
  return negative ? -magnitude : magnitude;
}

/** The double that stands in for an exact number: in the range of int64 exactly where the number is. */
export function standIn(exact: bigint | number): number {
  if (typeof exact === 'number') return exact;
  if (exact < INT64_MIN) return -Number.MAX_VALUE;
  return exact <= INT64_MAX ? Math.min(Number(exact), BELOW_2_63) : Number(exact);
}

/** A copy of an answer with every `bigint` replaced by its stand-in, to be shown to a validator. */
export function withStandIns(value: unknown): unknown {
  if (typeof value === 'bigint') return standIn(value);
  if (Array.isArray(value)) return value.map(withStandIns);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withStandIns(member)]));
}

/** The formats of the contract's numbers, for Ajv: the libraries' own let 1e300 pass as int64. */
export const numberFormats = {
  int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31 },
  int64: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63,
  },
  float: { type: 'number', validate: Number.isFinite },
  double: { type: 'number', validate: Number.isFinite },
} as const;
