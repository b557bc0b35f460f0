/** The access log: a line for each request with its principal, operation and path parameters; never a token, a body or a query. */
import type { Logger } from 'pino';
import { clientOf } from './client-network';
import type { Exchange, Observe } from './exchange';
import { requestId, traceId } from './request-id';
import { pathOf } from './target';

/** The length limit of a logged path that is not in the contract, and of each path parameter. */
const PATH_LENGTH_MAX = 200;

/** Characters that are in no address: a proxy may forward whatever the client has sent, such as escape codes of terminals. */
const UNSAFE = /[^\w.:%/[\]-]/g;

export function accessLog(log: Logger): Observe {
  return function logRequest(exchange) {
    if (!log.isLevelEnabled('info')) return;
    const { req, res } = exchange;
    const start = performance.now();
    const { method } = req;
    const client = clientOf(req)?.replace(UNSAFE, '?'); // unavailable once the connection is closed
    res.once('close', () => {
      const { operation, principal, leftOut, error, reason } = exchange;
      log.info(
        {
          id: requestId(req),
          trace: traceId(req),
          method,
          path: operation?.path ?? pathOf(req.url).slice(0, PATH_LENGTH_MAX),
          operation: operation?.id,
          ids: idsOf(exchange),
          status: res.writableFinished ? res.statusCode : 'aborted',
          leftOut,
          error,
          reason,
          ms: Math.round((performance.now() - start) * 1000) / 1000,
          bytes: res.bodyBytes ?? 0,
          client,
          refusedOrigin: refusedOrigin(exchange),
          principal: principal?.name,
        },
        'request',
      );
    });
  };
}

/** The origin of a page that CORS does not allow to read the answer; undefined if there is none. */
function refusedOrigin({ req, res }: Exchange): string | undefined {
  const { origin, host } = req.headers;
  if (origin === undefined || origin.endsWith(`//${host}`) || res.hasHeader('Access-Control-Allow-Origin'))
    return undefined;
  return origin.slice(0, PATH_LENGTH_MAX).replace(UNSAFE, '?');
}

/** The path parameters that may be logged; undefined if there are none. */
function idsOf({ operation, path = {} }: Exchange): Record<string, string | undefined> | undefined {
  if (!operation || operation.ids.length === 0) return undefined;
  return Object.fromEntries(operation.ids.map((name) => [name, path[name]?.slice(0, PATH_LENGTH_MAX)]));
}
