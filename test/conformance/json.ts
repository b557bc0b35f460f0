/** JSON as this suite writes and reads it: integers of any size are exact, and a number may be spelled in any way. */
export type Json = null | boolean | number | bigint | string | NumberText | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A number by its spelling, such as `1.0`, or one that no double is equal to. */
export class NumberText {
  constructor(readonly text: string) {}
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** What YAML gave, which knows no values but these. */
export function fromYaml(value: unknown): Json {
  if (Array.isArray(value)) return value.map(fromYaml);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromYaml(member)]));
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return null;
}

export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * What a JSON text says, exactly. Throws where it says nothing. The server's own reader of JSON has no part in it: the
 * runtime's reads a copy of the text in which every number is a string, marked `n`, and every string and key is marked `s`.
 */
export function readJson(text: string): Json {
  JSON.parse(text);
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  return unmarked(JSON.parse(marked));
}

function unmarked(value: unknown): Json {
  if (typeof value === 'string') {
    const token = value.slice(1);
    return value.startsWith('s') ? token : (integerOf(token) ?? new NumberText(token));
  }
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.slice(1), unmarked(member)]));
  return typeof value === 'boolean' ? value : null;
}

/** A value as Ajv is to see it, which knows numbers as doubles only. */
export function forAjv(value: Json): unknown {
  if (typeof value === 'bigint') return standIn(Number(value), value);
  if (value instanceof NumberText) return standIn(Number(value.text), integerOf(value.text));
  if (Array.isArray(value)) return value.map(forAjv);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, forAjv(each)]));
  return value;
}

/** Every integer in a value, at any depth. */
export function integersIn(value: Json): bigint[] {
  if (typeof value === 'bigint') return [value];
  if (value instanceof NumberText) return [integerOf(value.text) ?? []].flat();
  if (Array.isArray(value)) return value.flatMap(integersIn);
  return isObject(value) ? Object.values(value).flatMap(integersIn) : [];
}

/** Longer exponents than any bound of a contract are cut, lest `1e1000000` is written out. */
const EXPONENT_MAX = 400;

/** The integer that a JSON number denotes, exactly; undefined for a fraction. */
export function integerOf(source: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt((whole + fraction).replace('-', ''));
  const negative = mantissa.startsWith('-');
  const shift = Math.min(Number(exponent) - fraction.length, EXPONENT_MAX);
  if (digits === 0n) return 0n;
  if (shift < -EXPONENT_MAX) return undefined;
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const magnitude = shift < 0 ? digits / scale : digits * scale;
  return negative ? -magnitude : magnitude;
}

const TWO_63 = 2 ** 63;

/** A double on the same side of int64's limits as the number, and a fraction where that is one. */
function standIn(double: number, integer: bigint | undefined): number {
  if (integer === undefined) return Number.isInteger(double) ? 0.5 : double;
  if (double === TWO_63 && integer < 2n ** 63n) return TWO_63 - 1024;
  if (double === -TWO_63 && integer < -(2n ** 63n)) return -TWO_63 - 2048;
  return Math.max(-Number.MAX_VALUE, Math.min(double, Number.MAX_VALUE));
}
