/** The time limits of bodies that have one of their own, in place of the server's limit for whole requests. */
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';

declare module 'node:http' {
  interface IncomingMessage {
    /** Called when the server's time limit for whole requests is over, in place of failing the request. */
    onLate?: () => void;
  }
}

/** Fails the request if its body does not arrive in time. */
export function setDeadline(req: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => {
    if (!req.complete) fail(req, lateRequest());
  }, ms);
  req.once('close', () => clearTimeout(timer));
}

/** The longest time for which a client may send nothing because it was faster before. */
const SECONDS_AHEAD_MAX = 30;

/**
 * Fails the request if its bytes come too slowly once the server's time limit for whole requests is over. Only the time in which they are
 * awaited counts, and not that in which a handler works on them.
 */
export function setLeastRate(req: IncomingMessage, bytesPerSecond: number, arrival: { isAwaited: boolean }): void {
  const { socket } = req;
  let [bytes, secondsAhead] = [socket.bytesRead, 0];
  const count = (): void => {
    const seconds = (socket.bytesRead - bytes) / bytesPerSecond;
    bytes = socket.bytesRead;
    secondsAhead = Math.min(secondsAhead + seconds, SECONDS_AHEAD_MAX);
  };
  req.onLate = () => {
    if (bytesPerSecond === 0) return;
    count();
    const look = setInterval(() => {
      count();
      if (arrival.isAwaited) secondsAhead--;
      if (secondsAhead < 0 && !req.complete) fail(req, lateRequest());
    }, 1_000);
    req.once('close', () => clearInterval(look));
  };
}

/** Ends a request whose body is incomplete with an error that the app answers; does not close the connection: see message-classes.ts. */
export function fail(req: IncomingMessage, error: ApiError): void {
  req.socket.pause();
  req.destroy(error);
}

export function lateRequest(): ApiError {
  return new ApiError(ErrorCode.RequestTimeout, 'the request did not arrive in time');
}
