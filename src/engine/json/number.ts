/** Reads and compares JSON numbers without rounding (RFC 8259 section 6). */

/**
 * A number that its double misrepresents: an integer beyond ±(2^53 - 1), or a fraction whose double is an integer or infinite. It is kept
 * as it was written until validation has found its type in the contract.
 *
 * @example
 * const { value } = parseJson('9007199254740993');
 * const id = value instanceof ExactNumber ? toInt64(value) : undefined; // 9007199254740993n
 */
export class ExactNumber {
  constructor(readonly text: string) {}

  /** The nearest double, which handlers get for the type `number`. */
  get double(): number {
    return Number(this.text);
  }
}

export type ReadNumber = number | bigint | ExactNumber;

export function isNumber(value: unknown): value is ReadNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber;
}

const PLAIN_INTEGER = /^-?[0-9]{1,15}$/;
const DIGITS = /^-?[0-9]{1,20}$/;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The value of a text in JSON's grammar of numbers. Takes time linear in its length, whatever its exponent. */
export function readNumber(text: string): number | ExactNumber {
  const double = Number(text);
  const faithful = Number.isInteger(double)
    ? PLAIN_INTEGER.test(text) || (Number.isSafeInteger(double) && isInteger(new ExactNumber(text)))
    : Number.isFinite(double);
  return faithful ? double : new ExactNumber(text);
}

/** True for the text of a JSON number: parameters have the same grammar as bodies. */
function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/** A text as a value of one of these types; the text itself if it cannot be one. */
export function readText(text: string, types: readonly string[]): unknown {
  if (types.includes('string')) return text;
  if ((types.includes('integer') || types.includes('number')) && isNumberText(text)) return readNumber(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.includes('null') && text === '' ? null : text;
}

/** True for a number without a fraction: `1.0` and `1e3` are integers, as JSON Schema defines it. */
export function isInteger(number: ReadNumber): boolean {
  if (typeof number === 'bigint') return true;
  if (typeof number === 'number') return Number.isInteger(number);
  if (DIGITS.test(number.text)) return true;
  const { digits, exponent } = decimal(number.text);
  return digits === '' || exponent >= 0;
}

/** The number as a bigint; undefined if it is no integer, or has more than 20 digits, which is beyond 64 bits. */
export function toBigInt(number: ReadNumber): bigint | undefined {
  if (!isInteger(number)) return undefined;
  if (!(number instanceof ExactNumber)) return BigInt(number);
  if (DIGITS.test(number.text)) return BigInt(number.text); // the usual spelling
  const { sign, digits, exponent } = decimal(number.text);
  if (digits.length + exponent > 20) return undefined; // before a large exponent makes a large bigint
  return BigInt(sign + digits + '0'.repeat(exponent)); // not zero: its double is exact
}

/**
 * The number as an int64; undefined if it is not one.
 *
 * @example
 * toInt64(new ExactNumber('9223372036854775807')); // 9223372036854775807n
 * toInt64(1.5); // undefined
 */
export function toInt64(number: ReadNumber): bigint | undefined {
  const exact = toBigInt(number);
  return exact !== undefined && BigInt.asIntN(64, exact) === exact ? exact : undefined;
}

/** Less than, equal to or greater than 0, as `one` is less than, equal to or greater than `other`. */
export function compareNumbers(one: ReadNumber, other: ReadNumber): number {
  const [a, b] = [asSent(one), asSent(other)];
  // JavaScript compares a bigint with a number exactly.
  if (!(a instanceof ExactNumber) && !(b instanceof ExactNumber)) return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [decimal(textOf(a)), decimal(textOf(b))];
  if (left.sign !== right.sign || left.digits === '' || right.digits === '') return signOf(left) - signOf(right);
  const magnitude = left.digits.length + left.exponent - (right.digits.length + right.exponent);
  const difference = magnitude || (left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0);
  return left.sign === '-' ? 0 - difference : difference;
}

/** True if the number is a multiple of the divisor; both are compared as decimals, as they are written. */
export function isMultipleOf(number: ReadNumber, divisor: number | bigint): boolean {
  const [dividend, by] = [decimal(textOf(number)), decimal(textOf(divisor))];
  if (dividend.digits === '') return true;
  const zeros = dividend.exponent - by.exponent;
  // The digits do not end with a zero: a number with more decimal places than the divisor is no multiple. No double has 700 zeros.
  if (zeros < 0 || zeros > 700) return false;
  const divides = BigInt(by.digits);
  let rest = 0n;
  // In parts, as a long division is done: the time to read a bigint is not linear in its digits.
  for (const part of (dividend.digits + '0'.repeat(zeros)).match(/.{1,15}/g) ?? [])
    rest = (rest * 10n ** BigInt(part.length) + BigInt(part)) % divides;
  return rest === 0n;
}

/** A canonical text: the same for all spellings of a number. */
export function canonicalNumber(number: ReadNumber): string {
  if (typeof number === 'number' && Number.isSafeInteger(number) && number % 10 !== 0) return `${number}e0`;
  const { sign, digits, exponent } = decimal(textOf(number));
  return digits === '' ? '0' : `${sign}${digits}e${exponent}`;
}

/** `sign` times `digits` times ten to the `exponent`. The digits neither begin nor end with a zero; the number zero has none. */
interface Decimal {
  sign: '' | '-';
  digits: string;
  exponent: number;
}

function decimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first++;
  let end = all.length;
  while (end > first && all[end - 1] === '0') end--;
  return { sign, digits: all.slice(first, end), exponent: Number(exponent) - fraction.length + (all.length - end) };
}

/** A double beyond 2^53 as the number that its text is: JSON writes -(2^63), which is an int64, as -9223372036854776000, which is none. */
export function asSent(number: ReadNumber): ReadNumber {
  const isRounded = Number.isInteger(number) && !Number.isSafeInteger(number);
  return isRounded ? new ExactNumber(textOf(number)) : number;
}

function textOf(number: ReadNumber): string {
  return number instanceof ExactNumber ? number.text : String(number);
}

function signOf({ sign, digits }: Decimal): number {
  return digits === '' ? 0 : sign === '-' ? -1 : 1;
}
