/** What is wrong with a request, in the words of our answers: each place as a JSON pointer, what was expected there and what came. */
import type { ErrorObject } from 'ajv';
import { pathOfPointer, pointerOf } from '../contract/document';
import { ApiError, type Violation } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { ExactNumber, isNumber } from '../json/number';

/** No more are collected of a request. */
export const VIOLATIONS_MAX = 50;
/** As many stand in the message; the others are counted. */
const TOLD_MAX = 3;
const POINTER_LENGTH_MAX = 200;
/** An `enum` may have hundreds of values. */
const TEXT_LENGTH_MAX = 500;
/** Of a number that was sent. */
const VALUE_LENGTH_MAX = 40;
/** Text that is said as it was sent: nothing in it is markup, or moves a cursor. */
const PLAIN_TEXT = /^[\w .,:/+-]{0,40}$/;

/** By keyword, how the validator's sentence begins and how ours does; what follows are values of the contract. */
const PHRASES: Readonly<Record<string, readonly [theirs: RegExp, ours: string]>> = {
  type: [/^must be /, 'expected '],
  'false schema': [/^.*$/s, 'expected no value'],
  format: [/^must match format "(.*)"$/, 'expected $1'],
  pattern: [/^must match pattern "(.*)"$/s, 'expected text that matches $1'],
  enum: [/^must be equal to one of the allowed values: /, 'expected one of '],
  minimum: [/^must be /, 'expected a number '],
  maximum: [/^must be /, 'expected a number '],
  exclusiveMinimum: [/^must be /, 'expected a number '],
  exclusiveMaximum: [/^must be /, 'expected a number '],
  multipleOf: [/^must be /, 'expected a '],
  minLength: [/^must NOT have fewer than /, 'expected at least '],
  maxLength: [/^must NOT have more than /, 'expected at most '],
  minItems: [/^must NOT have fewer than /, 'expected at least '],
  maxItems: [/^must NOT have more than /, 'expected at most '],
  minProperties: [/^must NOT have fewer than /, 'expected at least '],
  maxProperties: [/^must NOT have more than /, 'expected at most '],
  contains: [/^must contain /, 'expected '],
  oneOf: [/^.*$/s, 'expected what exactly one of its schemas says'],
  required: [/^.*$/s, 'expected a value'],
  dependentRequired: [/^.*$/s, 'expected a value'],
  additionalProperties: [/^.*$/s, 'expected no property of this name'],
  unevaluatedProperties: [/^.*$/s, 'expected no property of this name'],
  'x-unique-items': [/^.*$/s, 'expected no two items to be equal'],
};

/** What Ajv has found in `what`, a request's values, as violations: each once, and of a value of another type nothing else. */
export function violationsOf(findings: readonly Partial<ErrorObject>[], what: object): Violation[] {
  const ofType = new Set<string>();
  return findings.flatMap((finding) => {
    const { instancePath: place = '', propertyName } = finding;
    if (ofType.has(place) && propertyName === undefined) return [];
    if (ruleOf(finding) === 'type') ofType.add(place);
    return violationOf(finding, what);
  });
}

/** The keyword that is broken; that which a rule for numbers stands for. */
export function ruleOf({ keyword = '', params = {} }: Partial<ErrorObject>): string {
  const { rule }: Details = params;
  return rule ?? keyword;
}

/** What Ajv's errors have, as far as it is told here. */
interface Details {
  /** The keyword that a rule for numbers stands for. */
  rule?: string;
  missingProperty?: string;
  additionalProperty?: string;
  unevaluatedProperty?: string;
  allowedValues?: readonly unknown[];
}

/** What was expected, as a sentence. */
export function expectedOf(finding: Partial<ErrorObject>): string {
  const { message = '', params = {} } = finding;
  const { allowedValues }: Details = params;
  const rule = ruleOf(finding);
  const phrase = Object.hasOwn(PHRASES, rule) ? PHRASES[rule] : undefined;
  const sentence = allowedValues ? `${message}: ${allowedValues.join(', ')}` : message;
  if (!phrase) return 'expected what the contract says';
  return rule === 'type' ? sentence.replace(...phrase).replaceAll(/,(?! )/g, ' or ') : sentence.replace(...phrase);
}

function violationOf(finding: Partial<ErrorObject>, what: object): Violation {
  const { instancePath = '', params = {}, propertyName } = finding;
  const { missingProperty, additionalProperty, unevaluatedProperty }: Details = params;
  const property = propertyName ?? missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = instancePath + (property === undefined ? '' : pointerOf([property]));
  const expected = expectedOf(finding);
  if (propertyName !== undefined) return violationAt(path, `${expected} as its name`, 'another');
  const value = valueAt(what, path);
  const rule = ruleOf(finding);
  // Any other text may be a password.
  const isTold = typeof value !== 'string' || rule === 'type' || rule === 'enum';
  const got = isTold ? sayValue(value) : 'string';
  // Of a file Ajv was given a character for each byte.
  return violationAt(path, got === 'file' ? expected.replace(/ characters$/, ' bytes') : expected, got);
}

/** What is wrong at a JSON pointer, the client's part of which is made harmless. */
export function violationAt(pointer: string, expected: string, got: string): Violation {
  const place = pointer
    .slice(0, POINTER_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[^\w.~/-]+/g, encodeURIComponent);
  return { place, text: `${cut(expected, TEXT_LENGTH_MAX)}, got ${got}` };
}

/** A ContractViolation of what is wrong at one JSON pointer. */
export function contractViolation(pointer: string, expected: string, got: string): ApiError {
  return contractViolations([violationAt(pointer, expected, got)]);
}

/** The ContractViolation for all that was found, in its order and each once. */
export function contractViolations(found: readonly Violation[]): ApiError {
  const bySentence = new Map(found.map((each) => [`${each.place}: ${each.text}`, each]));
  const violations = [...bySentence.values()].slice(0, VIOLATIONS_MAX);
  const told = [...bySentence.keys()].slice(0, TOLD_MAX).join('; ');
  const more = violations.length - TOLD_MAX;
  const rest = more > 0 ? `; and ${found.length >= VIOLATIONS_MAX ? 'at least ' : ''}${more} more` : '';
  return new ApiError(ErrorCode.ContractViolation, told + rest, { violations });
}

/** What `read` gives; undefined if it throws a ContractViolation, which is added to those that were found. */
export function collected<T>(found: Violation[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.violations.length === 0) throw error;
    found.push(...error.violations);
    return undefined;
  }
}

function valueAt(what: unknown, pointer: string): unknown {
  let value = what;
  for (const step of pathOfPointer(pointer)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** A value as messages have it: a number, `true`, `false` or a short and plain text as it was sent, all else by its type. */
export function sayValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (isNumber(value)) return cut(value instanceof ExactNumber ? value.text : String(value), VALUE_LENGTH_MAX);
  if (typeof value === 'string') return PLAIN_TEXT.test(value) ? `"${value}"` : 'string';
  if (value instanceof Uint8Array) return 'file';
  return Array.isArray(value) ? 'array' : typeof value;
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
}
