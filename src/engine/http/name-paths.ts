/** Makes the answer to an unknown path helpful: it says where the paths are described, or names them. */
import type { ErrorRequestHandler } from 'express';
import { ApiError } from './api-error';
import { ErrorCode } from './error-codes';

/** As many as fit into a sentence. */
const COUNT_MAX = 5;

/** `page` is the address of the documentation, where there is one. */
export function namePaths(paths: readonly string[], page: (() => string) | undefined): ErrorRequestHandler {
  const all = [...new Set(paths)];
  const some = all.slice(0, COUNT_MAX).join(', ') + (all.length > COUNT_MAX ? ', ...' : '');
  // Express knows an error handler by its four parameters.
  return function namePathsInError(error: unknown, req, _res, next) {
    const isUnknownPath = error instanceof ApiError && error.code === ErrorCode.NoSuchPath && !req.operation;
    if (!isUnknownPath) return next(error);
    const hint = page ? `, see ${page()}` : `: ${some}`;
    next(new ApiError(ErrorCode.NoSuchPath, `${error.message}${hint}`, { cause: error }));
  };
}
