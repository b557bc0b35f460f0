/** Answers what Node's parser refuses, in the same form as every other error. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ErrorCode } from './error-codes';
import { ApiError } from './api-error';
import type { ErrorBodies } from './error-body';
import type { Connection, Serve } from './connections';
import { originHeaders } from './cors';
import { errorAnswer, malformed, versionNotSupported } from './errors';
import { lastResponse } from './last-response';
import { requestId } from './request-id';
import { send } from './send';

/** What Node passes to listeners of "clientError". */
export interface ClientError {
  code?: string;
  /** Of a parse error: which rule was broken. */
  reason?: string;
  /** Of a parse error: how much of `rawPacket` was parsed. */
  bytesParsed?: number;
  rawPacket?: Buffer;
}

export interface RefuseOptions {
  errorBodies?: ErrorBodies | undefined;
  log: Logger;
  headerBytesMax: number;
  /** The origins whose pages may read the answer. */
  corsOrigins: readonly string[];
  /** The app. */
  serve: Serve;
  /** Told of each answer that the app does not give, before it is sent. */
  observe: (res: ServerResponse, code: number) => void;
}

/**
 * Answers an error of the parser as the last on its connection: after the earlier requests, which were understood. A fault within
 * a body becomes an error for whoever reads the body.
 */
export function refuse(
  error: ClientError,
  connection: Connection,
  { log, headerBytesMax, corsOrigins, errorBodies, serve, observe }: RefuseOptions,
): void {
  const { socket, newestResponse } = connection;
  const known = apiErrorOf(error, headerBytesMax);
  if (newestResponse && !newestResponse.req.complete) {
    socket.pause();
    newestResponse.req.destroy(known); // ends its body, not the connection: see message-classes.ts
    return;
  }
  connection.afterAnswers(() => {
    const req = new IncomingMessage(socket);
    req.complete = true; // no body was parsed, so there is nothing left to read
    const target = targetOfUnknownMethod(error, headerBytesMax);
    if (target !== undefined) {
      serve(requestOfUnknownMethod(req, target), lastResponse(socket, req));
      return;
    }
    const res = lastResponse(socket, req);
    observe(res, known.code);
    const answer = errorAnswer(known, errorBodies);
    send(req, res, { ...answer, headers: { ...answer.headers, ...originHeaders(corsOrigins, originIn(error)) } });
    const { status, code } = known;
    const client = socket.remoteAddress;
    log.info({ id: requestId(req), status, error: code, bytes: res.bodyBytes, client }, 'request refused');
  });
}

/** The origin that the packet names, whose headers were not parsed; one that is not allowed gets nothing for it. */
function originIn({ rawPacket }: ClientError): string | undefined {
  return /^origin:[ \t]*(?<origin>\S+)/im.exec(rawPacket?.toString('latin1') ?? '')?.groups?.origin;
}

function apiErrorOf({ code, reason }: ClientError, headerBytesMax: number): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(
        ErrorCode.HeadersTooLarge,
        `expected a request line and headers of at most ${headerBytesMax} bytes`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(ErrorCode.RequestTimeout, 'the request did not arrive in time');
    case 'HPE_INVALID_METHOD':
      return malformed('an HTTP/1.1 request with a known method');
    case 'HPE_PAUSED_H2_UPGRADE': // the preface of HTTP/2
      return versionNotSupported();
    case 'HPE_INVALID_VERSION':
      if (reason === 'Invalid HTTP version') return versionNotSupported();
  }
  return malformed('an HTTP/1.1 request');
}

/** A request line with a method that is a token, as any method is (RFC 9110 section 9.1); `HTTP` is case-sensitive (RFC 9112 section 2.3). */
const REQUEST_LINE =
  /(?:^|[^\w!#$%&'*+.^`|~-])[\w!#$%&'*+.^`|~-]+ (?<target>(?:\/|[Hh][Tt]{2}[Pp][Ss]?:\/\/)[\x21-\x7e]*) HTTP\/1\.[01]$/;

/**
 * Node's parser stops at a method that it does not know. Where that is all that was wrong with the request line, returns its
 * target, so that the answer is that of every other method which the path does not have.
 */
function targetOfUnknownMethod({ code, bytesParsed, rawPacket }: ClientError, bytesMax: number): string | undefined {
  // The second is the code if it knows the method from another protocol, such as RTSP.
  if (code !== 'HPE_INVALID_METHOD' && code !== 'HPE_INVALID_CONSTANT') return undefined;
  if (rawPacket === undefined || bytesParsed === undefined) return undefined;
  const before = rawPacket.toString('latin1', Math.max(0, bytesParsed - bytesMax), bytesParsed);
  const after = rawPacket.toString('latin1', bytesParsed, bytesParsed + bytesMax);
  const end = after.indexOf('\r\n');
  if (end < 0) return undefined; // the rest of the line is in a later packet, which is not parsed
  return REQUEST_LINE.exec(before.slice(before.lastIndexOf('\n') + 1) + after.slice(0, end))?.groups?.target;
}

/** The headers were not parsed. As of HTTP/1.0 the request needs none. */
function requestOfUnknownMethod(req: IncomingMessage, target: string): IncomingMessage {
  req.method = 'UNKNOWN';
  req.url = target;
  req.httpVersion = '1.0';
  return req;
}
