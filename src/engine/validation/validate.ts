/** Holds parameters and body of a matched request to the contract, as a stage of Express. */
import type { RequestHandler } from 'express';
import type { Contract } from '../contract/operations';
import { createValidator } from './validator';

/** A stage that validates a request whose operation is known and whose body has been read. */
export function validateRequests(contract: Contract): RequestHandler {
  const validator = createValidator(contract);
  return function validate(req, _res, next) {
    const { operation, pathTexts: path = {}, url, headers, mediaType, formParts, hasExactNumbers = false } = req;
    if (!operation) throw new Error('a request is validated after it is matched');
    const body: unknown = req.body;
    const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
    req.values = validator.validate(operation, { path, query, headers, body, mediaType, formParts, hasExactNumbers });
    next();
  };
}
