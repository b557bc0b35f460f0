/** CORS: lets pages of other origins call the API (https://fetch.spec.whatwg.org/#http-cors-protocol). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContractOperation } from '../contract/operations';
import { send } from './send';
import { pathOf } from './target';

/** Headers of any answer that a page may read, besides those that it always may. */
const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Allow', 'X-Request-Id'];
/** Headers that a page always may read, or never. */
const SETTLED = /^(?:cache-control|content-(?:language|length|type)|expires|last-modified|pragma|set-cookie2?)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** The time for which a browser may cache the answer to a preflight. */
const MAX_AGE_SECONDS = 600;
/** The syntax of Access-Control-Request-Headers. */
const HEADER_NAMES = /^[\w-]+(?:, ?[\w-]+)*$/;

/** The names of the headers that answers of the operations may have and a page may read: those of `EXPOSED`, then the declared ones. */
function exposedHeaders(operations: readonly ContractOperation[]): readonly string[] {
  const declared = operations.flatMap(({ responses, lifecycle }) => [
    ...Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    ...Object.keys(lifecycle.headers),
    ...('206' in responses ? ['Accept-Ranges', 'Content-Range'] : []), // of conditions.ts
  ]);
  const byName = new Map(EXPOSED.map((name) => [name.toLowerCase(), name]));
  for (const name of declared)
    if (HEADER_NAME.test(name) && !SETTLED.test(name) && !byName.has(name.toLowerCase()))
      byName.set(name.toLowerCase(), name);
  return [...byName.values()];
}

/** The CORS headers of an answer to a request of an origin, if it is one of the allowed origins; `*` allows any. */
export function originHeaders(
  origins: readonly string[],
  origin: string | undefined,
  exposed = EXPOSED.join(', '),
): Record<string, string> {
  if (origins.length === 0) return {};
  const any = origins.includes('*');
  return {
    ...(!any && { Vary: 'Origin' }),
    ...(origin !== undefined &&
      (any || origins.includes(origin)) && {
        'Access-Control-Allow-Origin': any ? '*' : origin,
        'Access-Control-Expose-Headers': exposed,
      }),
  };
}

export interface Cors {
  /** Lets pages of the allowed origins read whatever the request is answered with. */
  allowOrigin(req: IncomingMessage, res: ServerResponse): void;
  /** Answers the preflight of a declared method, and returns true then. */
  answersPreflight(req: IncomingMessage, res: ServerResponse): boolean;
}

/** CORS for pages of these origins and these operations; others are not affected. */
export function corsFor(
  origins: readonly string[],
  methodsOf: (path: string) => readonly string[],
  operations: readonly ContractOperation[],
): Cors {
  const exposed = exposedHeaders(operations).join(', ');
  return {
    allowOrigin(req, res) {
      const headers = originHeaders(origins, req.headers.origin, exposed);
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    },
    answersPreflight(req, res) {
      if (req.method !== 'OPTIONS' || !res.hasHeader('Access-Control-Allow-Origin')) return false;
      const { 'access-control-request-method': asked, 'access-control-request-headers': headers = '' } = req.headers;
      if (asked === undefined || !methodsOf(pathOf(req.url ?? '')).includes(asked)) return false;
      send(req, res, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': asked,
          ...(HEADER_NAMES.test(headers) && { 'Access-Control-Allow-Headers': headers }),
          'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
        },
      });
      return true;
    },
  };
}
