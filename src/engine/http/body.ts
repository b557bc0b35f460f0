/** Reads the body of an authenticated request: checks its media type and size, and leaves its content unchanged. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { ApiError } from '../errors/api-error';
import { BodyBudget, BodyBuffer, tooLarge } from './body-buffer';
import { Arrival, askFor, failureOf } from './arrival';
import { malformed } from './errors';
import { setDeadline, setLeastRate } from './deadline';
import { ErrorCode } from '../errors/error-codes';
import { type FormPart, parseUrlencoded } from './parse-form';
import { FILE_BYTES_HELD, FormFiles } from './form-files';
import { TemporaryFiles } from './temporary-files';
import { type FormStore, receiveForm } from './receive-form';
import type { Form } from '../contract/form-fields';
import type { ExpectedBody } from '../contract/operations';
import { frameOf } from '../contract/sequences';
import {
  boundaryOf,
  contractMediaType,
  isForm,
  isMultipart,
  isParts,
  refuseEncoding,
  withoutParameters,
} from '../contract/media-type';
import { hasBody } from './send';
import { type SentItem, splitItems } from './split-items';
import { type PartItem, partItems } from './part-items';
import { PART_HEADERS_MAX, splitParts } from './split-parts';
import { BodyUpload } from './upload';

/** The limits of a body. */
export interface BodyLimits {
  /** Undefined for that of all bodies, or what the contract declares for one that is not held in memory. */
  bytesMax: number | undefined;
  /** The time limit for its arrival; undefined for that of whole requests, or a least rate for one that is not held in memory. */
  ms: number | undefined;
  /** The least rate of one that may take longer than whole requests do. */
  bytesPerSecondMin: number;
}

/** Parses bodies of a media type that the engine does not know, also later; throws or rejects for a malformed body. */
export type Reader = (bytes: Buffer) => unknown;

/** A body that was read, but is not validated yet. */
export interface ReadBody {
  /** The media type as the contract writes it; undefined if there is no body. */
  mediaType: string | undefined;
  /** A JSON value, text, or an upload. */
  body: unknown;
  /** The items of a sequence as they come, in place of `body`. */
  items: AsyncIterable<SentItem | PartItem> | undefined;
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
  items: undefined,
  formParts: undefined,
  hasExactNumbers: false,
  release: () => undefined,
};

/**
 * A function that reads the body of a request, if its operation takes one. Fails with an ApiError for a body that cannot be read as one of
 * the declared media types. `itemBytesMax` is the limit of an item, and `bytesMax` the largest of all limits of bodies that are held in memory.
 */
