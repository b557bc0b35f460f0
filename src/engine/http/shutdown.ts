/** Closes a server: it stops accepting, answers the requests under way, then closes its connections. */
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connections } from './connections';

/** How long a connection that is idle when the server closes may still bring a request. */
const LAST_REQUEST_MS = 500;

/** A turn of the event loop that is shorter than this counts as idle. */
const QUIET_TURN_MS = 0.2;

/** How long to wait for such a turn. */
const QUIET_MS_MAX = 1_000;

export interface Closable {
  http: Server;
  /** The one that listens: the same, or TLS in front of it. */
  listener: NetServer;
  connections: Connections;
  /** Connections whose TLS handshake is under way. */
  handshakes: ReadonlyMap<string, Socket>;
}

/**
 * Stops accepting, lets the requests under way be answered, and resolves when the last connection is closed; those that are
 * still open after `graceMs` are destroyed. Idle connections are kept for a moment, so that a request that is on its way is answered
 * too, as the last of its connection.
 */
export function closeServer(server: Closable, graceMs: number): Promise<void> {
  const { listener, connections, handshakes } = server;
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      // Not closeAllConnections, which leaves out those that have asked for a tunnel (CONNECT).
      for (const socket of [...connections.sockets(), ...handshakes.values()]) socket.destroy();
    }, graceMs);
    // Answers say "Connection: close" only from then on: before, clients would open new connections.
    afterQuietTurn(listener, () => {
      connections.isEnding = true;
      server.http.keepAliveTimeout = LAST_REQUEST_MS; // of connections that become idle from now on
      // After one more turn of the event loop, so that what has arrived by then is read first.
      const idle = setTimeout(() => setImmediate(closeIdle, server), LAST_REQUEST_MS);
      // An HTTP server's own `close` would cut idle connections at once.
      NetServer.prototype.close.call(listener, () => {
        clearTimeout(idle);
        clearTimeout(cut);
        resolve();
      });
    });
  });
}

function closeIdle({ http, connections, handshakes }: Closable): void {
  http.closeIdleConnections();
  // Node's versions differ in whether a connection that never sent a byte is idle.
  for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy();
  for (const socket of handshakes.values()) socket.destroy();
  http.headersTimeout = LAST_REQUEST_MS; // of connections that have begun a request and do not go on
}

/**
 * Calls `act` after a short turn of the event loop in which no connection was accepted, or after `QUIET_MS_MAX`. Closing a listening
 * socket resets the connections that wait to be accepted, and loses the requests that a proxy has sent on them.
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
