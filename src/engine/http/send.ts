/** Writes answers: status line, headers and body at once, with a known length. */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { TLSSocket } from 'node:tls';
import { isHeaderText } from '../contract/document';
import { requestId } from './request-id';

export interface Answer {
  status: number;
  /** Headers; a list becomes several header lines. */
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** The body and its media type, if there is one. */
  content?: { mediaType: string; body: string | Uint8Array } | undefined;
}

declare module 'node:http' {
  interface ServerResponse {
    /** The length of the body that was sent, for the access log. */
    bodyBytes?: number;
    /** Ends an event stream once it has had no event for a while, because the server ends. */
    endWhenIdle?: () => void;
  }
}

/** Headers of every answer of the API, which is for one client: browsers must not store, sniff, frame or run it. */
const OF_API: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
];
const OF_API_FLAT: readonly string[] = OF_API.flat();
/** The same by their names in lower case. */
export const API_HEADERS: ReadonlyMap<string, string> = new Map(
  OF_API.map(([name, value]) => [name.toLowerCase(), value]),
);

/** The headers of message framing, which are the server's own, whatever a contract declares (RFC 9110 section 7.6.1, RFC 9112 section 6). */
const FRAMING: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade']);

/** The value of `Strict-Transport-Security`, which is sent over TLS only (RFC 6797 section 7.2). */
const STRICT_TRANSPORT = 'max-age=31536000';

export function isOverTls({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket;
}

/** Sends the status line and headers, or throws and has sent nothing. If the request's body is not read to its end, the connection is closed rather than drained. */
export function sendHead(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers = {} }: Pick<Answer, 'status' | 'headers'>,
  contentHeaders: readonly string[],
): void {
  // Its client would wait for another one, or take that of the next request (RFC 9110 section 15.2).
  if (status < 200) throw new RangeError(`expected the status of a final answer, got ${status}`);
  // A flat list of names and values, which Node writes faster than an object.
  const all: OutgoingHttpHeader[] = [...OF_API_FLAT, 'X-Request-Id', requestId(req)];
  if (isOverTls(req)) all.push('Strict-Transport-Security', STRICT_TRANSPORT);
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (FRAMING.has(lower) || contentHeaders.some((each) => each.toLowerCase() === lower)) continue; // known better here
    if (status === 204 && lower === 'content-length') continue; // RFC 9110 section 8.6
    validate(name, value);
    // As one value: of several, Node 20 sends the last beside headers that are set, as those of CORS.
    if (typeof value !== 'string') all.push(name, [...value]);
    else if (lower === 'vary') set(all, name, [res.getHeader(name) ?? [], value].flat().join(', '));
    else set(all, name, value);
  }
  all.push(...contentHeaders);
  const unread = isBodyToCome(req);
  if (unread) res.shouldKeepAlive = false;
  res.writeHead(status, all);
  // Node resumes the socket after the response, to discard the rest of the body.
  if (unread) res.once('finish', () => setImmediate(() => req.socket.pause()));
}

export function send(req: IncomingMessage, res: ServerResponse, answer: Answer): void {
  const { status, content } = answer;
  if (content) {
    res.bodyBytes = Buffer.byteLength(content.body);
    sendHead(req, res, answer, ['Content-Type', content.mediaType, 'Content-Length', String(res.bodyBytes)]);
  } else {
    // To HEAD the length is that of a GET, which only the handler knows (RFC 9110 section 8.6).
    const isWithout = status === 204 || status === 304 || req.method === 'HEAD';
    sendHead(req, res, answer, isWithout ? [] : ['Content-Length', '0']);
  }
  if (req.method === 'HEAD') res.bodyBytes = 0; // Node sends none
  if (content && Number(res.bodyBytes) > SLICE_BYTES) return writeSlices(res, bytesOf(content.body));
  // Most answers are ASCII, which has the same bytes in Latin-1, and is written faster in it.
  const isAscii = typeof content?.body === 'string' && content.body.length === res.bodyBytes;
  res.end(content?.body, isAscii ? 'latin1' : 'utf8');
}

/** True for Set-Cookie, whose values cannot be joined with commas. */
export function isSetCookie(name: string): boolean {
  return name.toLowerCase() === 'set-cookie';
}

const SLICE_BYTES = 65_536;

/**
 * Writes bytes as fast as the client reads: otherwise TLS would encrypt all of them at once, for each connection, and a client that reads steadily
 * could not be told from one that reads nothing.
 */
function writeSlices(res: ServerResponse, bytes: Uint8Array, start = 0): void {
  for (let at = start; at < bytes.length; at += SLICE_BYTES) {
    const end = at + SLICE_BYTES;
    if (res.write(bytes.subarray(at, end))) continue;
    res.once('drain', () => writeSlices(res, bytes, end));
    return;
  }
  res.end();
}

/** The bytes of a body, as it is sent. */
export function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Throws for a header that cannot be sent. `writeHead` would, too, but with a part of the answer in the response already: another would get that. */
function validate(name: string, value: string | readonly string[]): void {
  validateHeaderName(name);
  for (const each of [value].flat()) {
    validateHeaderValue(name, each);
    if (each !== '' && !isHeaderText(each.replaceAll('\t', ' ')))
      throw new TypeError(
        `expected ASCII in the header ${name}, without blanks around it, which would not arrive as they are`,
      );
  }
}

/** Sets a header in a list of names and values; replaces one of the same name, in whatever letter case. */
function set(all: OutgoingHttpHeader[], name: string, value: string): void {
  const lower = name.toLowerCase();
  const index = all.findIndex((each, at) => at % 2 === 0 && String(each).toLowerCase() === lower);
  if (index < 0) all.push(name, value);
  else all[index + 1] = value;
}

/** True if the request announces a body (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** True if bytes of the request's body are not parsed yet. */
export function isBodyToCome(req: IncomingMessage): boolean {
  return !req.complete && hasBody(req);
}
