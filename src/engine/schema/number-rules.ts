/**
 * The rules of schemas for numbers, with exact comparison. Ajv compares doubles, so that these rules are removed from its schemas, and the
 * keyword `x-exact` (`exact-number.ts`) checks them instead.
 */
import type { Schema } from '../contract/document';
import { typesOf } from '../contract/traverse';
import {
  asSent,
  compareNumbers,
  ExactNumber,
  isInteger,
  isMultipleOf,
  isNumber,
  type ReadNumber,
  toBigInt,
} from '../json/number';
import { stringifyJson } from '../json/json';
import { canonicalText } from '../json/canonical-text';
import { countValues, isLargerThan } from './size';

/** A violated rule, in Ajv's words: `minimum`, `must be >= 1`. */
export interface BrokenRule {
  keyword: string;
  message: string;
}

/** The formats of integers, with their ranges: https://spec.openapis.org/registry/format/ */
const INTEGER_FORMATS: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  int8: [-(2n ** 7n), 2n ** 7n - 1n],
  int16: [-(2n ** 15n), 2n ** 15n - 1n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 2n ** 8n - 1n],
  uint16: [0n, 2n ** 16n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  'double-int': [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)],
};

/** The known formats of numbers; all others are ignored. */
export const NUMBER_FORMATS: Readonly<Record<string, (number: ReadNumber) => boolean>> = {
  ...Object.fromEntries(Object.entries(INTEGER_FORMATS).map(([name, [min, max]]) => [name, isWithin(min, max)])),
  float: isFiniteNumber,
  double: isFiniteNumber,
  decimal: isFiniteNumber,
  decimal128: isFiniteNumber,
};

function isWithin(min: bigint, max: bigint): (number: ReadNumber) => boolean {
  // JavaScript compares a bigint with a number exactly.
  return (given) => {
    const number = asSent(given);
    const integer = number instanceof ExactNumber ? toBigInt(number) : number;
    return integer !== undefined && isInteger(integer) && integer >= min && integer <= max;
  };
}

/** The bounds by keyword: the sign in messages, and the comparison with the bound that is allowed. */
const BOUNDS: Readonly<Record<string, readonly [sign: string, holds: (order: number) => boolean]>> = {
  maximum: ['<=', (order) => order <= 0],
  minimum: ['>=', (order) => order >= 0],
  exclusiveMaximum: ['<', (order) => order < 0],
  exclusiveMinimum: ['>', (order) => order > 0],
};

/** The types that are checked here: numbers, and objects, because an ExactNumber is none. */
const MOVED_TYPES: readonly string[] = ['integer', 'number', 'object'];

/** The keywords that say nothing of a number. */
const OF_OBJECTS = [
  ...['required', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'unevaluatedProperties'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
];

/** Moves a schema's rules for numbers into its keywords `x-exact` and `x-unique-items`, and marks rules for objects by `x-of-objects`. */
export function moveNumberRules(schema: Schema): void {
  const { uniqueItems, ...rest } = schema;
  const types = typesOf([schema]);
  const isMoved = (keyword: string): boolean => {
    if (keyword === 'type') return MOVED_TYPES.some((type) => types.has(type));
    if (keyword === 'format') return schema.format !== undefined && Object.hasOwn(NUMBER_FORMATS, schema.format);
    if (keyword === 'const') return isComparedExactly(schema.const);
    // It refuses to compile an empty list.
    if (keyword === 'enum' && Array.isArray(schema.enum))
      return schema.enum.length === 0 || schema.enum.some(isComparedExactly);
    return keyword === 'multipleOf' || Object.hasOwn(BOUNDS, keyword);
  };
  const moved = Object.keys(rest).filter(isMoved);
  if (moved.length > 0) schema['x-exact'] = Object.fromEntries(moved.map((keyword) => [keyword, schema[keyword]]));
  if (uniqueItems === true) schema['x-unique-items'] = true;
  if (OF_OBJECTS.some((keyword) => schema[keyword] !== undefined)) schema['x-of-objects'] = true;
  for (const keyword of [...moved, 'uniqueItems']) Reflect.deleteProperty(schema, keyword);
}

/** Compiles the moved rules to a function that returns the first violated one; undefined if there is none. */
export function compileNumberRules(rules: Schema): (value: unknown) => BrokenRule | undefined {
  const types = [...typesOf([rules])];
  const ofType: BrokenRule = { keyword: 'type', message: `must be ${types.join()}` };
  const checks = [...equalityChecks(rules), ...numberChecks(rules)];
  return (value) => {
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) return ofType;
    return checks.find(({ holds }) => !holds(value))?.broken;
  };
}

