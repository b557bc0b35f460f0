/** Lets the pages of other origins call the API from a browser (https://fetch.spec.whatwg.org/#http-cors-protocol). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { send } from './send';
import { pathOf } from './target';

/** What a page may read of an answer, besides what it may always read. */
const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Allow', 'X-Request-Id'].join(', ');
/** How long a browser may remember the answer to a preflight. */
const MAX_AGE_SECONDS = 600;
/** Names of headers, as a browser asks for them. */
const HEADER_NAMES = /^[\w-]+(?:, ?[\w-]+)*$/;

/**
 * A function that allows requests of these origins, `*` being any, and answers their preflights if the path has the method that they
 * ask for; returns whether it has answered. Anyone else is answered as if it were not there.
 */
export function allowOrigins(
  origins: readonly string[],
  methodsOf: (path: string) => readonly string[],
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const any = origins.includes('*');
  return function allowOrigin(req, res) {
    if (origins.length === 0) return false;
    const { origin, 'access-control-request-method': asked } = req.headers;
    if (!any) res.setHeader('Vary', 'Origin');
    if (origin === undefined || !(any || origins.includes(origin))) return false;
    res.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
    res.setHeader('Access-Control-Expose-Headers', EXPOSED);
    if (req.method !== 'OPTIONS' || asked === undefined || !methodsOf(pathOf(req.url ?? '')).includes(asked))
      return false;
    const headers = req.headers['access-control-request-headers'] ?? '';
    send(req, res, {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': asked,
        ...(HEADER_NAMES.test(headers) && { 'Access-Control-Allow-Headers': headers }),
        'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
      },
    });
    return true;
  };
}
