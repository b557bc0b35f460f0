/** The last response of a connection, on a socket that Node's parser has released or can no longer use. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The time for which a connection stays half open after its last answer, so that the client can read it before the reset. */
const LINGER_MS = 500;

/** A response to a request for which Node makes none; the socket must have no other. */
export function lastResponse(socket: Socket, req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', () => {
    // Detached as Node does it for its own responses: the answer has ended, even if the client keeps the connection open.
    res.detachSocket(socket);
    res.emit('close');
    closeGently(socket);
  });
  return res;
}

/**
 * Ends the sending half, and closes the connection a moment later. If it were closed at once while bytes of the client are unread, TCP
 * would reset it, and the client might never see the answer (RFC 9112 section 9.6).
 */
export function closeGently(socket: Socket): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
