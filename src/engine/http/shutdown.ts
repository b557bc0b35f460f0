/** Closes a server: it stops accepting, answers what is under way, then closes its connections. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connections } from './connections';

/** How long a connection that is idle when the server closes may still bring a request. */
const LAST_REQUEST_MS = 500;

/** A turn of the event loop that is shorter than this counts as idle. */
const QUIET_TURN_MS = 0.2;

/** How long such a turn is waited for. */
const QUIET_MS_MAX = 1_000;

const connectionsOf = new WeakMap<Server, Connections>();

export function rememberConnections(server: Server, connections: Connections): void {
  connectionsOf.set(server, connections);
}

/**
 * Stops accepting, lets what is under way be answered, and resolves when the last connection is closed; those that are
 * still open after `graceMs` are cut. Idle connections are kept for a moment: a request that is on its way is answered
 * too, as the last of its connection. `listener` is what listens in place of the server, if anything does.
 */
export function closeServer(server: Server, graceMs: number, listener: NetServer = server): Promise<void> {
  const sockets = () => connectionsOf.get(server)?.sockets() ?? [];
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      // Not closeAllConnections, which leaves out those that have asked for a tunnel (CONNECT).
      for (const socket of sockets()) socket.destroy();
    }, graceMs);
    // Answers say "Connection: close" only from then on: clients would open new connections.
    afterQuietTurn(listener, () => {
      const stopEnding = endConnections(server, sockets);
      // An HTTP server's own `close` would cut idle connections at once.
      NetServer.prototype.close.call(listener, () => {
        stopEnding();
        clearTimeout(cut);
        resolve();
      });
    });
  });
}

/** Makes every answer the last of its connection, and closes idle connections after a moment; returns what cancels the latter. */
function endConnections(server: Server, sockets: () => Iterable<Socket>): () => void {
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => {
      res.shouldKeepAlive = false;
    });
  }
  server.keepAliveTimeout = LAST_REQUEST_MS; // of connections that become idle from now on
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // Node's versions differ in whether a connection that never sent a byte is idle.
    for (const socket of sockets()) if (socket.bytesRead === 0) socket.destroy();
    server.headersTimeout = LAST_REQUEST_MS; // of connections that have begun a request and do not go on
  };
  // One more turn of the event loop, so that what has arrived by then is read first.
  const idle = setTimeout(() => setImmediate(closeIdle), LAST_REQUEST_MS);
  return () => clearTimeout(idle);
}

/**
 * Calls `act` after a short turn of the event loop in which no connection was accepted, or after `QUIET_MS_MAX`. To close a listening
 * socket resets the connections that wait to be accepted, and with them the requests that a proxy has sent on them.
 */
function afterQuietTurn(server: NetServer, act: () => void): void {
  const deadline = performance.now() + QUIET_MS_MAX;
  let accepted = 1; // so that the first whole turn is waited for
  let turnStart = 0;
  const count = (): void => {
    accepted++;
  };
  const look = (): void => {
    const now = performance.now();
    if ((accepted > 0 || now - turnStart > QUIET_TURN_MS) && now < deadline) {
      accepted = 0;
      turnStart = now;
      setImmediate(look);
      return;
    }
    server.off('connection', count);
    act();
  };
  server.on('connection', count);
  look();
}
