/** What validation finds, in the words of our answers: the place as a JSON pointer, what was expected and what came. */
import type { Request } from 'express';
import { error as eov } from 'express-openapi-validator';
import { ErrorCode } from '../http/error-codes';
import { noSuchPath } from '../http/errors';
import { ApiError } from '../http/api-error';
import { pathOfPointer } from '../contract/document';
import { isNumber } from './number-rules';

/** An error of express-openapi-validator as an ApiError; any other error is internal, and stays as it is. */
export function validatorError(error: unknown, request: Request): unknown {
  if (error instanceof eov.NotFound) return noSuchPath();
  if (error instanceof eov.MethodNotAllowed) {
    const allow = error.headers?.Allow ?? '';
    return new ApiError(ErrorCode.MethodNotAllowed, `expected one of the methods ${allow}`, {
      headers: { Allow: allow },
    });
  }
  if (error instanceof eov.BadRequest) {
    const [finding = { path: '', message: '' }] = error.errors;
    return violation(finding, request);
  }
  return error;
}

/** One finding of the validator. */
export interface Finding {
  /** A JSON pointer into `{body, query, params, headers}`. */
  path: string;
  /** The validator's sentence; only what it says of the contract is taken from it. */
  message: string;
  /** `keyword.openapi.validation` */
  errorCode?: string | undefined;
}

const POINTER_LENGTH_MAX = 200;

/** By keyword, how the validator's sentence begins and how ours does; what follows are values of the contract. */
const PHRASES: Readonly<Record<string, readonly [theirs: RegExp, ours: string]>> = {
  type: [/^must be /, 'expected '],
  'x-eov-type': [/^must be /, 'expected '],
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
  uniqueItems: [/^.*$/s, 'expected no two items to be equal'],
};

/** The ApiError for a finding in `what`, which has `body`, `query`, `params` and `headers`: a request. */
export function violation({ path, message, errorCode = '' }: Finding, what: object): ApiError {
  const keyword = errorCode.replace(/\..*$/s, '');
  const phrase = Object.hasOwn(PHRASES, keyword) ? PHRASES[keyword] : undefined;
  const expected = phrase ? message.replace(...phrase) : 'expected what the contract says';
  const got = typeAt(what, path);
  return contractViolation(
    path,
    keyword === ''
      ? 'expected no parameter of this name, or one in another form'
      : got === 'file' // of which it was given a character each
        ? expected.replace(/ characters$/, ' bytes')
        : expected,
    got,
  );
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
