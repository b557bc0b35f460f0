/** Holds parameters and body of a matched request to the contract, and leaves them typed and exact. */
import type { Request, RequestHandler } from 'express';
import { pointerOf } from '../contract/document';
import type { FormPart } from '../http/form';
import { roundExactNumbers } from './exact-number';
import { type FormFile, readForm } from './form';
import type { Validator } from './openapi-validator';
import { contractViolation, validatorError } from './violation';

const NO_FILES: readonly FormFile[] = [];

/** A stage that validates a request whose operation is known and whose body has been read. */
export function validateRequests(validator: Validator): RequestHandler {
  return function validate(req, res, next) {
    if (/\?./.test(req.url)) refuseQuery(req);
    const files = req.formParts ? takeForm(req, req.formParts) : NO_FILES;
    try {
      validator.validateRequest(req, res);
      roundNumbers(req);
    } catch (error) {
      putInPlace(files); // the message says what stands there
      throw validatorError(error, req);
    }
    putInPlace(files);
    next();
  };
}

/**
 * Refuses query parameters of operations that take none, and names with brackets, which no declared one has: the validator
 * spends long on them, takes them apart and sometimes drops them.
 */
function refuseQuery({ query, operation }: Request): void {
  const takesQuery = operation?.parameters.some((parameter) => parameter.in === 'query');
  const names = Object.keys(query);
  const refused = takesQuery ? names.find((name) => name.includes('[')) : (names[0] ?? '');
  if (refused !== undefined)
    throw contractViolation(pointerOf(['query', refused]), 'expected no parameter of this name', 'one');
}

/** Makes the body of a form's parts; returns the files, which are put in their places when the body is validated. */
function takeForm(req: Request, parts: readonly FormPart[]): readonly FormFile[] {
  const form = req.operation?.forms.get(req.mediaType ?? '');
  if (!form) throw new Error('a form is read only where the contract declares one');
  const { body, files } = readForm(parts, form);
  req.body = body;
  req.hasExactNumbers = true; // there may be none, which costs little
  return files;
}

function putInPlace(files: readonly FormFile[]): void {
  for (const { holder, key, bytes } of files) Reflect.set(holder, key, bytes);
}

function roundNumbers(req: Request): void {
  if (req.hasExactNumbers) req.body = roundExactNumbers(req.body);
  if (!req.operation || req.operation.parameters.length === 0) return;
  for (const parameters of [req.params, req.query, req.headers]) roundExactNumbers(parameters);
}
