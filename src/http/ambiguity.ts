/** The first stage: requests that HTTP allows and that no two readers would read alike are refused (RFC 9112). */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';

/** Of these there is one, or the request is not what it seems: the rest of Node and Express would keep the first. */
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host']);

/** A host and a port, as far as they have to be told from what is neither (RFC 9110 section 7.2). */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

export const refuseMalformed: RequestHandler = (req, _res, next) => {
  refuseHeaders(req);
  refuseFraming(req);
  if (!req.url.startsWith('/')) req.url = req.originalUrl = originForm(req.url);
  if (req.url.includes('%')) refuseEncoding(req.url);
  next();
};

function refuseHeaders({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Cheap before exact: most names are of other lengths.
    if (name.length !== 4 && name.length !== 12 && name.length !== 13) continue;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.has(lower)) throw malformed(`one ${lower} header, got several`);
    seen.add(lower);
  }
}

/** What Node's parser lets pass although it says, or may say to somebody else, where the request ends or goes. */
function refuseFraming({ httpVersion, headers }: IncomingMessage): void {
  const { host, expect } = headers;
  const coding = headers['transfer-encoding'];
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformed('HTTP/1.1');
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host)) throw malformed('a host header with a host');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw malformed('no Transfer-Encoding but chunked');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    throw new ApiError(ErrorCode.ExpectationFailed, 'expected no Expect header, or 100-continue');
}

function malformed(expected: string): ApiError {
  return new ApiError(ErrorCode.MalformedRequest, `expected ${expected}`);
}

/** `http://host/plants` as `/plants`: a server takes both (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  const match = /^https?:\/\/[^/?#]+(?<rest>.*)$/i.exec(target);
  const rest = match?.groups?.rest;
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function refuseEncoding(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw malformed('percent-encoded UTF-8 in the path and query');
  }
}
