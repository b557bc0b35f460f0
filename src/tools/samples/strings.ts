/** Strings of a schema: by its pattern, its format or its length. */
import fc, { type Arbitrary } from 'fast-check';
import { isFile, type Schema } from '../../engine/reading';
import { compilePattern, expressionOf } from '../../engine/tooling';
import { fitting, text } from './arbitraries';
import { depthOf, leastLength } from './least-length';
import { SIZE_MAX } from './making';
import { withoutEndlessClasses } from './negated-classes';
import { numberIn } from './numbers';

/** The maximum length: longer strings would be refused for the size of the body. */
const LENGTH_MAX = 10_000;

/** Strings of a schema; plausible ones are words, or what a person would write for the format. */
export function stringsOf(schema: Schema, isPlausible = false): Arbitrary<string> | undefined {
  const { format } = schema;
  const [least, greatest] = lengthsOf(schema);
  if (leastLengthOf(schema) > SIZE_MAX || least > (greatest ?? least)) return undefined;
  const { pattern } = schema;
  const fits = (string: string): boolean => hasLength(string, least, greatest);
  if (isFile(schema)) return fc.string({ unit: ascii, minLength: least, maxLength: greatest ?? least + 12 });
  const ofFormat = format === undefined ? undefined : formatted(format, schema, isPlausible);
  if (pattern !== undefined) {
    // Match as the engine does: the expression itself may take for ever on a text that it does not match.
    const compiled = compilePattern(pattern);
    const matches = (string: string): boolean => string.isWellFormed() && compiled.test(string) && fits(string);
    return (
      (ofFormat && fitting(ofFormat, matches)) ??
      ofPattern(pattern, isPlausible ? wordsOf(least, greatest) : text, matches)
    );
  }
  if (ofFormat) return fitting(ofFormat, fits);
  if (isPlausible) return wordsOf(least, greatest);
  const lengths = { minLength: least, maxLength: greatest ?? least + 12 };
  // Headers and cookies hold visible ASCII alone.
  const ofLength = fc.oneof(fc.string({ unit: character, ...lengths }), fc.string({ unit: visible, ...lengths }));
  return least === 0 && greatest === undefined ? fc.oneof(text, ofLength) : ofLength;
}

/** The text in another letter case, which some readers take for the same. */
export function inOtherCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

/** Strings beyond the limits that the schema sets, and at them, those that are nearest first. */
export function notableStrings(schema: Schema): string[] {
  const [least, greatest = 0] = lengthsOf(schema);
  const lengths = [least - 1, greatest + 1, least, greatest].filter((length) => length >= 0 && length <= LENGTH_MAX);
  const nearMisses = schema.pattern === undefined ? [] : fc.sample(stringsOf(schema) ?? text, { seed: 0, numRuns: 1 });
  return [
    ...lengths.flatMap((length) => ['x'.repeat(length), '\u{1F331}'.repeat(length)]),
    ...['', 'Ⅻ 植物 نبات \u{1F331} e\u0301', '__proto__'],
    ...nearMisses.flatMap((string) => INTRUDERS.map((character) => character + string)),
    ...(schema.format === undefined ? [] : ['neither this nor that', '%']),
  ];
}

/**
 * Strings that a pattern refuses though the schema allows them otherwise, close to ones that match it: with more before or behind, and in
 * another letter case. In many languages `$` matches before a line end too, and `\d` digits of all scripts, and many readers trim texts.
 */
export function nearPatternOf(schema: Schema): Record<string, string[]> {
  const { pattern } = schema;
  const matching = pattern === undefined ? undefined : stringsOf(schema);
  if (pattern === undefined || !matching) return {};
  const samples = fc.sample(matching, { seed: 0, numRuns: NEAR_SAMPLES });
  const compiled = compilePattern(pattern);
  const [least, greatest] = lengthsOf(schema);
  const missing = (change: (text: string) => string[]): string[] =>
    samples.flatMap(change).filter((text) => hasLength(text, least, greatest) && !compiled.test(text));
  return {
    'more before it': missing((text) => MORE.map((more) => more + text)),
    'more behind it': missing((text) => MORE.map((more) => text + more)),
    'a line end behind it': missing((text) => [`${text}\n`]),
    'a blank beside it': missing((text) => [` ${text}`, `${text} `]),
    'another letter case': missing((text) => [text.toUpperCase(), text.toLowerCase()]),
    'another script': missing((text) => [text.replaceAll(/\d/g, '١'), text.replaceAll(/[a-z]/gi, 'é')]),
  };
}

const NEAR_SAMPLES = 4;
const MORE = ['x', ' x', '!', '\u{1F331}'];

/** Characters to put before a string that matches a pattern. */
const INTRUDERS = ['\u0000', ' ', '\n', 'A', 'z', '0', '-', '/', '\u{1F331}'];

const moment = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Characters of a path. */
const SEGMENT = Array.from('azAZ09-._~!$&()*+,;=:@');
const segment = fc.string({ unit: fc.constantFrom(...SEGMENT, '%20', '%C3%A9', '%25'), maxLength: 8 });

