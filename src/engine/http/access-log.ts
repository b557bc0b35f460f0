/** One line for every request: who did what to which; never a token, a body or a query. */
import type { Logger } from 'pino';
import type { Exchange, Observe } from './exchange';
import { requestId, traceId } from './request-id';
import { pathOf } from './target';

/** The most of a path that is logged if the contract has no template for it, and of each of its parameters if it has. */
const PATH_LENGTH_MAX = 200;

/** What no address has: one that a proxy forwards is whatever the client has sent it, for a terminal to act on. */
const UNSAFE = /[^\w.:%[\]-]/g;

export function accessLog(log: Logger): Observe {
  return function logRequest(exchange) {
    if (!log.isLevelEnabled('info')) return;
    const { req, res } = exchange;
    const start = performance.now();
    const { method } = req;
    const client = req.ip?.replace(UNSAFE, '?'); // the address is gone when the connection is
    res.once('close', () => {
      const { operation, principal, error, reason } = exchange;
      log.info(
        {
          id: requestId(req),
          trace: traceId(req),
          method,
          path: operation?.path ?? pathOf(req.url).slice(0, PATH_LENGTH_MAX),
          operation: operation?.id,
          ids: idsOf(exchange),
          status: res.writableFinished ? res.statusCode : 'aborted',
          error,
          reason,
          ms: Math.round((performance.now() - start) * 1000) / 1000,
          bytes: res.bodyBytes ?? Number(res.getHeader('content-length') ?? 0),
          client,
          principal: principal?.name,
        },
        'request',
      );
    });
  };
}

/** What the request is about, by the names of the contract's path parameters; undefined if it has none. */
function idsOf({ operation, path = {} }: Exchange): Record<string, string | undefined> | undefined {
  if (!operation || operation.ids.length === 0) return undefined;
  return Object.fromEntries(operation.ids.map((name) => [name, path[name]?.slice(0, PATH_LENGTH_MAX)]));
}
