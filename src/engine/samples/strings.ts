/** Strings of a schema: by its pattern, its format or its length. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../contract/document';
import { fitting, text } from './arbitraries';
import { numberIn } from './numbers';

/** Longer ones would be refused for the size of the body. */
const LENGTH_MAX = 10_000;

export function stringsOf(schema: Schema): Arbitrary<string> | undefined {
  const { format } = schema;
  const [least, greatest] = lengthsOf(schema);
  const pattern = patternOf(schema);
  if (isFile(schema)) return fc.string({ unit: ascii, minLength: least, maxLength: greatest ?? least + 12 });
  if (pattern) return ofPattern(pattern, (string) => hasLength(string, least, greatest));
  if (format !== undefined) return Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const ofLength = fc.string({ unit: character, minLength: least, maxLength: greatest ?? least + 12 });
  return least === 0 && greatest === undefined ? fc.oneof(text, ofLength) : ofLength;
}

/** Strings at the edges of what the schema allows, and beyond. */
export function notableStrings(schema: Schema): string[] {
  const [least, greatest = 0] = lengthsOf(schema);
  const lengths = [least - 1, least, greatest, greatest + 1].filter((length) => length >= 0 && length <= LENGTH_MAX);
  const nearMisses = schema.pattern === undefined ? [] : fc.sample(stringsOf(schema) ?? text, { seed: 0, numRuns: 1 });
  return [
    ...['', 'Ⅻ 植物 نبات \u{1F331} e\u0301', '__proto__'],
    ...lengths.flatMap((length) => ['x'.repeat(length), '\u{1F331}'.repeat(length)]),
    ...nearMisses.flatMap((string) => INTRUDERS.map((character) => character + string)),
    ...(schema.format === undefined ? [] : ['neither this nor that', '%']),
  ];
}

/** Put before a string that matches a pattern. */
const INTRUDERS = ['\u0000', ' ', '\n', 'A', 'z', '0', '-', '/', '\u{1F331}'];

const moment = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** For any other format, a schema needs `examples`. */
const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  date: moment.map((date) => date.slice(0, 10)),
  'date-time': moment,
  time: moment.map((date) => date.slice(11)),
  email: fc.emailAddress(),
  uuid: fc.uuid(),
  uri: fc.webUrl(),
  hostname: fc.domain(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  byte: fc.base64String({ maxLength: 12 }),
};

/** Code points; the unit `binary` of fast-check takes most of a second to be ready. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** Of which a byte is a character. */
const ascii = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));

/** Whether a string stands for bytes: `format: binary`, or a media type without an encoding as text (OpenAPI 3.1). */
export function isFile({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

function ofPattern(pattern: RegExp, hasLength: (string: string) => boolean): Arbitrary<string> | undefined {
  const fits = (string: string): boolean => string.isWellFormed() && pattern.test(string) && hasLength(string);
  const typical = fitting(text, fits);
  try {
    const matching = fitting(fc.stringMatching(pattern), fits);
    return matching && typical ? fc.oneof(matching, typical) : (matching ?? typical);
  } catch {
    return typical; // a construct that fast-check does not support
  }
}

function hasLength(string: string, least: number, greatest = Infinity): boolean {
  const { length } = Array.from(string);
  return length >= least && length <= greatest;
}

/** In code points, as JSON Schema counts. */
function lengthsOf(schema: Schema): [least: number, greatest: number | undefined] {
  return [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength')];
}

function patternOf({ pattern }: Schema): RegExp | undefined {
  return pattern === undefined ? undefined : new RegExp(pattern, 'u');
}
