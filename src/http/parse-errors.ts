/** Answers what Node's parser has refused, in the same form as everything else, and closes connections so that it is read. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';
import { send } from './send';
import { breakOff } from './body';
import { errorAnswer } from './errors';

/** How long a connection stays half open after its last answer, so that the client can read that before the reset. */
const LINGER_MS = 500;

function clientError({ code }: { code?: string }, headerBytesMax: number): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        ErrorCode.HeadersTooLarge,
        `expected a request line and headers of at most ${headerBytesMax} bytes`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(ErrorCode.RequestTimeout, 'the request did not arrive in time');
    default:
      return new ApiError(ErrorCode.MalformedRequest, 'expected an HTTP/1.1 request');
  }
}

/**
 * Sees to it that what Node's parser has refused is answered. What came before on the connection has been understood, and
 * is answered first; what is wrong within a body is for whoever reads the body.
 */
export function refuse(error: { code?: string }, socket: Socket, log: Logger, headerBytesMax: number): void {
  if (!socket.writable) return;
  socket.pause(); // nothing that still comes can be understood
  const known = clientError(error, headerBytesMax);
  const current = currentResponse(socket);
  if (current?.req.complete) {
    current.once('close', () => refuse(error, socket, log, headerBytesMax));
  } else if (current) {
    breakOff(current.req, known);
  } else {
    const req = new IncomingMessage(socket);
    req.complete = true; // the rest of what has no beginning is nothing
    send(req, responseOn(socket, req), errorAnswer(known));
    log.info({ status: known.status, error: known.code }, 'request refused');
  }
}

/** The response that is under way on a connection; Node keeps it there. */
function currentResponse(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse ? message : undefined;
}

/** A response on a connection that Node's parser has let go of: it is the last. */
export function responseOn(socket: Socket, req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', () => closeGently(socket));
  socket.on('error', () => socket.destroy()); // the client has gone, and nobody else would notice
  return res;
}

/**
 * Says that nothing more will be sent, and cuts the connection only some time after. Closed at once, with bytes of the
 * client unread, it would be reset, and the client might never see the answer (RFC 9112 section 9.6).
 */
export function closeGently(socket: Socket): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
