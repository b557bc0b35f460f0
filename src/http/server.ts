/** The HTTP server around an Express app: what Express does not see is answered in the same form as everything else. */
import { createServer as createHttpServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import type { Logger } from 'pino';
import { send } from './send';
import { asApiError, errorAnswer, noSuchPath } from './errors';
import { closeGently, refuse, responseOn } from './parse-errors';
import { trackConnections } from './shutdown';

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
  trackConnections(server);
  server.on('connection', (socket: Socket) => {
    socket.destroySoon = () => closeGently(socket); // which Node calls after an answer with "Connection: close"
  });
  server.on('request', serve);
  server.on('checkContinue', serve); // "100 Continue" is sent by whoever reads the body
  server.on('checkExpectation', serve); // and any other expectation refused with what else HTTP does not allow
  server.on('connect', (req: IncomingMessage, socket: Socket) => serve(req, responseOn(socket, req)));
  server.on('clientError', (error: { code?: string }, socket: Socket) =>
    refuse(error, socket, log, limits.headerBytesMax),
  );
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
