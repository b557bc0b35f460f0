/** JSON as the tools read and write it. A number is kept as its text, because a double would round large integers. */
export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export class JsonNumber {
  readonly text: string;

  /** From a number, or from its spelling, such as `1.0`. */
  constructor(source: string | number | bigint) {
    this.text = String(source);
  }

  /** The exact value of an integer in any spelling (`1.0` and `1e3` are integers); undefined for a fraction. */
  get integer(): bigint | undefined {
    const { digits, scale } = this.ratio;
    return digits % scale === 0n ? digits / scale : undefined;
  }

  /** The text as parameters and forms have it, which readers need not take for JSON: 5 of `5.0` and `5e0`. */
  get plain(): string {
    const whole = /[.e]/i.test(this.text) ? String(this.integer ?? '') : '';
    return whole === '' || whole.length > DIGITS_MAX ? this.text : whole;
  }

  /** The number without its fraction: -1 of -1.5. */
  get truncated(): bigint {
    const { digits, scale } = this.ratio;
    return digits / scale;
  }

  private get ratio(): { digits: bigint; scale: bigint } {
    const [mantissa = '', exponent = '0'] = this.text.toLowerCase().split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    const digits = BigInt(whole + fraction);
    // Cap the exponent: `1e1000000000` is not to be written out.
    const shift = Math.max(-EXPONENT_MAX, Math.min(Number(exponent) - fraction.length, EXPONENT_MAX));
    const scale = 10n ** BigInt(Math.abs(shift));
    return shift >= 0 ? { digits: digits * scale, scale: 1n } : { digits, scale };
  }
}

const EXPONENT_MAX = 400;
/** The most characters of an integer that is written without an exponent. */
const DIGITS_MAX = 21;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** Converts what a YAML parser returns. */
export function fromYaml(value: unknown): Json {
  if (Array.isArray(value)) return value.map(fromYaml);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromYaml(member)]));
  if (typeof value === 'number' || typeof value === 'bigint') return new JsonNumber(value);
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

export function writeJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses a JSON text exactly; throws a SyntaxError if it is not one. Independent of the server's own parser: JSON.parse reads
 * a copy of the text in which every number is a string with the prefix `n`, and every other string has the prefix `s`.
 */
export function readJson(text: string): Json {
  JSON.parse(text);
  const marked = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  return unmarked(JSON.parse(marked));
}

function unmarked(value: unknown): Json {
  if (typeof value === 'string') return value.startsWith('s') ? value.slice(1) : new JsonNumber(value.slice(1));
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.slice(1), unmarked(each)]));
  return typeof value === 'boolean' ? value : null;
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** True for a JSON text in which an object has a name twice: some readers take the first, others the last. */
export function hasDoubledName(text: string): boolean {
  const value = jsonIn(text);
  return value !== undefined && countNames(text) > countNames(writeJson(value));
}

function countNames(text: string): number {
  return (text.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []).filter((token) => token.endsWith(':')).length;
}

/** Every integer in a value, at any depth. */
export function integersIn(value: Json): bigint[] {
  if (value instanceof JsonNumber) return value.integer === undefined ? [] : [value.integer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(integersIn) : [];
}
