/** Closes a server: it stops accepting, answers the requests under way, then closes its connections. */
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connections } from './connections';
import { savesEnded } from './upload';

/** The time in which a connection that is idle when the server closes may still send a request. */
const LAST_REQUEST_MS = 500;

/** The longest wait for the removal of files that were cut off; other servers of the process may save files for longer. */
const REMOVAL_MS = 500;

/** The longest turn of the event loop that counts as idle. */
const QUIET_TURN_MS = 0.2;

/** The longest wait for such a turn. */
const QUIET_MS_MAX = 1_000;

export interface Closable {
  http: Server;
  /** The server that listens: the HTTP server, or TLS in front of it. */
  listener: NetServer;
  connections: Connections;
  /** Connections during their TLS handshake. */
  handshakes: ReadonlyMap<string, Socket>;
}

/**
 * Stops accepting, lets the requests under way be answered, and resolves when the last connection is closed; those that are still open
 * after `graceMs` are destroyed. Event streams that idle are ended. Idle connections are kept for a moment, so that requests in transit are
 * answered too, each as the last of its connection.
 */
export function closeServer(server: Closable, graceMs: number): Promise<void> {
  const { listener, connections, handshakes } = server;
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      // Not by closeAllConnections, which leaves out those that have asked for a tunnel (CONNECT).
      connections.destroy();
      for (const socket of handshakes.values()) socket.destroy();
    }, graceMs);
    // Answers say "Connection: close" only from then on: before, clients would open new connections.
    afterQuietTurn(listener, () => {
      connections.isEnding = true;
      connections.endIdleStreams();
      server.http.keepAliveTimeout = LAST_REQUEST_MS; // for connections that become idle from now on
      // Delayed by one more turn of the event loop, so that bytes that have arrived by then are read first.
      const idle = setTimeout(() => setImmediate(closeIdle, server), LAST_REQUEST_MS);
      // An HTTP server's own `close` would cut idle connections at once.
      NetServer.prototype.close.call(listener, () => {
        clearTimeout(idle);
        clearTimeout(cut);
        // What was cut off hears of it first: it is logged, and the file of an upload removed.
        const removed = (): Promise<void> => Promise.race([savesEnded(), sleep(REMOVAL_MS, undefined, { ref: false })]);
        setImmediate(() => void removed().then(resolve));
      });
    });
  });
}

function closeIdle({ http, connections, handshakes }: Closable): void {
  http.closeIdleConnections();
  // Node's versions differ in whether a connection that never sent a byte is idle.
  for (const socket of connections.sockets()) if (socket.bytesRead === 0) socket.destroy();
  for (const socket of handshakes.values()) socket.destroy();
  http.headersTimeout = LAST_REQUEST_MS; // for connections with the beginning of a request
}

/**
 * Calls `act` after a short turn of the event loop in which no connection was accepted, or after `QUIET_MS_MAX`. Closing a listening
 * socket resets the connections that wait to be accepted, and loses the requests that a proxy has sent on them.
 */
function afterQuietTurn(server: NetServer, act: () => void): void {
  const deadline = performance.now() + QUIET_MS_MAX;
  let accepted = 1; // so that the first turn does not count
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
