/** The way of a request, from top to bottom. */
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { createAuthenticate, type Verifiers } from './auth/authenticate';
import type { AnyHandlers } from './contract/handler-types';
import { documentation } from './docs/documentation';
import { accessLog } from './http/access-log';
import { bodyReader, type Reader } from './http/body';
import { allowOrigins } from './http/cors';
import { writeErrors } from './http/errors';
import type { Exchange, Observe } from './http/exchange';
import { createRateLimit } from './http/rate-limit';
import { refuseMalformed } from './http/refuse-malformed';
import { send } from './http/send';
import { pathOf, queryOf } from './http/target';
import type { LoadedContract } from './rules/load-contract';
import { dispatcher, type Mock } from './operation/dispatch';
import { createRouter } from './operation/router';
import { explainUnknownPath } from './operation/unknown-path';
import { validators } from './operation/validator';

export interface AppOptions {
  contract: LoadedContract;
  handlers: AnyHandlers;
  verifiers: Verifiers;
  /** The path at which the API is mounted: empty, or such as `/v1`. */
  basePath: string;
  bodyBytesMax: number;
  /** For bodies of further media types. */
  readers?: Readonly<Record<string, Reader>> | undefined;
  /** How many requests a second a principal may send; unlimited if undefined. */
  rateLimit?: number | undefined;
  /** Whether an answer that breaks the contract becomes an internal error; otherwise it is logged, and sent. */
  enforceAnswers: boolean;
  /** Answers for operations that have no handler. */
  mock?: Mock | undefined;
  /** The address of the service, which is known once it listens; undefined to serve no documentation. */
  docsBaseUrl?: (() => string) | undefined;
  /** The origins whose pages may call. */
  corsOrigins?: readonly string[];
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: readonly string[];
  /** Measures requests. */
  observeRequests?: Observe | undefined;
  log: Logger;
  /** For how long an error that repeats is counted rather than logged; a second by default. */
  errorRepeatMs?: number | undefined;
}

/** The app that serves the contract. */
export function createApp({
  contract,
  handlers,
  verifiers,
  basePath,
  bodyBytesMax,
  readers,
  rateLimit,
  enforceAnswers,
  mock,
  docsBaseUrl,
  corsOrigins = [],
  trustProxy = [],
  observeRequests,
  log,
  errorRepeatMs,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy);

  const observers = [accessLog(log), observeRequests].filter((observe) => observe !== undefined);
  const router = createRouter(contract.operations, basePath);
  const answersPreflight = allowOrigins(corsOrigins, (path) => router.methodsOf(path));
  const answersDocumentation = documentation(contract, basePath, docsBaseUrl);
  const authenticate = createAuthenticate(verifiers);
  const rateLimiter = rateLimit === undefined ? undefined : createRateLimit(rateLimit);
  const validatorOf = validators(contract.document);
  const readBody = bodyReader(bodyBytesMax, readers);
  const dispatch = dispatcher(contract.answerSchemas, handlers, log, { enforceAnswers, mock });
  const explain = explainUnknownPath(
    contract.operations.map(({ path }) => basePath + path),
    docsBaseUrl && (() => `${docsBaseUrl()}/docs`),
  );
  const writeError = writeErrors(log, errorRepeatMs, contract.errorBodies);

  async function answer(exchange: Exchange): Promise<void> {
    const { req, res } = exchange;
    refuseMalformed(req, res);
    if (answersPreflight(req, res) || answersDocumentation(req, res)) return;
    const { operation, path } = router.match(req.method, pathOf(req.url));
    exchange.operation = operation;
    exchange.path = path;
    const principal = await authenticate(operation, req);
    exchange.principal = principal;
    if (rateLimiter && principal) await (await rateLimiter)(principal.name);
    const body = await readBody(req, res, operation.body, principal);
    try {
      const query = queryOf(req.url);
      const request = validatorOf(operation)({ path, query, headers: req.headers, ...body });
      send(req, res, await dispatch(operation, { ...request, principal }, req.headers));
    } finally {
      body.release();
    }
  }

  // One middleware for every path: the contract decides which paths there are.
  app.use(function answerRequest(req, res, next) {
    const exchange: Exchange = { req, res };
    for (const observe of observers) observe(exchange);
    answer(exchange)
      .catch((error: unknown) => writeError(exchange, exchange.operation ? error : explain(error, pathOf(req.url))))
      .catch(next); // an error that cannot be written
  });
  return app;
}
