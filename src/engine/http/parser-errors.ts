/** Answers errors of Node's HTTP parser, in the same shape as every other error. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import type { ErrorBodies } from '../errors/error-body';
import type { Connection, Serve } from './connections';
import { originHeaders } from './cors';
import { fail, lateRequest } from './deadline';
import { errorAnswer, malformed, versionNotSupported } from './errors';
import { lastResponse } from './last-response';
import { requestId } from './request-id';
import { HEADERS_MAX } from './refuse-malformed';
import { send } from './send';

/** The error that Node passes to listeners of "clientError". */
export interface ClientError {
  code?: string;
  /** The violated rule. */
  reason?: string;
  /** The number of bytes of `rawPacket` that were parsed. */
  bytesParsed?: number;
  rawPacket?: Buffer;
}

export interface RefuseOptions {
  errorBodies?: ErrorBodies | undefined;
  log: Logger;
  headerBytesMax: number;
  /** The origins whose pages may read the answer. */
  corsOrigins: readonly string[];
  serve: Serve;
  /** Called before each answer that does not come from the app. */
  observe: (res: ServerResponse, code: number) => void;
}

/**
 * Answers an error of the parser with the last answer of its connection; the earlier requests were valid, and are answered first. If the
 * error is in a body, its request fails instead, and the app answers it.
 */
export function refuse(
  error: ClientError,
  connection: Connection,
  { log, headerBytesMax, corsOrigins, errorBodies, serve, observe }: RefuseOptions,
): void {
  const { socket, newestResponse } = connection;
  const known = apiErrorOf(error, headerBytesMax);
  const req = newestResponse?.req;
  if (req && !req.complete) {
    if (known.code === ErrorCode.RequestTimeout && req.onLate) req.onLate();
    else fail(req, known);
    return;
  }
  connection.afterAnswers(() => {
    const req = new IncomingMessage(socket);
    req.complete = true; // the rest of the body cannot be read
    const target = targetOfUnknownMethod(error, headerBytesMax);
    if (target !== undefined) {
      // Without headers, because they were not parsed: HTTP/1.0 requires none.
      Object.assign(req, { method: 'UNKNOWN', url: target, httpVersion: '1.0' });
      return serve(req, lastResponse(socket, req));
    }
    const res = lastResponse(socket, req);
    observe(res, known.code);
    const answer = errorAnswer(known, errorBodies?.of());
    send(req, res, { ...answer, headers: { ...answer.headers, ...originHeaders(corsOrigins, originIn(error)) } });
    const { status, code } = known;
    const client = socket.remoteAddress;
    log.info({ id: requestId(req), status, error: code, bytes: res.bodyBytes, client }, 'request refused');
  });
}

/** The Origin header of a request whose headers were not parsed. */
function originIn({ rawPacket }: ClientError): string | undefined {
  return /^origin:[ \t]*(?<origin>\S+)/im.exec(rawPacket?.toString('latin1') ?? '')?.groups?.origin;
}

function apiErrorOf({ code, reason }: ClientError, headerBytesMax: number): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        ErrorCode.HeadersTooLarge,
        `expected a request line and headers of at most ${headerBytesMax} bytes, and fewer than ${HEADERS_MAX} headers`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return lateRequest();
    case 'HPE_INVALID_METHOD':
      return malformed('an HTTP/1.1 request with a known method');
    case 'HPE_PAUSED_H2_UPGRADE': // the preface of HTTP/2
      return versionNotSupported();
    case 'HPE_INVALID_VERSION':
      if (reason === 'Invalid HTTP version') return versionNotSupported();
  }
  return malformed('an HTTP/1.1 request');
}

/** A request line whose method is any token (RFC 9110 section 9.1); `HTTP` is case-sensitive (RFC 9112 section 2.3). */
const REQUEST_LINE =
  /(?:^|[^\w!#$%&'*+.^`|~-])[\w!#$%&'*+.^`|~-]+ (?<target>(?:\/|[Hh][Tt]{2}[Pp][Ss]?:\/\/)[\x21-\x7e]*) HTTP\/1\.[01]$/;

/**
 * The target of a well-formed request line with a method that Node does not know: it is answered like any other undeclared method.
 * Undefined for any other error.
 */
function targetOfUnknownMethod({ code, bytesParsed, rawPacket }: ClientError, bytesMax: number): string | undefined {
  // The second code is for methods of other protocols, such as RTSP.
  if (code !== 'HPE_INVALID_METHOD' && code !== 'HPE_INVALID_CONSTANT') return undefined;
  if (rawPacket === undefined || bytesParsed === undefined) return undefined;
  const before = rawPacket.toString('latin1', Math.max(0, bytesParsed - bytesMax), bytesParsed);
  const after = rawPacket.toString('latin1', bytesParsed, bytesParsed + bytesMax);
  const end = after.indexOf('\r\n');
  if (end < 0) return undefined; // the rest of the line is in a later packet, which is not parsed
  return REQUEST_LINE.exec(before.slice(before.lastIndexOf('\n') + 1) + after.slice(0, end))?.groups?.target;
}
