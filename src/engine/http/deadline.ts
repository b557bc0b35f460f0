/** The time limit of a body that has one of its own, in place of the server's limit for whole requests. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';

declare module 'node:http' {
  interface IncomingMessage {
    /** True if the server's time limit for whole requests does not apply. */
    hasOwnDeadline?: boolean;
  }
}

/** Fails the request if its body does not arrive in time. */
export function setDeadline(req: IncomingMessage, ms: number): void {
  req.hasOwnDeadline = true;
  const timer = setTimeout(() => {
    if (!req.complete) fail(req, lateRequest());
  }, ms);
  req.once('close', () => clearTimeout(timer));
}

/** Ends a request whose body is incomplete with an error that the app answers; does not close the connection: see message-classes.ts. */
export function fail(req: IncomingMessage, error: ApiError): void {
  req.socket.pause();
  req.destroy(error);
}

export function lateRequest(): ApiError {
  return new ApiError(ErrorCode.RequestTimeout, 'the request did not arrive in time');
}
