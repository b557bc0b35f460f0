/** The HTTP server around an Express app. What Node would answer by itself is answered in the contract's form. */
import { createServer as createHttpServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Connections } from './connections';
import { noSuchPath, sendError } from './errors';
import { lastResponse } from './last-response';
import { type ClientError, refuse } from './parse-errors';
import { rememberConnections } from './shutdown';

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

/** A server for the app, not yet listening. `observeRefusal` is told of each answer that Node's parser has caused, not the app. */
export function createServer(
  app: Express,
  log: Logger,
  limits: ServerLimits = serverLimits,
  observeRefusal: (res: ServerResponse, code: number) => void = () => undefined,
): Server {
  const server = createHttpServer({
    ...messageClasses(app),
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: limits.headerBytesMax,
    requireHostHeader: false, // the app refuses, with a body
    noDelay: true,
  });
  server.maxHeadersCount = 0; // their size is bounded; Node would drop those beyond a count silently
  server.timeout = limits.sendMs; // without anything received or sent: see Connection.timeOut
  const serve = answering(app, log);
  const connections = new Connections(server, serve);
  rememberConnections(server, connections);
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    // Node has removed its listeners from the socket.
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => connections.of(socket)?.timeOut());
    connections.of(socket)?.afterAnswers(() => serve(req, lastResponse(socket, req)));
  });
  const refusing = { log, headerBytesMax: limits.headerBytesMax, serve, observe: observeRefusal };
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const connection = connections.of(socket);
    if (connection && socket.writable) refuse(error, connection, refusing);
  });
  // Such as a connection that could not be accepted. While it is not listening yet, `listen` rejects.
  server.once('listening', () => server.on('error', (err) => log.error({ err }, 'the listening socket has failed')));
  return server;
}

/** Listens, and resolves to the port; rejects where it is taken, or not ours to take. `variable` is what sets the port. */
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

/**
 * Message classes whose prototypes are those that Express sets on every request and response. Setting another prototype would throw
 * away the hidden class of the object, and cost three quarters of the speed.
 */
function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = based(AppRequest.prototype, app.request);
  app.response = based(AppResponse.prototype, app.response);
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function based<Base extends object>(prototype: object, base: Base): Base {
  return Object.setPrototypeOf(prototype, base) as Base;
}

/** Calls the app. Where Express would write an HTML page of its own, for example for a target without a path, an `Error` is sent. */
function answering(app: Express, log: Logger): (req: IncomingMessage, res: ServerResponse) => void {
  return function answerRequest(req, res) {
    // A cast, not a conversion: messageClasses has given them Express's prototypes.
    app(req as Request, res as Response, (error: unknown) => {
      if (error) log.error({ err: error }, 'an error could not be written');
      if (res.headersSent) res.destroy();
      else sendError(req, res, error || noSuchPath(), log);
    });
  };
}
