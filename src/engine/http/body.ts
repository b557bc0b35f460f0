/** Reads the body of an authenticated request: checks its media type and size, and leaves its content unchanged. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonSyntaxError, parseJson } from '../json/json';
import { ApiError } from '../errors/api-error';
import { BodyBudget, BodyBuffer, tooLarge } from './body-buffer';
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
}

/** Parses bodies of a media type that the engine does not know; throws for a malformed body. */
export type Reader = (bytes: Buffer) => unknown;

/** A body that was read, but is not validated yet. */
export interface ReadBody {
  /** The media type as the contract writes it; undefined if there is no body. */
  mediaType: string | undefined;
  /** A JSON value, text or bytes. */
  body?: unknown;
  /** The fields of a form, in place of `body`. */
  formParts?: readonly FormPart[];
  /** True if the body has numbers that a double misrepresents. */
  hasExactNumbers: boolean;
  /** Releases the memory; to be called once the request is answered. */
  release(): void;
}

const NO_BODY: ReadBody = { mediaType: undefined, hasExactNumbers: false, release: () => undefined };

/**
 * A function that reads the body of a request, if its operation takes one. Rejects with an ApiError for a body that cannot be read as one
 * of the declared media types.
 */
export function bodyReader(
  bodyBytesMax: number,
  readers: Readonly<Record<string, Reader>> = {},
): (
  req: IncomingMessage,
  res: ServerResponse,
  expected: ExpectedBody | undefined,
  principal: { readonly name: string } | undefined,
) => Promise<ReadBody> {
  const budget = new BodyBudget(bodyBytesMax);
  return async function readBody(req, res, expected, principal) {
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
    if (Number(req.headers['content-length']) > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (req.headers.expect !== undefined && req.httpVersion === '1.1') res.writeContinue();
    const buffer = new BodyBuffer(bodyBytesMax, budget, principal?.name ?? '');
    const release = (): void => buffer.release();
    try {
      await receive(req, buffer);
      const bytes = buffer.bytes();
      if (boundary !== undefined)
        return { mediaType, formParts: await parseMultipart(bytes, boundary), hasExactNumbers: false, release };
      if (Object.hasOwn(readers, mediaType)) {
        const body = readBy(readers[mediaType], bytes, mediaType);
        return { mediaType, body, hasExactNumbers: false, release };
      }
      if (expected.bytes.includes(mediaType)) return { mediaType, body: bytes, hasExactNumbers: false, release };
      return { mediaType, ...decoded(mediaType, bytes, expected.json.includes(mediaType)), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Collects the body, and stops reading as soon as it is too large. */
function receive(req: IncomingMessage, buffer: BodyBuffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let finished = false;
    const finish = (error: ApiError | null): void => {
      if (finished) return;
      finished = true;
      if (!error) return resolve();
      req.pause();
      reject(error);
    };
    req.on('data', (chunk: Buffer) => {
      if (finished) return;
      const error = buffer.add(chunk);
      if (error) finish(error);
    });
    req.on('end', () => finish(null));
    // A request that fails emits "error" only if there is a listener, and "close" in any case.
    req.on('close', () => {
      if (!finished) finish(failureOf(req));
    });
    if (req.destroyed) finish(failureOf(req));
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

function decoded(
  mediaType: string,
  bytes: Buffer,
  isJson: boolean,
): Pick<ReadBody, 'body' | 'formParts' | 'hasExactNumbers'> {
  if (isForm(mediaType)) return { formParts: parseUrlencoded(bytes), hasExactNumbers: false };
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, 'expected UTF-8');
  const text = bytes.toString('utf8');
  if (!isJson) return { body: text, hasExactNumbers: false };
  try {
    const { value, hasExactNumbers } = parseJson(text);
    return { body: value, hasExactNumbers };
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${error.message}`);
    throw error;
  }
}
