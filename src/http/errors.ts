/** Where every failure on a request's way ends: thrown anywhere above, written here, always as the contract's `Error`. */
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';
import { errorBody, errorMediaType } from '../error-body';
import { stringifyJson } from './json';
import { type Answer, send } from './send';

/** After how many seconds a client is asked to try again. */
const RETRY_AFTER = '1';

/** The answer to an error; what the client may not know is `Internal`. */
export function errorAnswer(error: ApiError): Answer {
  const headers = error.status === 503 ? { 'Retry-After': RETRY_AFTER, ...error.headers } : error.headers;
  return {
    status: error.status,
    headers,
    content: { mediaType: errorMediaType, text: stringifyJson(errorBody(error)) },
  };
}

/** Anything that was thrown, as what the client is told; an error of the process becomes `Internal`, with a fixed text. */
export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(ErrorCode.Internal, 'internal error', { cause: error });
}

export function noSuchPath(): ApiError {
  return new ApiError(ErrorCode.NoSuchPath, 'expected a path of the contract');
}

/** Writes the error; where an answer has already begun, there is nothing left but to close the connection. */
export function writeErrors(log: Logger): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return function writeError(error: unknown, req, res, _next) {
    const known = asApiError(error);
    if (known.status >= 500) log.error({ err: known.cause ?? known, error: known.code }, known.message);
    res.locals.error = known.code;
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    // By then a body that came in the same packet has been passed over, and the connection may be kept.
    setImmediate(() => {
      if (!res.headersSent && !res.destroyed) send(req, res, errorAnswer(known));
    });
  };
}