export function bodyReader(
  itemBytesMax: number,
  bytesMax = itemBytesMax,
  readers: Readonly<Record<string, Reader>> = {},
  temporaryFolder?: string,
): (
  req: IncomingMessage,
  res: ServerResponse,
  expected: ExpectedBody | undefined,
  limits: BodyLimits,
  principal: { readonly name: string } | undefined,
) => ReadBody | Promise<ReadBody> {
  const budget = new BodyBudget(bytesMax);
  const temporaryFiles = new TemporaryFiles(temporaryFolder);
  return function readBody(req, res, expected, limits, principal) {
    if (!expected) return NO_BODY;
    const { mediaTypes, required, takesParts } = expected;
    const contentType = req.headers['content-type'];
    if (!hasBody(req)) {
      if (contentType !== undefined) contractMediaType(contentType, mediaTypes);
      if (required)
        throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${mediaTypes.join(' or ')}, got none`);
      return NO_BODY;
    }
    refuseEncoding(req.headers['content-encoding'], mediaTypes);
    if (req.headers['content-range'] !== undefined && !takesParts)
      throw malformed('a whole body, got a part of one (Content-Range)'); // RFC 9110 section 14.5
    const mediaType = contractMediaType(contentType, mediaTypes);
    const isSequence = expected.sequences.includes(mediaType);
    const inParts = isMultipart(mediaType) || (isSequence && isParts(mediaType));
    const boundary = inParts ? boundaryIn(req, mediaType) : undefined;
    const flows = isSequence || (expected.bytes.includes(mediaType) && !Object.hasOwn(readers, mediaType));
    const declared = expected.lengths.get(mediaType) ?? Infinity;
    const separatorMax = inParts ? 2 * PART_HEADERS_MAX : 1;
    const declaredMax = isSequence ? declared * (itemBytesMax + separatorMax) : declared;
    const usualMax = flows && declared < Infinity ? declaredMax : itemBytesMax;
    const lengthMax = Math.min(limits.bytesMax ?? usualMax, declaredMax);
    if (Number(req.headers['content-length']) > lengthMax) throw tooLarge(lengthMax);
    const { ms, bytesPerSecondMin } = limits;
    if (ms !== undefined) {
      setDeadline(req, ms);
      setLeastRate(req, bytesPerSecondMin, { isAwaited: true });
    }
    const owner = principal?.name ?? '';
    const arrival = new Arrival(req, res, lengthMax);
    const form = expected.forms.get(mediaType);
    if (flows || form?.hasFiles) setLeastRate(req, bytesPerSecondMin, arrival);
    if (isSequence) return flow(arrival, boundary, mediaType, owner);
    if (form && boundary !== undefined) return receive(arrival, boundary, form, { mediaType, lengthMax, owner });
    const buffer = new BodyBuffer(lengthMax, budget, owner);
    if (flows) return upload(req, arrival, buffer, mediaType);
    askFor(req, res);
    return collect(req, buffer, expected, mediaType);
  };

  /** A form in parts. */
  async function receive(
    arrival: Arrival,
    boundary: string,
    form: Form,
    { mediaType, lengthMax, owner }: { mediaType: string; lengthMax: number; owner: string },
  ): Promise<ReadBody> {
    const buffers: BodyBuffer[] = [];
    const newBuffer = (bytesMax: number, what?: string): BodyBuffer => {
      const buffer = new BodyBuffer(bytesMax, budget, owner, what);
      buffers.push(buffer);
      return buffer;
    };
    const textMax = form.hasFiles ? Math.min(itemBytesMax, lengthMax) : lengthMax;
    const store: FormStore = {
      text: newBuffer(textMax, 'the text of a form'),
      files: new FormFiles(newBuffer(FILE_BYTES_HELD), () => temporaryFiles.open(owner)),
      upload: (source, { mediaType: sent }, filename) =>
        new BodyUpload({
          source,
          mediaType: sent,
          filename,
          size: source.size,
          buffer: newBuffer(lengthMax),
          decode: readText,
        }),
    };
    const release = (): void => {
      arrival.release();
      store.files.release();
      for (const buffer of buffers) buffer.release();
    };
    try {
      const formParts = await receiveForm(splitParts(arrival.chunks(), boundary), form, store);
      return { ...NO_BODY, mediaType, formParts, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The items of a body that comes while its handler reads it. */
  function flow(arrival: Arrival, boundary: string | undefined, mediaType: string, owner: string): Promise<ReadBody> {
    const buffer = new BodyBuffer(itemBytesMax, budget, owner, 'an item');
    const items =
      boundary === undefined
        ? splitItems(arrival.chunks(), { start: frameOf(mediaType) ?? '', buffer, parse: readJson })
        : partItems(splitParts(arrival.chunks(), boundary), buffer);
    return arriving({ ...NO_BODY, mediaType, items }, arrival, buffer);
  }

  async function collect(
    req: IncomingMessage,
    buffer: BodyBuffer,
    expected: ExpectedBody,
    mediaType: string,
  ): Promise<ReadBody> {
    const read: ReadBody = { ...NO_BODY, mediaType, release: () => buffer.release() };
    try {
      await receiveAll(req, buffer);
      const bytes = buffer.bytes();
      if (Object.hasOwn(readers, mediaType)) read.body = await readBy(readers[mediaType], bytes, mediaType);
      else if (isForm(mediaType)) read.formParts = parseUrlencoded(bytes);
      else if (!expected.json.includes(mediaType)) read.body = readText(bytes);
      else ({ value: read.body, hasExactNumbers: read.hasExactNumbers } = readJson(bytes));
      return read;
    } catch (error) {
      buffer.release();
      throw error;
    }
  }
}

function upload(
  { headers }: IncomingMessage,
  arrival: Arrival,
  buffer: BodyBuffer,
  mediaType: string,
): Promise<ReadBody> {
  const { 'content-type': sent = 'application/octet-stream', 'content-length': length } = headers;
  const size = length === undefined ? undefined : Number(length);
  const body = new BodyUpload({ source: arrival, mediaType: withoutParameters(sent), size, buffer, decode: readText });
  return arriving({ ...NO_BODY, mediaType, body }, arrival, buffer);
}

/** A body that comes while its handler reads it. */
async function arriving(read: ReadBody, arrival: Arrival, buffer: BodyBuffer): Promise<ReadBody> {
  await setImmediate(); // a body in the packet of its headers is whole then, and its connection stays open even if nobody reads it
  const release = (): void => {
    arrival.release();
    buffer.release();
  };
  return { ...read, release };
}

/** Collects the body, and stops reading as soon as it is too large. */
function receiveAll(req: IncomingMessage, buffer: BodyBuffer): Promise<void> {
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

function boundaryIn({ headers }: IncomingMessage, mediaType: string): string {
  const boundary = boundaryOf(headers['content-type']);
  if (boundary !== undefined) return boundary;
  throw new ApiError(ErrorCode.MalformedBody, `expected ${mediaType} with a boundary in its Content-Type`);
}

async function readBy(reader: Reader | undefined, bytes: Buffer, mediaType: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await reader?.(bytes);
  } catch {
    throw new ApiError(ErrorCode.MalformedBody, `expected ${mediaType}`);
  }
  if (value === undefined) throw new TypeError(`the reader of ${mediaType} gave nothing`); // no schema would be asked
  return value;
}

/** The likely kind of bytes that are not UTF-8, for messages. */
function encodingHint(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return ', got gzip, which no Content-Encoding declares';
  return bytes.includes(0) ? ', got bytes of another kind' : ', got bytes of another encoding, such as Latin-1';
}

function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, `expected UTF-8${encodingHint(bytes)}`);
  return bytes.toString('utf8');
}

function readJson(bytes: Buffer): SentItem {
  const text = readText(bytes);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${explainSyntax(text, error)}`);
    throw error;
  }
}
