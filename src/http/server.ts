/**
 * The HTTP server around an Express app: what arrives below Express is answered here, in the same form as everything else,
 * and what is under way when the process is asked to stop is finished.
 */
import {
  createServer as createHttpServer,
  IncomingMessage,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { ErrorCode } from '../../generated/openapi';
import { ApiError } from '../api-error';
import { send } from './answer';
import { errorAnswer } from './errors';

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

/** How long a connection that is refused stays half open, so that the answer arrives before the reset. */
const LINGER_MS = 500;

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
  server.on('request', app);
  server.on('checkContinue', app); // "100 Continue" is sent by whoever reads the body
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    send(
      req,
      res,
      errorAnswer(new ApiError(ErrorCode.ExpectationFailed, 'expected no Expect header, or 100-continue')),
    );
  });
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    // The parser hands the connection over, for a tunnel that there is none of.
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    if (socket instanceof Socket) res.assignSocket(socket);
    res.on('finish', () => socket.end());
    app(req, res);
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => refuse(error, socket, log, limits));
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
 * still open after `graceMs` are cut.
 */
export function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
      res.shouldKeepAlive = false;
    });
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(idle);
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

/** Answers what Node's parser has refused, unless an answer has begun or nobody is there to read it; then closes. */
function refuse(error: Error & { code?: string }, socket: Duplex, log: Logger, limits: ServerLimits): void {
  const answered = responseOn(socket);
  if (!socket.writable || answered?.headersSent || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = clientError(error, limits);
  const { status, headers = {}, content } = errorAnswer(known);
  const body = content?.text ?? '';
  const all = {
    ...headers,
    'Content-Type': content?.mediaType,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries({ ...all, Date: new Date().toUTCString() }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  log.info({ status, error: known.code }, 'request refused');
}

/** The response that is under way on a connection; Node keeps it there. */
function responseOn(socket: Duplex): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse ? message : undefined;
}