/** Addresses as `fc.webUrl` makes them, which takes a second to be ready: it lists all of Unicode. */
const address = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(segment, { maxLength: 4 }))
  .map(([scheme, host, path]) => `${scheme}://${host}${path.map((each) => `/${each}`).join('')}`);

const oneOf = (...texts: string[]): Arbitrary<string> => fc.constantFrom(...texts);

/** Most addresses are such as all servers take: one that is refused hides what else is wrong with a request, or with a server. */
const mailbox = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z]{1,9}(?:[._+-][a-z0-9]{1,5})?@(?:mail\.)?example\.(?:com|org)$/) },
  { weight: 1, arbitrary: fc.emailAddress() },
);

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  date: moment.map((date) => date.slice(0, 10)),
  'date-time': moment,
  'iso-date-time': moment,
  'http-date': moment.map((date) => new Date(date).toUTCString()),
  time: moment.map((date) => date.slice(11)),
  'iso-time': moment.map((date) => date.slice(11)),
  duration: oneOf('P1D', 'PT15M', 'P1Y2M3DT4H5M6S', 'P2W'),
  email: mailbox,
  'idn-email': mailbox,
  uuid: fc.uuid(),
  uri: address,
  url: address,
  iri: address,
  'uri-reference': address,
  'iri-reference': address,
  'uri-template': address,
  hostname: fc.domain(),
  'idn-hostname': fc.domain(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  byte: fc.base64String({ maxLength: 12 }),
  regex: oneOf('^[a-z]+$', 'a|b', ''),
  'json-pointer': oneOf('', '/a/0', '/a~1b'),
  'json-pointer-uri-fragment': oneOf('#/a/0', '#'),
  'relative-json-pointer': oneOf('0', '1/a', '2#'),
};

/** Texts that a person would write for some of the formats. */
const PLAUSIBLE: Readonly<Record<string, Arbitrary<string>>> = {
  email: oneOf('ada@example.com', 'grace@example.org', 'linus@example.net'),
  uri: oneOf('https://example.com/', 'https://example.org/a', 'https://example.net/a/b'),
  hostname: oneOf('example.com', 'www.example.org', 'api.example.net'),
};
const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'island', 'juniper', 'lagoon'];

/** Strings of a format; for an unknown one, the examples of the schema. */
function formatted(
  format: string,
  { example, examples, default: usual }: Schema,
  isPlausible: boolean,
): Arbitrary<string> | undefined {
  const likeUri = /^(?:ur[il]|iri)/.test(format) ? 'uri' : format;
  if (isPlausible && Object.hasOwn(PLAUSIBLE, likeUri)) return PLAUSIBLE[likeUri];
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format];
  const given = [example, usual, ...(Array.isArray(examples) ? (examples as unknown[]) : [])];
  const texts = given.filter((each) => typeof each === 'string');
  return texts.length > 0 ? fc.constantFrom(...texts) : undefined;
}

/** Words, repeated or cut to the required length. */
function wordsOf(least: number, greatest = Infinity): Arbitrary<string> {
  return fc.constantFrom(...WORDS).map((word) => {
    const repeated = word.length < least ? word.repeat(Math.ceil(least / word.length)).slice(0, least) : word;
    return repeated.slice(0, greatest);
  });
}

/** Code points; the unit `binary` of fast-check takes most of a second to be ready. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

/** ASCII: one byte each. */
const ascii = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));

/** ASCII without spaces and control characters. */
const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));

/** The repetitions in one another up to which fast-check makes texts of a length that can be sent. */
const DEPTH_MAX = 3;

/** Typical texts that match, plus generated ones. */
function ofPattern(
  pattern: string,
  typical: Arbitrary<string>,
  fits: (string: string) => boolean,
): Arbitrary<string> | undefined {
  const known = fitting(typical, fits);
  if (known && typical !== text) return known;
  const made = generated(pattern);
  const matching = made && fitting(made, fits);
  return matching && known ? fc.oneof(matching, known) : (matching ?? known);
}

const generators = new Map<string, Arbitrary<string> | undefined>();

/** Texts that fast-check makes of a pattern, prepared once: that takes seconds for repetitions in one another. */
function generated(pattern: string): Arbitrary<string> | undefined {
  if (!generators.has(pattern)) generators.set(pattern, generatorOf(pattern));
  return generators.get(pattern);
}

function generatorOf(pattern: string): Arbitrary<string> | undefined {
  const endable = withoutEndlessClasses(pattern);
  if (depthOf(pattern) > DEPTH_MAX || endable === undefined) return undefined;
  try {
    return fc.stringMatching(expressionOf(endable));
  } catch {
    return undefined; // a construct that fast-check does not support
  }
}

function hasLength(string: string, least: number, greatest = Infinity): boolean {
  const { length } = Array.from(string);
  return length >= least && length <= greatest;
}

/** The least and the greatest length in code points, as JSON Schema counts. */
function lengthsOf(schema: Schema): [least: number, greatest: number | undefined] {
  return [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength')];
}

/** The minimum number of characters in a text of the schema. */
export function leastLengthOf(schema: Schema): number {
  const [least] = lengthsOf(schema);
  return schema.pattern === undefined ? least : Math.max(least, leastLength(schema.pattern));
}
