/** Lets the pages of other origins call the API from a browser (https://fetch.spec.whatwg.org/#http-cors-protocol). */
import type { RequestHandler } from 'express';
import { send } from './send';

/** What a page may read of an answer, besides what it may always read. */
const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Allow', 'X-Request-Id'].join(', ');
/** How long a browser may remember the answer to a preflight. */
const MAX_AGE_SECONDS = 600;
/** Methods are case-sensitive, and a contract's are in upper case. */
const METHOD = /^[A-Z]+$/;
/** Names of headers, as a browser asks for them. */
const HEADER_NAMES = /^[\w-]+(?:, ?[\w-]+)*$/;

/**
 * A stage that allows requests of these origins, `*` being any, and answers their preflights where `match` finds an operation of
 * the method that they ask for. Anyone else is answered as if this stage were not there.
 */
export function allowOrigins(origins: readonly string[], match: RequestHandler): RequestHandler {
  const any = origins.includes('*');
  return function allowOrigin(req, res, next) {
    if (origins.length === 0) return next();
    const { origin, 'access-control-request-method': asked } = req.headers;
    if (!any) res.setHeader('Vary', 'Origin');
    if (origin === undefined || !(any || origins.includes(origin))) return next();
    res.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (req.method !== 'OPTIONS' || asked === undefined || !METHOD.test(asked)) return next();

    req.method = asked;
    void match(req, res, (error?: unknown) => {
      const isDeclared = !error && req.operation !== undefined;
      req.method = 'OPTIONS';
      delete req.operation;
      if (!isDeclared) return next();
      const headers = req.headers['access-control-request-headers'] ?? '';
      send(req, res, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': asked,
          ...(HEADER_NAMES.test(headers) && { 'Access-Control-Allow-Headers': headers }),
          'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
        },
      });
    });
  };
}
