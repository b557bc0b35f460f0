/** The HTTP server around an Express app. What Node would answer by itself is answered in the contract's form. */
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
import { Connections, type Serve } from './connections';
import type { ErrorBodies } from './error-body';
import { noSuchPath, sendError } from './errors';
import { lastResponse } from './last-response';
import { messageClasses } from './message-classes';
import { type ClientError, refuse } from './parse-errors';
import { closeServer } from './shutdown';
import { originTarget } from './target';
import { type TlsFiles, tlsListener } from './tls';

export interface ServerLimits {
  /** How long the request line and headers may take to arrive. */
  headersMs: number;
  /** How long a whole request may take to arrive. */
  requestMs: number;
  /** How long an idle connection is kept. Longer than proxies keep theirs, or they use one that is about to be closed. */
  idleMs: number;
  /** How long a client may leave what is sent to it unread. */
  sendMs: number;
  /** How large the request line and headers may be together. */
  headerBytesMax: number;
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 72_000,
  sendMs: 30_000,
  headerBytesMax: 16_384,
};

export interface ServerOptions {
  limits?: ServerLimits;
  /** Serves HTTPS. */
  tls?: TlsFiles | undefined;
  /** The origins whose pages may read what is refused below the app. */
  corsOrigins?: readonly string[];
  /** How errors are written that the app does not write. */
  errorBodies?: ErrorBodies | undefined;
  /** Told of each answer that Node's parser has caused, not the app. */
  observeRefusal?: ((res: ServerResponse, code: number) => void) | undefined;
}

export interface HttpServer {
  /** Takes connections from wherever they come, and need not listen. */
  http: Server;
  /** Listens, and resolves to the port; rejects if it is taken, or not ours to take. */
  listen(host: string, port: number): Promise<number>;
  /** Has another app answer, and another one's errors be written, from the next request on. */
  replaceApp(app: Express, errorBodies: ErrorBodies): void;
  /** Makes every answer from now on the last of its connection, so that its client looks for another server. */
  endKeepAlive(): void;
  /** When the certificate in use ends, in milliseconds since 1970; undefined without one. */
  certificateEnd: (() => number) | undefined;
  /** See `closeServer`. */
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
  const connections = limitConnections(http, limits, serve);
  http.on('connect', (req: IncomingMessage, socket: Socket) => {
    // Node has removed its listeners from the socket.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => connections.of(socket)?.timeOut());
    connections.of(socket)?.afterAnswers(() => serve(req, lastResponse(socket, req)));
  });
  const refusing = {
    log,
    headerBytesMax: limits.headerBytesMax,
    corsOrigins,
    get errorBodies() {
      return serving.errorBodies;
    },
    serve,
    observe: observeRefusal,
  };
  http.on('clientError', (error: ClientError, socket: Socket) => {
    const connection = connections.of(socket);
    if (connection && socket.writable) refuse(error, connection, refusing);
  });
  const { listener, handshakes, certificateEnd } = tls
    ? tlsListener(http, tls, log)
    : { listener: http, handshakes: new Map<string, Socket>(), certificateEnd: undefined };
  // Such as a connection that could not be accepted. While it is not listening yet, `listen` rejects.
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

/** What Node is told of the limits, for a server that is given to `limitConnections` as well. */
export function optionsOf(limits: ServerLimits): HttpOptions {
  return {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: limits.headerBytesMax,
    requireHostHeader: false, // the app refuses, with a body
    noDelay: true,
  };
}

/** Has the server call `serve` for as many requests as its connections may have, `servedMax` at a time for each. */
export function limitConnections(
  server: Server,
  { sendMs }: ServerLimits,
  serve: Serve,
  servedMax?: number,
): Connections {
  server.maxHeadersCount = 0; // their size is bounded; Node would drop those beyond a count silently
  server.timeout = sendMs; // without anything received or sent: see Connection.timeOut
  return new Connections(server, serve, servedMax);
}

/** Listens, and resolves to the port; rejects if it is taken, or not ours to take. `variable` is what sets the port. */
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

/** Calls the app. Where Express would write an HTML page of its own, for example for a target without a path, an `Error` is sent. */
function answering(serving: { app: Express; errorBodies: ErrorBodies | undefined }, log: Logger): Serve {
  return function answerRequest(req, res) {
    const { app, errorBodies } = serving;
    // A cast, not a conversion: messageClasses has given them Express's prototypes.
    app(req as Request, res as Response, (error: unknown) => {
      if (error) log.error({ err: error }, 'an error could not be written');
      if (res.headersSent) res.destroy();
      else sendError(req, res, error || unroutable(req), log, errorBodies);
    });
  };
}

/** Why Express finds no path in a target: it is malformed, which versions of Node differ in, or has none. */
function unroutable({ url = '' }: IncomingMessage): unknown {
  try {
    originTarget(url);
    return noSuchPath();
  } catch (malformed) {
    return malformed;
  }
}
