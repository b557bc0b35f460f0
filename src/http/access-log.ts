/** One line for each request: method, path template, status, error code and duration; never a token, a body or a query. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

export function accessLog(log: Logger): RequestHandler {
  return function logRequest(req, res, next) {
    if (log.isLevelEnabled('info')) {
      const start = performance.now();
      res.once('close', () => {
        const { method, operation, principal } = req;
        const ms = Math.round((performance.now() - start) * 1000) / 1000;
        const { error } = res.locals;
        const status = res.writableFinished ? res.statusCode : 'aborted';
        log.info({ method, path: operation?.path, status, error, ms, principal: principal?.name }, 'request');
      });
    }
    next();
  };
}
