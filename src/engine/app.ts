/** The way of a request, from top to bottom. */
import { parse as parseQuery } from 'node:querystring';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { authenticate, type Verifiers } from './auth/authenticate';
import type { Contract } from './contract/operations';
import { dispatch } from './validation/dispatch';
import type { Handlers } from './contract/handler-types';
import { matchOperation } from './validation/match';
import { validateRequests } from './validation/validate';
import { documentation } from './docs/documentation';
import { allowOrigins } from './http/cors';
import { accessLog } from './http/access-log';
import { readBody } from './http/body';
import { writeErrors } from './http/errors';
import { namePaths } from './http/name-paths';
import { refuseMalformed } from './http/refuse-malformed';

export interface AppOptions {
  contract: Contract;
  handlers: Handlers;
  verifiers: Verifiers;
  /** Where the API is mounted: empty, or `/v1` and the like. */
  basePath: string;
  bodyBytesMax: number;
  /** Whether an answer that is not in the contract is an internal error; otherwise it is reported, and sent. */
  enforceAnswers: boolean;
  /** The address of the service, known once it listens; left out where no documentation is to be served. */
  docsBaseUrl?: (() => string) | undefined;
  /** The origins whose pages may call. */
  corsOrigins?: readonly string[];
  /** The proxies whose word on the client's address is taken. */
  trustProxy?: readonly string[];
  /** A stage that measures requests. */
  observeRequests?: RequestHandler | undefined;
  log: Logger;
  /** For how long an error that comes again is counted rather than logged; a second unless said otherwise. */
  errorRepeatMs?: number | undefined;
}

/** The app that serves the contract; rejects where the contract cannot be served. */
// eslint-disable-next-line @typescript-eslint/require-await
export async function createApp({
  contract,
  handlers,
  verifiers,
  basePath,
  bodyBytesMax,
  enforceAnswers,
  docsBaseUrl,
  corsOrigins = [],
  trustProxy = [],
  observeRequests = skip,
  log,
  errorRepeatMs,
}: AppOptions): Promise<Express> {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  // Express's own would drop what comes after the first thousand.
  app.set('query parser', (query: string) => parseQuery(query, '&', '=', { maxKeys: 0 }));
  app.set('trust proxy', trustProxy);
  const match = matchOperation(contract, basePath);

  // One route for every path: which paths there are, the contract says.
  app
    .route(/^/)
    .all(observeRequests)
    .all(accessLog(log))
    .all(refuseMalformed)
    .all(allowOrigins(corsOrigins, match))
    .all(documentation(contract, basePath, docsBaseUrl))
    .all(match)
    .all(authenticate(verifiers, contract.document.components?.securitySchemes))
    .all(readBody(bodyBytesMax))
    .all(validateRequests(contract))
    .all(dispatch(contract, handlers, log, { enforceAnswers }));
  app.use(
    namePaths(
      contract.operations.map(({ path }) => basePath + path),
      docsBaseUrl && (() => `${docsBaseUrl()}/docs`),
    ),
  );
  app.use(writeErrors(log, errorRepeatMs));
  return app;
}

const skip: RequestHandler = function observeRequests(_req, _res, next) {
  next();
};
