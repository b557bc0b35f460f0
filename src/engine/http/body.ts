/** Reads the body of an authenticated request: of an accepted media type, not too large, and with nothing in it changed. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler } from 'express';
import { ErrorCode } from './error-codes';
import { ApiError } from './api-error';
import { JsonSyntaxError, parseJson } from '../json/json';
import { boundaryOf, contractMediaType, isBytes, isJson, isMultipart, refuseEncoding } from './media-type';
import { BodyBudget, BodyBuffer, tooLarge } from './body-buffer';
import { type FormPart, parseMultipart, parseUrlencoded } from './form';
import { hasBody } from './send';

/** What an operation takes as its body. */
export interface ExpectedBody {
  required: boolean;
  mediaTypes: readonly string[];
}

/**
 * A stage that reads the body of a matched request into `req.body`. Where the operation takes no body, none is read.
 */
export function readBody(bodyBytesMax: number): RequestHandler {
  const budget = new BodyBudget(bodyBytesMax);
  return function readRequestBody(req, res, next) {
    const body = req.operation?.body;
    if (!body || !hasBody(req)) {
      // The validator selects and caches schemas by Content-Type, also where there is no body.
      const contentType = req.headers['content-type'];
      delete req.headers['content-type'];
      if (!body) return next();
      if (contentType !== undefined) contractMediaType(contentType, body.mediaTypes);
      if (body.required)
        throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${body.mediaTypes.join(' or ')}, got none`);
      return next();
    }
    refuseEncoding(req.headers['content-encoding'], body.mediaTypes);
    const mediaType = contractMediaType(req.headers['content-type'], body.mediaTypes);
    const boundary = isForm(req, mediaType) && isMultipart(mediaType) ? boundaryIn(req) : undefined;
    if (Number(req.headers['content-length']) > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
    const buffer = new BodyBuffer(bodyBytesMax, budget);
    const release = (): void => {
      buffer.release();
      req.body = undefined;
      if (req.formParts) req.formParts = undefined;
    };
    // 'close' can come much later: behind pipelined responses, or a client that does not read.
    req.once('answered', release);
    res.once('close', release);
    receive(req, buffer, (error) => {
      if (error) return next(error);
      try {
        const bytes = buffer.bytes();
        if (boundary !== undefined) return decodeParts(req, mediaType, parseMultipart(bytes, boundary), next);
        decode(req, mediaType, bytes);
      } catch (refusal) {
        return next(refusal);
      }
      next();
    });
  };
}

/** Collects the body, and stops reading as soon as it is too large. */
function receive(req: IncomingMessage, buffer: BodyBuffer, done: (error: ApiError | null) => void): void {
  let finished = false;
  const finish = (error: ApiError | null): void => {
    if (finished) return;
    finished = true;
    if (error) req.pause();
    done(error);
  };
  req.on('data', (chunk: Buffer) => {
    if (finished) return;
    const error = buffer.add(chunk);
    if (error) finish(error);
  });
  req.on('end', () => finish(null));
  req.on('close', () => {
    // A broken connection emits "error" only if there is a listener, and "close" in any case.
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

/** Tells whoever reads the body, now or later, that its rest is malformed or has not come in time. */
export function breakOff(req: IncomingMessage, error: ApiError): void {
  brokenOff.set(req, error);
  req.emit('brokenOff');
}

/** Fast path: a map lookup instead of parsing the media type. */
function isForm({ operation }: Request, mediaType: string): boolean {
  return operation?.forms.has(mediaType) ?? false;
}

function boundaryIn({ headers }: IncomingMessage): string {
  const boundary = boundaryOf(headers['content-type']);
  if (boundary !== undefined) return boundary;
  throw new ApiError(ErrorCode.MalformedBody, 'expected multipart/form-data with a boundary in its Content-Type');
}

function decodeParts(req: Request, mediaType: string, parts: Promise<readonly FormPart[]>, next: NextFunction): void {
  setMediaType(req, mediaType);
  parts.then((all) => {
    req.formParts = all;
    next();
  }, next);
}

/** The validator selects and caches schemas by it: the contract's spelling, never the client's. */
function setMediaType(req: Request, mediaType: string): void {
  req.headers['content-type'] = mediaType;
  req.mediaType = mediaType;
}

function decode(req: Request, mediaType: string, bytes: Buffer): void {
  setMediaType(req, mediaType);
  if (isBytes(mediaType)) {
    req.body = bytes;
    return;
  }
  if (isForm(req, mediaType)) {
    req.formParts = parseUrlencoded(bytes);
    return;
  }
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, 'expected UTF-8');
  const text = bytes.toString('utf8');
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
