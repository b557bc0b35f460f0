/** Reads the body of an authenticated request: checks its media type and size, and leaves its content unchanged. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { ApiError } from '../errors/api-error';
import { BodyBudget, BodyBuffer, tooLarge } from './body-buffer';
import { setDeadline } from './deadline';
import { ErrorCode } from '../errors/error-codes';
import { type FormPart, parseMultipart, parseUrlencoded } from './parse-form';
import { boundaryOf, contractMediaType, isForm, isMultipart, refuseEncoding } from '../contract/media-type';
import { hasBody } from './send';

/** The body that an operation accepts. */
export interface ExpectedBody {
  required: boolean;
  mediaTypes: readonly string[];
  /** The media types whose bodies handlers get as bytes. */
  bytes: readonly string[];
  /** The media types, and ranges of them, whose bodies are read as JSON. */
  json: readonly string[];
  /** The `maxLength` of bodies of bytes, by media type. */
  lengths: ReadonlyMap<string, number>;
}

/** The limits of a body. */
export interface BodyLimits {
  bytesMax: number;
  /** The time limit for its arrival; undefined for that of whole requests. */
  ms: number | undefined;
}

/** Parses bodies of a media type that the engine does not know; throws for a malformed body. */
export type Reader = (bytes: Buffer) => unknown;

/** A body that was read, but is not validated yet. */
export interface ReadBody {
  /** The media type as the contract writes it; undefined if there is no body. */
  mediaType: string | undefined;
  /** A JSON value, text or bytes. */
  body: unknown;
  /** The fields of a form, in place of `body`. */
  formParts: readonly FormPart[] | undefined;
  /** True if the body has numbers that a double misrepresents. */
  hasExactNumbers: boolean;
  /** Releases the memory; to be called once the request is answered. */
  release(): void;
}

const NO_BODY: Readonly<ReadBody> = {
  mediaType: undefined,
  body: undefined,
  formParts: undefined,
  hasExactNumbers: false,
  release: () => undefined,
};

/**
 * A function that reads the body of a request, if its operation takes one. Fails with an ApiError for a body that cannot be read as one of
 * the declared media types. `bytesMax` is the largest of all limits.
 */
export function bodyReader(
  bytesMax: number,
  readers: Readonly<Record<string, Reader>> = {},
): (
  req: IncomingMessage,
  res: ServerResponse,
  expected: ExpectedBody | undefined,
  limits: BodyLimits,
  principal: { readonly name: string } | undefined,
) => ReadBody | Promise<ReadBody> {
  const budget = new BodyBudget(bytesMax);
  return function readBody(req, res, expected, limits, principal) {
    if (!expected) return NO_BODY;
    const { mediaTypes, required } = expected;
    const contentType = req.headers['content-type'];
    if (!hasBody(req)) {
      if (contentType !== undefined) contractMediaType(contentType, mediaTypes);
      if (required)
        throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${mediaTypes.join(' or ')}, got none`);
      return NO_BODY;
    }
    refuseEncoding(req.headers['content-encoding'], mediaTypes);
    const mediaType = contractMediaType(contentType, mediaTypes);
    const boundary = isMultipart(mediaType) ? boundaryIn(req) : undefined;
    const lengthMax = Math.min(limits.bytesMax, expected.lengths.get(mediaType) ?? Infinity);
    if (Number(req.headers['content-length']) > lengthMax) throw tooLarge(lengthMax);
    if (limits.ms !== undefined) setDeadline(req, limits.ms);
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
    return collect(req, new BodyBuffer(lengthMax, budget, principal?.name ?? ''), expected, mediaType, boundary);
  };

  async function collect(
    req: IncomingMessage,
    buffer: BodyBuffer,
    expected: ExpectedBody,
    mediaType: string,
    boundary: string | undefined,
  ): Promise<ReadBody> {
    const read: ReadBody = { ...NO_BODY, mediaType, release: () => buffer.release() };
    try {
      await receive(req, buffer);
      const bytes = buffer.bytes();
      if (boundary !== undefined) read.formParts = await parseMultipart(bytes, boundary);
      else if (Object.hasOwn(readers, mediaType)) read.body = readBy(readers[mediaType], bytes, mediaType);
      else if (expected.bytes.includes(mediaType)) read.body = bytes;
      else if (isForm(mediaType)) read.formParts = parseUrlencoded(bytes);
      else decode(read, bytes, expected.json.includes(mediaType));
      return read;
    } catch (error) {
      buffer.release();
      throw error;
    }
  }
}

/** Collects the body, and stops reading as soon as it is too large. */
function receive(req: IncomingMessage, buffer: BodyBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let isRefused = false;
    req.on('data', (chunk: Buffer) => {
      if (isRefused) return; // what is discarded after the error
      const error = buffer.add(chunk);
      if (!error) return;
      isRefused = true;
      req.pause();
      reject(error);
    });
    req.on('end', resolve);
    // A request that fails emits "error" only if there is a listener, and "close" in any case.
    req.on('close', () => {
      if (!req.readableEnded) reject(failureOf(req));
    });
    if (req.destroyed) reject(failureOf(req));
  });
}

/** The error of an incomplete body: the one with which parser-errors.ts has destroyed the request, or a broken connection. */
function failureOf({ errored }: IncomingMessage): ApiError {
  if (errored instanceof ApiError) return errored;
  return new ApiError(ErrorCode.MalformedRequest, 'the connection closed before the body was complete');
}

function boundaryIn({ headers }: IncomingMessage): string {
  const boundary = boundaryOf(headers['content-type']);
  if (boundary !== undefined) return boundary;
  throw new ApiError(ErrorCode.MalformedBody, 'expected multipart/form-data with a boundary in its Content-Type');
}

function readBy(reader: Reader | undefined, bytes: Buffer, mediaType: string): unknown {
  try {
    return reader?.(bytes);
  } catch {
    throw new ApiError(ErrorCode.MalformedBody, `expected ${mediaType}`);
  }
}

/** The likely kind of bytes that are not UTF-8, for messages. */
function encodingHint(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return ', got gzip, which no Content-Encoding declares';
  return bytes.includes(0) ? ', got bytes of another kind' : ', got bytes of another encoding, such as Latin-1';
}

function decode(read: ReadBody, bytes: Buffer, isJson: boolean): void {
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, `expected UTF-8${encodingHint(bytes)}`);
  const text = bytes.toString('utf8');
  if (!isJson) return void (read.body = text);
  try {
    const { value, hasExactNumbers } = parseJson(text);
    read.body = value;
    read.hasExactNumbers = hasExactNumbers;
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${explainSyntax(text, error)}`);
    throw error;
  }
}
