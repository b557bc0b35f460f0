/** Closes a server: it stops accepting, answers what is under way, then closes its connections. */
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Connections } from './connections';

/** How long a connection that is idle when the server closes may still bring a request. */
const LAST_REQUEST_MS = 500;

/** A turn of the event loop that is shorter than this counts as idle. */
const QUIET_TURN_MS = 0.2;

/** How long such a turn is waited for. */
const QUIET_MS_MAX = 1_000;

export interface Closable {
  http: Server;
  /** What listens: the same, or TLS in front of it. */
  listener: NetServer;
  connections: Connections;
  /** Connections that TLS has not let through yet. */
  handshakes: ReadonlyMap<string, Socket>;
}

/**
 * Stops accepting, lets what is under way be answered, and resolves when the last connection is closed; those that are
 * still open after `graceMs` are cut. Idle connections are kept for a moment: a request that is on its way is answered
 * too, as the last of its connection.
 */
export function closeServer(server: Closable, graceMs: number): Promise<void> {
  const { listener, connections, handshakes } = server;
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      // Not closeAllConnections, which leaves out those that have asked for a tunnel (CONNECT).
      for (const socket of [...connections.sockets(), ...handshakes.values()]) socket.destroy();
    }, graceMs);
    // Unless they have said so before, answers say "Connection: close" only from then on: clients would open new connections.
    afterQuietTurn(listener, () => {
      connections.isEnding = true;
      server.http.keepAliveTimeout = LAST_REQUEST_MS; // of connections that become idle from now on
      // One more turn of the event loop, so that what has arrived by then is read first.
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
