/** Strings: of any script, length, pattern and format that the contract allows, and just not. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../src/contract/document';
import type { Json } from './json';
import { character, drawn, fitting, type Kind, numberIn, type Sample, sample, text } from './samples';

/** Longer ones would be refused for the size of the body. */
const LENGTH_MAX = 10_000;

export const strings: Kind = {
  valid: validStrings,
  edges(schema) {
    const [least, greatest] = lengthsOf(schema);
    const edges: [string, string][] = [
      ['empty', ''],
      ['of more than one script', 'Ⅻ 植物 نبات \u{1F331} e\u0301'],
      ['named like what every object has', '__proto__'],
      ['the shortest', 'x'.repeat(least)],
      ...(greatest === undefined || greatest > LENGTH_MAX
        ? []
        : ([['the longest', '\u{1F331}'.repeat(greatest)]] as [string, string][])),
    ];
    if (schema.format !== undefined) return [];
    return edges.filter(([, value]) => fits(schema)(value)).map(([what, value]) => sample(what, value));
  },
  wrongs(schema) {
    const [least, greatest] = lengthsOf(schema);
    const wrongs: Sample[] = [];
    if (least > 0) wrongs.push(sample('too short', '\u{1F331}'.repeat(least - 1), ''));
    if (greatest !== undefined && greatest <= LENGTH_MAX) wrongs.push(sample('too long', 'x'.repeat(greatest + 1)));
    if (patternOf(schema)) wrongs.push(drawn('not of its pattern', unmatched(schema)));
    if (schema.format !== undefined) wrongs.push(sample('not of its format', 'neither this nor that', '%'));
    return wrongs;
  },
};

/** Strings of the formats that JSON Schema names; of any other nothing is known. */
const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  date: day().map((date) => date.slice(0, 10)),
  'date-time': day(),
  time: day().map((date) => date.slice(11)),
  email: fc.constantFrom('a@example.org', 'green.thumb+1@example.com'),
  uuid: fc.uuid(),
  uri: fc.constantFrom('https://example.org/', 'urn:example:plant'),
  hostname: fc.constantFrom('example.org', 'a.b.example.com'),
  ipv4: fc.ipV4(),
  ipv6: fc.constantFrom('::1', '2001:db8::8a2e:370:7334'),
  byte: fc.base64String({ maxLength: 12 }),
};

function day(): Arbitrary<string> {
  return fc
    .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
}

/** Where fast-check has no strings of the pattern, or nobody of the format, the contract's own examples are what is left. */
function validStrings(schema: Schema): Arbitrary<string> | undefined {
  const { examples } = schema;
  const given = (Array.isArray(examples) ? examples : []).filter((each) => typeof each === 'string');
  const made = madeFor(schema);
  return (made && fitting(made, fits(schema))) ?? (given.length > 0 ? fc.constantFrom(...given) : undefined);
}

function madeFor(schema: Schema): Arbitrary<string> | undefined {
  const [least, greatest] = lengthsOf(schema);
  const pattern = patternOf(schema);
  if (pattern) return matched(pattern);
  if (schema.format !== undefined && Object.hasOwn(FORMATS, schema.format)) return FORMATS[schema.format];
  if (schema.format !== undefined && schema.examples !== undefined) return undefined;
  const ofLength = fc.string({ unit: character, minLength: least, maxLength: greatest ?? least + 12 });
  return least === 0 && greatest === undefined ? fc.oneof(text, ofLength) : ofLength;
}

function matched(pattern: RegExp): Arbitrary<string> | undefined {
  const ofPattern = fc.sample(text, { seed: 0, numRuns: 20 }).filter((each) => pattern.test(each));
  try {
    const strict = fc.stringMatching(pattern);
    return ofPattern.length < 10 ? strict : fc.oneof(strict, text);
  } catch {
    return ofPattern.length === 0 ? undefined : text;
  }
}

/** Others entirely, and such as are of it but for one character. */
function unmatched(schema: Schema): Arbitrary<Json> {
  const intruder = fc.constantFrom('\u0000', ' ', '\n', 'A', 'z', '0', '-', '/', '\u{1F331}');
  const spoilt = fc
    .tuple(validStrings(schema) ?? text, intruder, fc.nat(20))
    .map(([string, character, at]) => string.slice(0, at) + character + string.slice(at));
  return fc.oneof(spoilt, text).map((string) => string.toWellFormed());
}

function fits(schema: Schema): (string: string) => boolean {
  const [least, greatest = Infinity] = lengthsOf(schema);
  const pattern = patternOf(schema);
  return (string) => {
    const { length } = Array.from(string);
    return string.isWellFormed() && length >= least && length <= greatest && (pattern?.test(string) ?? true);
  };
}

/** In code points, as JSON Schema counts. */
function lengthsOf(schema: Schema): [least: number, greatest: number | undefined] {
  return [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength')];
}

function patternOf({ pattern }: Schema): RegExp | undefined {
  return typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined;
}
