/**
 * Converts the values of a valid request for handlers: each int64 to a `bigint`, other numbers to doubles, and fills in
 * defaults.
 */
import { isNativeError } from 'node:util/types';
import { pointerOf, type Schema } from '../contract/document';
import { isInt64, isSchema, typesOf } from '../contract/traverse';
import { ApiError, type Violation } from '../errors/api-error';
import { ExactNumber, isNumber, toBigInt } from '../json/number';
import { Conversion, isObject, type OwnChange } from './conversion';
import { LEFT_OUT } from './read-write-only';
import { sayValue, violationAt, VIOLATIONS_MAX } from './violation';
import type { Schemas } from './schemas';

/** Conversions of the values that a prepared schema accepts, all in place. */
export interface ValueConversions {
  /**
   * Converts each int64 to a bigint and, with `rounds`, each other number that a double misrepresents to the nearest
   * double, if there is one. Integers among these must not be rounded, and are added to `found`.
   */
  convertNumbers: (values: object, found: Violation[], rounds: boolean) => void;
  /** Removes the properties that are left out, and returns their number. */
  leaveOut: (values: object) => number;
  /** Fills in the defaults of properties that are missing, as the types of handlers promise. */
  fillDefaults: (values: object) => void;
}

/** Returns a function that makes the conversions of a schema. */
export function valueConversions(schemas: Schemas): (schema: Schema) => ValueConversions {
  const bigInts = new Conversion(schemas, toBigInts);
  const defaults = new Conversion(schemas, fillIn);
  const integers = new Conversion(schemas, noteIntegers);
  const leftOut = new Conversion(schemas, leaveOut);
  return (schema) => {
    const [putBigInts, fill] = [bigInts.of(schema), defaults.of(schema)];
    return {
      convertNumbers(values, found, rounds) {
        putBigInts(values, []);
        if (!rounds || !hasExactNumbers(values)) return;
        const noted: unknown[] = [];
        integers.of(schema)(values, noted);
        roundAll(values, new Set(noted), found);
      },
      leaveOut(values) {
        const names: unknown[] = [];
        leftOut.of(schema)(values, names);
        return names.length;
      },
      fillDefaults(values) {
        const filled: unknown[] = [];
        fill(values, filled);
        if (filled.length > 0) putBigInts(values, []);
      },
    };
  };
}

const toBigInts: OwnChange = ({ 'x-exact': rules }) => {
  if (!isSchema(rules) || !isInt64([rules])) return undefined;
  return (value) => (isNumber(value) ? (toBigInt(value) ?? value) : value);
};

/** Notes the integers that no double represents exactly. */
const noteIntegers: OwnChange = ({ 'x-exact': rules }) => {
  const types = isSchema(rules) ? typesOf([rules]) : new Set();
  if (!types.has('integer') || types.has('number')) return undefined;
  return (value, noted) => {
    if (value instanceof ExactNumber) noted.push(value);
    return value;
  };
};

/** Removes properties that are left out, and notes them. */
const leaveOut: OwnChange = ({ properties = {} }) => {
  const names = Object.keys(properties).filter((name) => properties[name] === LEFT_OUT);
  if (names.length === 0) return undefined;
  return (object, noted) => {
    if (isObject(object))
      for (const name of names)
        if (Object.hasOwn(object, name) && Reflect.deleteProperty(object, name)) noted.push(name);
    return object;
  };
};

/** Fills in defaults, and notes them. */
const fillIn: OwnChange = ({ properties = {} }, schemas) => {
  const defaults = Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property)) return [];
    const value = property.default ?? schemas.follow(property).default;
    return value === undefined ? [] : [{ name, value }];
  });
  if (defaults.length === 0) return undefined;
  return (object, noted) => {
    if (!isObject(object)) return object;
    for (const { name, value } of defaults) {
      if (Object.hasOwn(object, name)) continue;
      Reflect.set(object, name, structuredClone(value));
      noted.push(value);
    }
    return object;
  };
};

/** The most defaults that one default may have filled in. */
const FILLED_MAX = 10_000;

/** True if a default that a schema accepts lacks properties whose defaults lack others without end, so that filling them in never ends. */
export function isEndless(schemas: Schemas, schema: Schema): boolean {
  const bounded: OwnChange = (each) => {
    const fill = fillIn(each, schemas);
    return (
      fill &&
      ((value, noted) => {
        if (noted.length > FILLED_MAX) throw new RangeError('too many defaults');
        return fill(value, noted);
      })
    );
  };
  schemas.begin(schema.default); // branches are tried
  try {
    new Conversion(schemas, bounded).of(schemas.prepare(schema))(structuredClone(schema.default), []);
    return false;
  } catch (error) {
    if (error instanceof ApiError) return true; // too many branches were tried
    if (isNativeError(error) && error.name === 'RangeError') return true; // ours, or that of a full stack
    throw error;
  }
}

function hasExactNumbers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return value instanceof ExactNumber || Object.values(value).some(hasExactNumbers);
}

function roundAll(values: object, integers: ReadonlySet<unknown>, found: Violation[]): void {
  const refused = new Set(found.map(({ place }) => place));
  const round = (value: object, path: (string | number)[]): void => {
    if (value instanceof Uint8Array) return;
    for (const key of Object.keys(value)) {
      const member: unknown = Reflect.get(value, key);
      if (typeof member !== 'object' || member === null) continue;
      path.push(key);
      if (!(member instanceof ExactNumber)) {
        round(member, path);
      } else {
        if (integers.has(member) && found.length < VIOLATIONS_MAX && !refused.has(pointerOf(path)))
          found.push(violationAt(pointerOf(path), SAFE_INTEGER, sayValue(member)));
        if (Number.isFinite(member.double)) Reflect.set(value, key, member.double); // another is kept as it was written
      }
      path.pop();
    }
  };
  round(values, []);
}

const SAFE_INTEGER = `expected an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
