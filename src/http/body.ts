/** Reads the body of a request that may come in: the right media type, not too large, and nothing in it changed. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse as parseContentType } from 'content-type';
import type { Request, RequestHandler } from 'express';
import { ErrorCode } from '../../generated/openapi';
import { ApiError } from '../api-error';
import { JsonSyntaxError, parseJson } from './json';

/** What an operation takes as its body. */
export interface ExpectedBody {
  required: boolean;
  mediaTypes: readonly string[];
}

/** Whether bodies of this media type can be read: JSON becomes its value, text a string. */
export function canRead(mediaType: string): boolean {
  return isJson(mediaType) || isText(mediaType);
}

/**
 * A stage that reads the body of a matched request into `req.body`, and JSON as it was written into `req.json`. Where the
 * operation takes no body, none is read.
 */
export function readBody(bodyBytesMax: number): RequestHandler {
  return function readRequestBody(req, res, next) {
    const body = req.operation?.body;
    if (!body || !hasBody(req)) {
      // Nobody is to choose a validator by it.
      const contentType = req.headers['content-type'];
      delete req.headers['content-type'];
      if (!body) return next();
      if (contentType !== undefined) mediaTypeOf(contentType, body.mediaTypes);
      if (body.required)
        throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${body.mediaTypes.join(' or ')}, got none`);
      return next();
    }
    refuseEncoding(req);
    const mediaType = mediaTypeOf(req.headers['content-type'], body.mediaTypes);
    if (Number(req.headers['content-length']) > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (req.headers.expect !== undefined) res.writeContinue();
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

/** The media type of the contract that a Content-Type names, with no parameter but `charset=utf-8`. */
function mediaTypeOf(contentType: string | undefined, mediaTypes: readonly string[]): string {
  if (contentType !== undefined && mediaTypes.includes(contentType)) return contentType;
  const { type, parameters } = parsed(contentType ?? '');
  const mediaType = mediaTypes.find((each) => each.toLowerCase() === type);
  const { charset = 'utf-8', ...others } = parameters;
  if (mediaType !== undefined && charset.toLowerCase() === 'utf-8' && Object.keys(others).length === 0)
    return mediaType;
  throw new ApiError(
    ErrorCode.UnsupportedMediaType,
    `expected Content-Type ${mediaTypes.join(' or ')}, with no parameter but charset=utf-8`,
  );
}

function parsed(contentType: string): { type: string; parameters: Record<string, string> } {
  try {
    return parseContentType(contentType);
  } catch {
    return { type: '', parameters: {} };
  }
}

/** Collects the body, and stops reading as soon as it is too large. */
function receive(
  req: IncomingMessage,
  bodyBytesMax: number,
  done: (error: ApiError | null, bytes: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (error: ApiError | null): void => {
    req.off('data', onData).off('end', onEnd).off('close', onClose);
    if (error) req.pause();
    done(error, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > bodyBytesMax) finish(tooLarge(bodyBytesMax));
    else chunks.push(chunk);
  };
  const onEnd = (): void => finish(null);
  const onClose = (): void =>
    finish(new ApiError(ErrorCode.MalformedRequest, 'the connection closed before the body was complete'));
  req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', ignore);
}

/** An error of the request is followed by its `close`, which is listened to. */
function ignore(): void {}

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
    req.json = parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${error.message}`);
    throw error;
  }
  req.body = req.json.value;
}

function isJson(mediaType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json$/i.test(mediaType);
}

function isText(mediaType: string): boolean {
  return /^text\/[\w.+-]+$/i.test(mediaType);
}