interface Check {
  holds: (value: unknown) => boolean;
  broken: BrokenRule;
}

function* equalityChecks(rules: Schema): Generator<Check> {
  if ('const' in rules) {
    const message = `must be equal to ${listOf([rules.const])}`;
    yield { holds: isOneOf([rules.const]), broken: { keyword: 'const', message } };
  }
  if (Array.isArray(rules.enum)) {
    const message = `must be equal to one of the allowed values: ${listOf(rules.enum)}`;
    yield { holds: isOneOf(rules.enum), broken: { keyword: 'enum', message } };
  }
}

/** The double that is a number exactly; undefined if none is. */
function doubleOf(number: ReadNumber): number | undefined {
  const double = number instanceof ExactNumber ? number.double : Number(number);
  return compareNumbers(double, number) === 0 ? double : undefined;
}

/** A test for the constants of a contract, which does not go through a value that is larger than any of them. */
function isOneOf(constants: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(constants.map(canonicalText));
  const strings = new Set(constants.filter((each) => typeof each === 'string'));
  const doubles = new Set(constants.flatMap((each) => (isNumber(each) ? (doubleOf(each) ?? []) : [])));
  const most = Math.max(0, ...constants.map(countValues));
  return (value) => {
    if (typeof value === 'number') return doubles.has(value);
    if (typeof value === 'string') return strings.has(value);
    return !isLargerThan(most, value) && texts.has(canonicalText(value));
  };
}

function* numberChecks(rules: Schema): Generator<Check> {
  const check = (keyword: string, message: string, holds: (number: ReadNumber) => boolean): Check => ({
    holds: (value) => !isNumber(value) || holds(value),
    broken: { keyword, message },
  });
  for (const [keyword, [sign, holds]] of Object.entries(BOUNDS)) {
    const bound = rules[keyword];
    if (isBound(bound))
      yield check(keyword, `must be ${sign} ${bound}`, (number) => holds(compareNumbers(number, bound)));
  }
  const { multipleOf: divisor, format = '' } = rules;
  if (isBound(divisor))
    yield check('multipleOf', `must be multiple of ${divisor}`, (number) => isMultipleOf(number, divisor));
  const isOfFormat = NUMBER_FORMATS[format];
  const [min, max] = INTEGER_FORMATS[format] ?? [];
  const range = min === undefined ? '' : ` (an integer from ${min} to ${max})`;
  if (isOfFormat) yield check('format', `must match format "${format}${range}"`, isOfFormat);
}

/** True if a value is of a type of JSON Schema. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return isNumber(value) && isInteger(value);
    case 'number':
      return isNumber(value) && isFiniteNumber(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
    default:
      return typeof value === type;
  }
}

/** The length after which further values are left out of a list. */
const LIST_LENGTH = 500;

/** Values as a message lists them: texts as they are, others as JSON. */
export function listOf(values: readonly unknown[]): string {
  let list = '';
  for (const value of values) {
    if (list.length > LIST_LENGTH) break; // messages are cut there
    list += `${list && ', '}${typeof value === 'string' ? value : stringifyJson(value)}`;
  }
  return list;
}

export function isBound(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isFiniteNumber(number: ReadNumber): boolean {
  return typeof number === 'bigint' || Number.isFinite(typeof number === 'number' ? number : number.double);
}

/** True for a constant that Ajv compares wrongly: a number, and an object or list, whose constructor it compares as well. */
function isComparedExactly(value: unknown): boolean {
  return isNumber(value) || (typeof value === 'object' && value !== null);
}
