/** The Express app of a service: its middleware, in the order in which a request passes it. */
import express, { type Express } from 'express';
import { docsPath, documentation } from './docs/documentation';
import { accessLog } from './http/access-log';
import type { ReadBody } from './http/body';
import { withoutPort } from './http/client-network';
import { Comments } from './http/comments';
import { corsFor } from './http/cors';
import { writeErrors } from './http/errors';
import type { Exchange, Observe } from './http/exchange';
import { createRateLimit } from './http/rate-limit';
import { refuseMalformed } from './http/refuse-malformed';
import { requestId } from './http/request-id';
import { send } from './http/send';
import { sendStream } from './http/send-stream';
import { pathOf, queryOf } from './http/target';
import type { LoadedContract } from './rules/load-contract';
import { givenIdTest } from './operation/declared-ids';
import { type Plan, type PlanOptions, plansOf } from './operation/plan';
import { RequestSurroundings } from './operation/request-context';
import { createRouter } from './operation/router';
import { explainUnknownPath } from './operation/unknown-path';

export interface AppOptions extends PlanOptions {
  contract: LoadedContract;
  /** The path at which the API is mounted: empty, or such as `/v1`. */
  basePath: string;
  /** The rate limit of a principal in requests per second; unlimited if undefined. */
  rateLimit?: number | undefined;
  /** Returns the address of the service, known once it listens. */
  baseUrl: () => string;
  /** True to serve the documentation. */
  docs: boolean;
  /** The origins that CORS allows. */
  corsOrigins?: readonly string[];
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: readonly string[];
  /** Measures requests. */
  observeRequests?: Observe | undefined;
  /** The period in milliseconds in which repeats of an error are counted rather than logged; a second by default. */
  errorRepeatMs?: number | undefined;
  /** The interval in milliseconds of comments in event streams; 15 s by default. */
  commentMs?: number | undefined;
}

/** The app that serves the contract. */
export function createApp({ contract, basePath, baseUrl, docs, log, ...options }: AppOptions): Express {
  const { rateLimit, corsOrigins = [], trustProxy = [], observeRequests, errorRepeatMs, commentMs } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy);
  // Proxies in front of proxies may be forwarded with their ports, too.
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  app.set('trust proxy', (address: string, hop: number) => isTrusted(withoutPort(address), hop));

  const observers = [accessLog(log), observeRequests].filter((observe) => observe !== undefined);
  const router = createRouter(plansOf(contract, { ...options, log }), basePath);
  const cors = corsFor(corsOrigins, (path) => router.methodsOf(path), contract.operations);
  const answersDocumentation = documentation(contract, basePath, docs ? baseUrl : undefined);
  const rateLimiter = rateLimit === undefined ? undefined : createRateLimit(rateLimit);
  const page = docs ? docsPath(contract) : undefined;
  const explain = explainUnknownPath(
    contract.operations.map(({ path }) => basePath + path),
    basePath,
    page === undefined ? undefined : () => baseUrl() + page,
  );
  const fitsAsId = givenIdTest(contract.operations, contract.answerSchemas);
  const comments = new Comments(commentMs);
  const writeError = writeErrors(log, errorRepeatMs, contract.errorBodies.of());

  async function answer(exchange: Exchange): Promise<void> {
    const { req, res } = exchange;
    let plan: Plan | undefined;
    let body: ReadBody | undefined;
    try {
      cors.allowOrigin(req, res);
      refuseMalformed(req);
      if (cors.answersPreflight(req, res) || answersDocumentation(req, res)) return;
      const match = router.match(req.method, pathOf(req.url));
      const { path } = match;
      plan = match.plan;
      exchange.operation = plan.operation;
      exchange.path = path;
      const admitted = plan.authenticate(req);
      const admission = admitted instanceof Promise ? await admitted : admitted;
      const principal = admission?.principal;
      exchange.principal = principal;
      if (rateLimiter && principal) await (await rateLimiter)(principal.name);
      const reading = plan.readBody(req, res, principal);
      body = reading instanceof Promise ? await reading : reading;
      const { headers, rawHeaders } = req;
      const request = plan.validate({ path, query: queryOf(req.url), headers, rawHeaders, read: body }, exchange);
      const context = new RequestSurroundings(exchange, admission?.principals ?? {}, log, baseUrl);
      const given = await plan.handle({ ...request, principal }, context, req.headers);
      const answered = plan.answerOf(given, req);
      if ('stream' in answered) await sendStream(exchange, answered, log, comments);
      else send(req, res, answered);
    } catch (error) {
      writeError(exchange, plan ? error : explain(error, pathOf(req.url)), plan?.errorBody, plan?.errorIds);
    } finally {
      body?.release();
    }
  }

  // One middleware for every path: the contract defines the paths.
  app.use(function answerRequest(req, res, next) {
    const exchange: Exchange = { req, res };
    requestId(req, fitsAsId);
    for (const observe of observers) observe(exchange);
    answer(exchange).catch(next); // an error that cannot be written
  });
  return app;
}
