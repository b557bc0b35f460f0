/** The last response of a connection: Node's parser has let go of the socket, or is of no more use. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection stays half open after its last answer, so that the client can read it before the reset. */
const LINGER_MS = 500;

/** A response to a request that Node has no response for. No other may be under way on the socket. */
export function lastResponse(socket: Socket, req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', () => {
    // As Node does for its own responses: the answer has ended now, however long the client keeps the connection.
    res.detachSocket(socket);
    res.emit('close');
    closeGently(socket);
  });
  return res;
}

/**
 * Ends the sending half, and cuts the connection some time later. If it were closed at once, with bytes of the client unread,
 * TCP would reset it, and the client might never see the answer (RFC 9112 section 9.6).
 */
export function closeGently(socket: Socket): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
