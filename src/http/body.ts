/** Reads the body of a request that may come in: the right media type, not too large, and nothing in it changed. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';
import { JsonSyntaxError, parseJson } from './json';
import { contractMediaType, isJson } from './media-type';

/** What an operation takes as its body. */
export interface ExpectedBody {
  required: boolean;
  mediaTypes: readonly string[];
}

/**
 * A stage that reads the body of a matched request into `req.body`. Where the operation takes no body, none is read.
 */
export function readBody(bodyBytesMax: number): RequestHandler {
  return function readRequestBody(req, res, next) {
    const body = req.operation?.body;
    if (!body || !hasBody(req)) {
      // Nobody is to choose a validator by it.
      const contentType = req.headers['content-type'];
      delete req.headers['content-type'];
      if (!body) return next();
      if (contentType !== undefined) contractMediaType(contentType, body.mediaTypes);
      if (body.required)
        throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${body.mediaTypes.join(' or ')}, got none`);
      return next();
    }
    refuseEncoding(req);
    const mediaType = contractMediaType(req.headers['content-type'], body.mediaTypes);
    if (Number(req.headers['content-length']) > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
    receive(req, bodyBytesMax, (error, bytes) => {
      if (error) return next(error);
      try {
        decode(req, mediaType, bytes);
      } catch (malformed) {
        return next(malformed);
      }
      next();
    });
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function refuseEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ApiError(ErrorCode.UnsupportedMediaType, 'expected no Content-Encoding but identity');
}

/** Collects the body, and stops reading as soon as it is too large. */
function receive(
  req: IncomingMessage,
  bodyBytesMax: number,
  done: (error: ApiError | null, bytes: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let finished = false;
  const finish = (error: ApiError | null): void => {
    if (finished) return;
    finished = true;
    if (error) req.pause();
    done(error, Buffer.concat(chunks));
  };
  req.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > bodyBytesMax) finish(tooLarge(bodyBytesMax));
    else chunks.push(chunk);
  });
  req.on('end', () => finish(null));
  req.on('close', () => {
    // Without a listener for errors, a broken connection is no more than its close.
    if (!finished)
      finish(new ApiError(ErrorCode.MalformedRequest, 'the connection closed before the body was complete'));
  });
  const giveUp = (): void => {
    const error = brokenOff.get(req);
    if (error) finish(error);
  };
  req.on('brokenOff', giveUp);
  giveUp();
}

const brokenOff = new WeakMap<IncomingMessage, ApiError>();

/** Tells whoever reads the body, now or later, that its rest cannot be understood, or has not come in time. */
export function breakOff(req: IncomingMessage, error: ApiError): void {
  brokenOff.set(req, error);
  req.emit('brokenOff');
}

function tooLarge(bodyBytesMax: number): ApiError {
  return new ApiError(ErrorCode.BodyTooLarge, `expected a body of at most ${bodyBytesMax} bytes`);
}

function decode(req: Request, mediaType: string, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, 'expected UTF-8');
  const text = bytes.toString('utf8');
  // What the validator chooses its schema by, and caches by: never the client's spelling of it.
  req.headers['content-type'] = mediaType;
  req.mediaType = mediaType;
  if (!isJson(mediaType)) {
    req.body = text;
    return;
  }
  try {
    const { value, hasExactNumbers } = parseJson(text);
    req.body = value;
    req.hasExactNumbers = hasExactNumbers;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${error.message}`);
    throw error;
  }
}
