/** The HTTP server around an Express app. Errors that Node or Express would answer themselves have the contract's shape too. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions as HttpOptions,
  type ServerResponse,
} from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';
import { type ConnectionLimits, Connections, type Serve } from './connections';
import { connectionsMax } from './descriptors';
import type { ErrorBodies } from '../errors/error-body';
import { noSuchPath, sendError } from './errors';
import { lastResponse } from './last-response';
import { messageClasses } from './message-classes';
import { type ClientError, refuse } from './parser-errors';
import { HEADERS_MAX } from './refuse-malformed';
import { closeServer } from './shutdown';
import { originTarget } from './target';
import { handshakesMax, SOCKETS, type TlsFiles, tlsListener } from './tls';

export interface ServerLimits extends ConnectionLimits {
  /** The time limit for the arrival of the request line and headers. */
  headersMs: number;
  /** The time limit for the arrival of a whole request. */
  requestMs: number;
  /** The time for which an idle connection is kept: longer than proxies keep theirs, so that they never use one that is being closed. */
  idleMs: number;
  /** The size limit of the request line and headers together. */
  headerBytesMax: number;
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 72_000,
  sendMs: 30_000,
  sendBytesPerSecondMin: 1_000,
  connectionsMax: connectionsMax(),
  headerBytesMax: 16_384,
};

export interface ServerOptions {
  limits?: ServerLimits;
  tls?: TlsFiles | undefined;
  /** The origins whose pages may read the answers that do not come from the app. */
  corsOrigins?: readonly string[];
  /** The bodies of errors that do not come from the app. */
  errorBodies?: ErrorBodies | undefined;
  /** Called for each answer to an error of Node's parser. */
  observeRefusal?: ((res: ServerResponse, code: number) => void) | undefined;
}

export interface HttpServer {
  /** The HTTP server, which serves the connections that are emitted on it, also if it does not listen. */
  http: Server;
  /** Listens, and resolves to the port; rejects if the port is not available. */
  listen(host: string, port: number): Promise<number>;
  /** Replaces the app and its bodies of errors from the next request on. */
  replaceApp(app: Express, errorBodies: ErrorBodies): void;
  /** Makes every answer the last of its connection, so that clients and load balancers switch to other servers. */
  endKeepAlive(): void;
  /** The time when the certificate in use expires, in milliseconds since 1970; undefined without one. */
  certificateEnd: (() => number) | undefined;
  close(graceMs: number): Promise<void>;
}

/** A server for the app, not yet listening; throws if the files for TLS cannot be used. */
export function createServer(
  app: Express,
  log: Logger,
  { limits = serverLimits, tls, corsOrigins = [], errorBodies, observeRefusal = () => undefined }: ServerOptions = {},
): HttpServer {
  const http = createHttpServer({ ...messageClasses(app), ...optionsOf(limits) });
  const serving = { app, errorBodies };
  const serve = answering(serving, log);
  const handshaking = tls ? handshakesMax(limits.connectionsMax) : 0;
  const secured = { ...limits, connectionsMax: limits.connectionsMax - handshaking };
  const connections = limitConnections(http, secured, serve, undefined, logFull(log, limits));
  http.on('connect', (req: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const connection = connections.of(socket);
    // Node has removed its listeners from the socket: answers on their way would wait for a client that reads, and not see that it goes.
    if (connection?.isIdle) connection.afterAnswers(() => serve(req, lastResponse(socket, req)));
    else socket.destroy();
  });
  http.on('clientError', (error: ClientError, socket: Socket) => {
    const connection = connections.of(socket);
    if (!connection || !socket.writable) return;
    const { headerBytesMax } = limits;
    const { errorBodies } = serving;
    refuse(error, connection, { log, headerBytesMax, corsOrigins, errorBodies, serve, observe: observeRefusal });
  });
  const { listener, handshakes, certificateEnd } = tls
    ? tlsListener(http, tls, log, handshaking)
    : { listener: http, handshakes: new Map<string, Socket>(), certificateEnd: undefined };
  // Such as a connection that could not be accepted. Before the server listens, `listen` rejects instead.
  listener.once('listening', () =>
    listener.on('error', (err) => log.error({ err }, 'the listening socket has failed')),
  );
  return {
    http,
    listen: (host, port) => listen(listener, host, port),
    certificateEnd,
    replaceApp: (...next) => ([serving.app, serving.errorBodies] = next),
    endKeepAlive: () => (connections.isEnding = true),
    close: (graceMs) => closeServer({ http, listener, connections, handshakes }, graceMs),
  };
}

/** The limits as Node's options, for a server that is given to `limitConnections` as well. */
export function optionsOf(limits: ServerLimits): HttpOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: limits.headerBytesMax,
    insecureHTTPParser: false, // in spite of NODE_OPTIONS
    requireHostHeader: false, // refused by the app, with a body
    ...SOCKETS,
  };
}

/** Calls `serve` for the requests of the server, `servedMax` at a time for each connection. */
export function limitConnections(
  server: Server,
  limits: ServerLimits,
  serve: Serve,
  servedMax?: number,
  onFull?: () => void,
): Connections {
  server.maxHeadersCount = HEADERS_MAX; // Node drops the rest before version 24, and refuseMalformed refuses the request
  server.timeout = limits.sendMs; // the time in which nothing is received or sent: see Connection.timeOut
  return new Connections(server, serve, limits, servedMax, onFull);
}

/** A function that logs, at most once a second, that there are too many connections. */
function logFull(log: Logger, limits: ServerLimits): () => void {
  let last = -Infinity;
  return () => {
    if (performance.now() - last < 1_000) return;
    last = performance.now();
    const advice =
      'as many connections are open as there may be by the limits of heap and file descriptors: others are closed';
    log.warn({ connections: limits.connectionsMax }, advice);
  };
}

/** Listens, and resolves to the port; rejects if it is not available. `variable` is the name of the variable for the port. */
export function listen(server: NetServer, host: string, port: number, variable = 'PORT'): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(
        new Error(
          `cannot listen on ${host}:${port} (${cause.message}): expected HOST and ${variable} to be free for this process`,
          { cause },
        ),
      );
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** A listener that calls the app. It sends an error where Express would answer with a page of its own, for example to a target without a path. */
function answering(serving: { app: Express; errorBodies: ErrorBodies | undefined }, log: Logger): Serve {
  return function answerRequest(req, res) {
    const { app, errorBodies } = serving;
    // A cast, not a conversion: messageClasses has given them Express's prototypes.
    app(req as Request, res as Response, (error: unknown) => {
      if (error) log.error({ err: error }, 'an error could not be written');
      if (res.headersSent) res.destroy();
      else sendError(req, res, error || unroutable(req), log, errorBodies?.of());
    });
  };
}

/** The reason why Express finds no path in a target: it is malformed, depending on the version of Node, or it has none. */
function unroutable({ url = '' }: IncomingMessage): unknown {
  try {
    originTarget(url);
    return noSuchPath();
  } catch (malformed) {
    return malformed;
  }
}
