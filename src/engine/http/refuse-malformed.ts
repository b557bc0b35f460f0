/** Refuses requests that Node's parser accepts although they violate HTTP, or are ambiguous. */
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { isAuthority } from './authority';
import { malformed, versionNotSupported } from './errors';
import { originTarget } from './target';

/** Headers that must not repeat: Node would keep the first and drop the others (request smuggling, RFC 9112 section 11.2). */
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** The largest number of headers that Node keeps while they come: in 16 KiB there is room for 4,000, each of which takes memory. */
export const HEADERS_MAX = 200;

/** Throws an ApiError for such a request; brings its target to origin form. */
export function refuseMalformed(req: Request): void {
  // Node may have dropped what came behind them.
  if (req.rawHeaders.length >= 2 * HEADERS_MAX)
    throw new ApiError(ErrorCode.HeadersTooLarge, `expected fewer than ${HEADERS_MAX} headers`);
  refuseRepeated(req);
  refuseFraming(req);
  if (!req.url.startsWith('/') || req.url.includes('%')) req.url = req.originalUrl = originTarget(req.url);
}

function refuseRepeated({ rawHeaders }: IncomingMessage): void {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Fast path: the length rules out most header names.
    if (name.length !== 4 && name.length !== 12 && name.length !== 13) continue;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.includes(lower)) throw malformed(`one ${lower} header, got several`);
    seen += lower;
  }
}

/** True for a request whose end another recipient may see elsewhere, so that what follows it is not to be served (RFC 9112 section 6.1). */
export function isFramedInDoubt({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked');
}

/** Refuses headers by which a proxy could see another end of the request, or another host. */
function refuseFraming(req: IncomingMessage): void {
  const { httpVersion, headers } = req;
  const { host, expect } = headers;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw versionNotSupported();
  if (host === undefined ? httpVersion === '1.1' : !isAuthority(host)) throw malformed('a host header with a host');
  if (isFramedInDoubt(req))
    throw malformed(httpVersion === '1.0' ? 'no Transfer-Encoding in HTTP/1.0' : 'no Transfer-Encoding but chunked');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError(ErrorCode.ExpectationFailed, 'expected no Expect header, or 100-continue');
}
