/** The end of a server: it stops accepting, what is under way is answered, and then its connections are closed. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/** How long a connection that is idle when the server closes may still bring a request. */
const LAST_REQUEST_MS = 500;

/** The connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** Remembers the connections of a server, which Node does not give away. */
export function trackConnections(server: Server): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/**
 * Stops accepting, lets what is under way be answered, and resolves when the last connection is closed; those that are
 * still open after `graceMs` are cut. Idle connections are kept for a moment: a request that is on its way is answered
 * too, as the last of its connection.
 */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => {
        res.shouldKeepAlive = false;
      });
    }
    server.keepAliveTimeout = LAST_REQUEST_MS; // for connections that become idle from now on
    const closeIdle = (): void => {
      server.closeIdleConnections();
      // Whether these are idle, Node's versions do not agree.
      for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
      server.headersTimeout = LAST_REQUEST_MS; // for those that have begun a request and do not go on
    };
    // What has arrived by then is read first.
    const idle = setTimeout(() => setImmediate(closeIdle), LAST_REQUEST_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    // An HTTP server's own `close` would cut idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(idle);
      clearTimeout(cut);
      resolve();
    });
  });
}
