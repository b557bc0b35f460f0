/**
 * The HTTP server around an Express app: what arrives below Express is answered here, in the same form as everything else,
 * and what is under way when the process is asked to stop is finished.
 */
import { createServer as createHttpServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ErrorCode } from '../../generated/openapi';
import { ApiError } from '../api-error';
import { send } from './answer';
import { breakOff } from './body';
import { asApiError, errorAnswer, noSuchPath } from './errors';

export interface ServerLimits {
  /** How long the request line and headers may take to arrive. */
  headersMs: number;
  /** How long a whole request may take to arrive. */
  requestMs: number;
  /** How long an idle connection is kept. */
  idleMs: number;
  /** How large the request line and headers may be together. */
  headerBytesMax: number;
}

export const serverLimits: ServerLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 5_000,
  headerBytesMax: 16_384,
};

/** How long a connection stays half open after its last answer, so that the client can read that before the reset. */
const LINGER_MS = 500;

/** How long a connection that is idle when the server closes may still bring a request. */
const LAST_REQUEST_MS = 500;

/** The connections of each server. */
const connections = new WeakMap<Server, Set<Socket>>();

/** A server for the app, not yet listening. */
export function createServer(app: Express, log: Logger, limits: ServerLimits = serverLimits): Server {
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
  server.maxHeadersCount = 0; // the size is bounded; headers beyond a count would be dropped silently
  const serve = answering(app, log);
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.destroySoon = () => closeGently(socket); // which Node calls after an answer with "Connection: close"
  });
  server.on('request', serve);
  server.on('checkContinue', serve); // "100 Continue" is sent by whoever reads the body
  server.on('checkExpectation', serve); // and any other expectation refused with what else HTTP does not allow
  server.on('connect', (req: IncomingMessage, socket: Socket) => serve(req, responseOn(socket, req)));
  server.on('clientError', (error: { code?: string }, socket: Socket) => refuse(error, socket, log, limits));
  return server;
}

/** Listens, and resolves to the port; rejects where it is taken, or not ours to take. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new Error(
          `cannot listen on ${host}:${port} (${cause.message}): expected HOST and PORT to be free for this process`,
          { cause },
        ),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
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

/**
 * Classes of messages that already have the prototypes which Express gives to every request and response. Changing a
 * prototype throws away the shape that V8 knows the object by, and with it three quarters of the speed.
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

/** The app; where Express would write a page of its own, because of a target without a path for one, an `Error` is sent. */
function answering(app: Express, log: Logger): (req: IncomingMessage, res: ServerResponse) => void {
  return function answerRequest(req, res) {
    // Express makes them its own.
    app(req as Request, res as Response, (error: unknown) => {
      if (error) log.error({ err: error }, 'an error could not be written');
      if (res.headersSent) res.destroy();
      else send(req, res, errorAnswer(error ? asApiError(error) : noSuchPath()));
    });
  };
}

function clientError({ code }: { code?: string }, limits: ServerLimits): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        ErrorCode.HeadersTooLarge,
        `expected a request line and headers of at most ${limits.headerBytesMax} bytes`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(ErrorCode.RequestTimeout, 'the request did not arrive in time');
    default:
      return new ApiError(ErrorCode.MalformedRequest, 'expected an HTTP/1.1 request');
  }
}

/**
 * Sees to it that what Node's parser has refused is answered. What came before on the connection has been understood, and
 * is answered first; what is wrong within a body is for whoever reads the body.
 */
function refuse(error: { code?: string }, socket: Socket, log: Logger, limits: ServerLimits): void {
  if (!socket.writable) return;
  socket.pause(); // nothing that still comes can be understood
  const known = clientError(error, limits);
  const current = currentResponse(socket);
  if (current?.req.complete) {
    current.once('close', () => refuse(error, socket, log, limits));
  } else if (current) {
    breakOff(current.req, known);
  } else {
    const req = new IncomingMessage(socket);
    req.complete = true; // the rest of what has no beginning is nothing
    send(req, responseOn(socket, req), errorAnswer(known));
    log.info({ status: known.status, error: known.code }, 'request refused');
  }
}

/** The response that is under way on a connection; Node keeps it there. */
function currentResponse(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse ? message : undefined;
}

/** A response on a connection that Node's parser has let go of: it is the last. */
function responseOn(socket: Socket, req: IncomingMessage): ServerResponse {
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket);
  res.on('finish', () => closeGently(socket));
  socket.on('error', () => socket.destroy()); // the client has gone, and nobody else would notice
  return res;
}

/**
 * Says that nothing more will be sent, and cuts the connection only some time after. Closed at once, with bytes of the
 * client unread, it would be reset, and the client might never see the answer (RFC 9112 section 9.6).
 */
function closeGently(socket: Socket): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
