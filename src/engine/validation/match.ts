/** Finds the contract's operation for a request, as a stage of Express. */
import type { RequestHandler } from 'express';
import type { Contract, ContractOperation } from '../contract/operations';
import { pathOf } from '../http/target';
import { createRouter } from './router';

/** A stage that sets `req.operation`. `basePath` is where the API is mounted: empty, or `/v1` and the like. */
export function matchOperation({ operations }: Contract, basePath: string): RequestHandler {
  const router = createRouter<ContractOperation>(operations, basePath);
  return function match(req, _res, next) {
    try {
      const { operation, path } = router.match(req.method, pathOf(req.url));
      req.operation = operation;
      req.pathTexts = path;
    } catch (error) {
      return next(error);
    }
    next();
  };
}
