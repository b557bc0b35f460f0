/** Answers every failure of a request, as the contract declares errors. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { everywhere, problemShape, type WriteBody } from '../errors/error-body';
import { isJson } from '../contract/media-type';
import { stringifyJson } from '../json/json';
import { errorLog } from '../process/repeats';
import type { Exchange } from './exchange';
import { type Answer, isBodyToCome, send } from './send';

/** The delay in seconds after which a client is asked to try again. */
const RETRY_AFTER = '1';

const PROBLEM = everywhere(problemShape);

/** Makes the headers that an error needs beside its own. */
export type ErrorHeaders = (error: ApiError, req: IncomingMessage) => NonNullable<Answer['headers']>;

const NO_HEADERS: ErrorHeaders = () => ({});

/** An error as an answer, as the contract declares it for the operation. */
export function errorAnswer(error: ApiError, write: WriteBody = PROBLEM, required: Answer['headers'] = {}): Answer {
  const headers = { ...required, ...(error.status === 503 && { 'Retry-After': RETRY_AFTER }), ...error.headers };
  const written = write(error);
  if (!written) return { status: error.status, headers };
  const { mediaType, body } = written;
  const text = typeof body === 'string' && !isJson(mediaType) ? body : stringifyJson(body);
  return { status: error.status, headers, content: { mediaType, body: text } };
}

/** A thrown value as an ApiError: any other value becomes `Internal`, with a fixed text that discloses nothing. */
function asApiError(error: unknown): ApiError {
  const isError = error instanceof ApiError && error.isOfError;
  return isError ? error : new ApiError(ErrorCode.Internal, 'internal error', { cause: error });
}

/** The error of a request that breaks the rules of HTTP. */
export function malformed(expected: string): ApiError {
  return new ApiError(ErrorCode.MalformedRequest, `expected ${expected}`);
}

/** The error of a request of another version than HTTP/1.1 and HTTP/1.0 (RFC 9110 section 15.6.6). */
export function versionNotSupported(): ApiError {
  return new ApiError(ErrorCode.VersionNotSupported, 'expected HTTP/1.1 or HTTP/1.0');
}

export function noSuchPath(): ApiError {
  return new ApiError(ErrorCode.NoSuchPath, 'expected a path of the contract');
}

/** A function that answers a request with an error, in the bodies of its operation if it has one; or closes the connection if an answer has already begun. */
export function writeErrors(
  log: Logger,
  repeatMs = 1_000,
  undeclared?: WriteBody,
): (exchange: Exchange, error: unknown, write?: WriteBody, headers?: ErrorHeaders) => void {
  const logError = errorLog(log, repeatMs);
  return function writeError(exchange, error, write = undeclared, headers = NO_HEADERS) {
    const { req, res } = exchange;
    const known = asApiError(error);
    if (isOfServer(known)) logError(known);
    exchange.error = known.code;
    exchange.reason = known.reason;
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    afterBodyInPacket(req, () => sendError(req, res, known, log, write, headers));
  };
}

/** Sends an error, or `Internal` if it cannot be written, for example because of an invalid header. Does not throw. */
export function sendError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  log: Logger,
  write?: WriteBody,
  headers = NO_HEADERS,
): void {
  if (res.headersSent || res.destroyed) return;
  const known = asApiError(error);
  try {
    send(req, res, errorAnswer(known, write, headers(known, req)));
  } catch (err) {
    log.error({ err }, 'an error could not be written');
    sendInternal(req, res, write);
  }
}

/** Sends `Internal`, or closes the connection if that cannot be written either. */
function sendInternal(req: IncomingMessage, res: ServerResponse, write?: WriteBody): void {
  try {
    send(req, res, errorAnswer(asApiError(undefined), write));
  } catch {
    res.destroy();
  }
}

/** True if the server is at fault; 505 is the client's fault, although it is a 5xx status. */
function isOfServer({ status }: ApiError): boolean {
  return status >= 500 && status !== 505;
}

/**
 * Calls `act` once a body that came in the same packet as the headers has been parsed, so that the connection can be
 * kept alive. It does not wait for a body that comes later, which stays unread.
 */
function afterBodyInPacket(req: IncomingMessage, act: () => void): void {
  if (!isBodyToCome(req)) return act();
  const late = setImmediate(act);
  req.once('end', () => {
    clearImmediate(late);
    act();
  });
  req.resume(); // discards the body
}
