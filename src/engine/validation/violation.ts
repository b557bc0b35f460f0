/** What validation finds, in the words of our answers: the place as a JSON pointer, what was expected and what came. */
import type { ErrorObject } from 'ajv';
import { pathOfPointer, pointerOf } from '../contract/document';
import { ApiError } from '../http/api-error';
import { ErrorCode } from '../http/error-codes';
import { isNumber } from '../json/number';

const POINTER_LENGTH_MAX = 200;

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
  required: [/^.*$/s, 'expected a value'],
  additionalProperties: [/^.*$/s, 'expected no property of this name'],
  unevaluatedProperties: [/^.*$/s, 'expected no property of this name'],
  'x-unique-items': [/^.*$/s, 'expected no two items to be equal'],
};

/** The ApiError for what Ajv has found first in `what`: a request's values. */
export function violation(finding: Partial<ErrorObject> = {}, what: object): ApiError {
  const { instancePath = '', message = '', params = {} } = finding;
  const { rule, missingProperty, additionalProperty, unevaluatedProperty, allowedValues }: Details = params;
  const property = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const path = instancePath + (property === undefined ? '' : pointerOf([property]));
  const keyword = rule ?? finding.keyword ?? '';
  const phrase = Object.hasOwn(PHRASES, keyword) ? PHRASES[keyword] : undefined;
  const sentence = allowedValues ? `${message}: ${allowedValues.join(', ')}` : message;
  const expected = phrase ? sentence.replace(...phrase) : 'expected what the contract says';
  const got = typeAt(what, path);
  // Of a file Ajv was given a character for each byte.
  return contractViolation(path, got === 'file' ? expected.replace(/ characters$/, ' bytes') : expected, got);
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

/** A ContractViolation at a JSON pointer, the client's part of which is made harmless. */
export function contractViolation(pointer: string, expected: string, got: string): ApiError {
  const harmless = pointer
    .slice(0, POINTER_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/[^\w.~/-]+/g, encodeURIComponent);
  return new ApiError(ErrorCode.ContractViolation, `${harmless}: ${expected}, got ${got}`);
}

/** The JSON type of what stands at the pointer, `file` for bytes, or `nothing`. */
function typeAt(what: unknown, pointer: string): string {
  let value = what;
  for (const step of pathOfPointer(pointer)) {
    if (typeof value !== 'object' || value === null) return 'nothing';
    value = Reflect.get(value, step);
  }
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  if (value instanceof Uint8Array) return 'file';
  return Array.isArray(value) ? 'array' : typeof value === 'undefined' ? 'nothing' : typeof value;
}
