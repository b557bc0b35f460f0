/** The one place that writes answers: status line, headers and body at once, with a known length. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';
import { requestId } from './request-id';

export interface Answer {
  status: number;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The body and its media type, where there is one. */
  content?: { mediaType: string; body: string | Uint8Array } | undefined;
}

declare module 'node:http' {
  interface ServerResponse {
    /** The length of the body that was sent, for the access log. */
    bodyBytes?: number;
  }
}

/** An answer of the API is for one client only, and nothing that a browser should store, sniff the type of, frame or run. */
const API_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/**
 * Sends the answer, and emits "answered" on the request. A connection on which the rest of the request would still arrive is
 * closed rather than drained.
 */
export function send(req: IncomingMessage, res: ServerResponse, { status, headers, content }: Answer): void {
  const all: Record<string, string | number> = { ...API_HEADERS, 'X-Request-Id': requestId(req) };
  // Only over TLS (RFC 6797 section 7.2).
  if (req.socket instanceof TLSSocket) all['Strict-Transport-Security'] = 'max-age=31536000';
  if (headers) override(all, headers);
  if (content) {
    res.bodyBytes = Buffer.byteLength(content.body);
    all['Content-Type'] = content.mediaType;
    all['Content-Length'] = res.bodyBytes;
  } else if (status !== 204 && status !== 304) {
    all['Content-Length'] = 0;
  }
  const unread = isBodyToCome(req);
  if (unread) all.Connection = 'close';
  res.writeHead(status, all);
  // When the response is finished, Node resumes the socket to discard the rest of the body.
  if (unread) res.once('finish', () => setImmediate(() => req.socket.pause()));
  res.end(content?.body);
  req.emit('answered');
}

/** Adds headers; one of the same name is replaced, however it is spelled. */
function override(all: Record<string, string | number>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const same = Object.keys(all).find((each) => each.toLowerCase() === name.toLowerCase());
    all[same ?? name] = value;
  }
}

/** Whether the request announces a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether bytes of the request's body are yet to be parsed. */
export function isBodyToCome(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req);
}
