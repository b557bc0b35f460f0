/** What the makers of values for the single types have in common. */
import fc, { type Arbitrary } from 'fast-check';
import type { Schema } from '../../src/contract/document';
import { type Json, type JsonObject, NumberText } from './json';

/** Values of a kind that is not to be left to chance. */
export interface Sample {
  /** Where the kind is in them, as a JSON pointer. */
  at: string;
  /** What it is: `below the least`. */
  what: string;
  value: Arbitrary<Json>;
}

/** What a type makes of a flat schema. */
export interface Kind {
  /** Values that keep to it; undefined where there are none. */
  valid: (schema: Schema) => Arbitrary<Json> | undefined;
  /** Values at the edges of what it allows. */
  edges: (schema: Schema) => Sample[];
  /** Values that break one rule each. */
  wrongs: (schema: Schema) => Sample[];
}

/** One of these. */
export function sample(what: string, ...values: Json[]): Sample {
  return drawn(what, fc.constantFrom(...values));
}

export function drawn(what: string, value: Arbitrary<Json>): Sample {
  return { at: '', what, value };
}

/** The same within something that holds it. */
export function within(step: string | number, { at, what }: Omit<Sample, 'value'>, value: Arbitrary<Json>): Sample {
  return { at: `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}${at}`, what, value };
}

/** How many values are looked at to find out whether there are any that fit: few at first, which mostly is enough. */
const TRIES = [5, 100];

/** Those that fit; undefined where there seem to be none, so that nobody looks for them forever. */
export function fitting<T, Fit extends T>(
  values: Arbitrary<T>,
  fits: (value: T) => value is Fit,
): Arbitrary<Fit> | undefined;
export function fitting<T>(values: Arbitrary<T>, fits: (value: T) => boolean): Arbitrary<T> | undefined;
export function fitting<T>(values: Arbitrary<T>, fits: (value: T) => boolean): Arbitrary<T> | undefined {
  return TRIES.some((numRuns) => fc.sample(values, { seed: 0, numRuns }).some(fits)) ? values.filter(fits) : undefined;
}

/** A keyword that is a number, where the schema has it. */
export function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

/** Any character of Unicode; fast-check's own unit `binary` takes most of a second to be ready. */
export const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint), codePointOf);

function codePointOf(value: unknown): number {
  const [only = '', ...more] = typeof value === 'string' ? value : '';
  if (only === '' || more.length > 0) throw new Error(`expected one character, got ${String(value)}`);
  return only.codePointAt(0) ?? 0;
}

/** Text of any script, and what has tripped programs before. */
export const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: character, maxLength: 12 }),
  fc.constantFrom('__proto__', 'constructor', '"\\\u2028', 'e\u0301', '\u{1F331}\u{1F3FD}', 'null', '1e3'),
);

const scalar: Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger().map(BigInt),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('1e400', '-0', '0.10000000000000000000000001').map((source) => new NumberText(source)),
  text,
);

export function objectOf(name: Arbitrary<string>, value: Arbitrary<Json>, minKeys = 0, maxKeys = minKeys + 2) {
  const entries = fc.uniqueArray(fc.tuple(name, value), {
    selector: ([key]) => key,
    minLength: minKeys,
    maxLength: maxKeys,
  });
  // Not by assignment, so that `__proto__` is a key like any other.
  return entries.map((each): JsonObject => Object.fromEntries(each));
}

/** Anything at all. */
export const anything: Arbitrary<Json> = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), objectOf(text, scalar));

/** Thrown where no valid value can be made; the contract can help with `examples`. */
export class Unmakeable extends Error {}

/** Things of one kind, whatever they are made into. */
export interface Variant<T> {
  what: string;
  made: Arbitrary<T>;
}

/** What is made of the samples, where anything is. */
export function variants<T>(
  place: string,
  samples: readonly Sample[],
  make: (values: Arbitrary<Json>) => Arbitrary<T> | undefined,
): Variant<T>[] {
  return samples.flatMap(({ at, what, value }) => {
    const made = make(value);
    return made ? [{ what: `${place}${at} ${what}`, made }] : [];
  });
}
