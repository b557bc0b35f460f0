/** The first stage: requests that HTTP allows and that no two readers would read alike are refused (RFC 9112). */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ErrorCode } from '../../generated/openapi';
import { ApiError } from '../api-error';

/** Of these there is one, or the request is not what it seems: the rest of Node and Express would keep the first. */
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

export const refuseMalformed: RequestHandler = (req, _res, next) => {
  refuseHeaders(req);
  if (!req.url.startsWith('/')) req.url = req.originalUrl = originForm(req.url);
  if (req.url.includes('%')) refuseEncoding(req.url);
  next();
};

function refuseHeaders({ rawHeaders, httpVersion, headers }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Cheap before exact: most names are of other lengths.
    if (name.length !== 4 && name.length !== 12 && name.length !== 13) continue;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.has(lower)) throw new ApiError(ErrorCode.MalformedRequest, `expected one ${lower} header, got several`);
    seen.add(lower);
  }
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new ApiError(ErrorCode.MalformedRequest, 'expected a host header');
  }
}

/** `http://host/plants` as `/plants`: a server takes both (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  const match = /^https?:\/\/[^/?#]*(?<rest>.*)$/i.exec(target);
  const rest = match?.groups?.rest;
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function refuseEncoding(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw new ApiError(ErrorCode.MalformedRequest, 'expected percent-encoded UTF-8 in the path and query');
  }
}
