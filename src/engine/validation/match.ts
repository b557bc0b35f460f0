/** Finds the contract's operation for a request; 404 and 405 come from here. */
import type { RequestHandler } from 'express';
import type { OpenApiRequestMetadata } from 'express-openapi-validator/dist/framework/types';
import type { Contract, ContractOperation } from '../contract/operations';
import { noSuchPath } from '../http/errors';
import { pathOf } from '../http/target';
import type { Validator } from './openapi-validator';
import { validatorError } from './violation';

/** A stage that sets `req.operation`. `basePath` is where the API is mounted: empty, or `/v1` and the like. */
export function matchOperation(validator: Validator, contract: Contract, basePath: string): RequestHandler {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const paths = new Set(contract.operations.map(({ path }) => basePath + path));
  /** Matches by method and path, for paths without parameters only: the contract has finitely many of them. */
  const known = new Map<string, { openapi: OpenApiRequestMetadata; operation: ContractOperation }>();

  return function match(req, res, next) {
    const path = pathOf(req.url);
    const key = `${req.method} ${path}`;
    const match = known.get(key);
    if (match) {
      req.openapi = match.openapi;
      req.operation = match.operation;
      return next();
    }
    // The validator would take it for the path without the slash.
    if (path.endsWith('/') && !paths.has(path)) return next(noSuchPath());
    validator.findOperation(req, res, (error?: unknown) => {
      const { openapi } = req;
      const operation = operations.get(openapi?.schema.operationId ?? '');
      if (error) return next(validatorError(error, req));
      if (!openapi || !operation) return next(noSuchPath());
      if (paths.has(path)) known.set(key, { openapi, operation });
      req.operation = operation;
      next();
    });
  };
}
