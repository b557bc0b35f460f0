/** Reads the body of an authenticated request: checks its media type and size, and leaves its content unchanged. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error';
import { type BodyKind, bodyKindOf, type BodyLimits } from './body-kind';
import { BodyBudget, BodyBuffer, tooLarge } from './body-buffer';
import { Arrival, askFor, failureOf } from './arrival';
import { malformed } from './errors';
import { setDeadline, setLeastRate } from './deadline';
import { ErrorCode } from '../errors/error-codes';
import type { FormPart } from './parse-form';
import { readJson, readText, type Reader } from './parse-body';
import { FILE_BYTES_HELD, FormFiles } from './form-files';
import { TemporaryFiles } from './temporary-files';
import { type FormStore, receiveForm } from './receive-form';
import type { Form } from '../contract/form-fields';
import type { ExpectedBody } from '../contract/operations';
import { clientOf, networkOf } from './client-network';
import { frameOf } from '../contract/sequences';
import { boundaryOf, contractMediaType, refuseEncoding, withoutParameters } from '../contract/media-type';
import { hasBody } from './send';
import { type SentItem, splitItems } from './split-items';
import { type PartItem, partItems } from './part-items';
import { splitParts } from './split-parts';
import { BodyUpload } from './upload';

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

/** Reads the body of a request. Fails with an ApiError for one that cannot be read as one of the declared media types. */
export type ReadRequestBody = (
  req: Request,
  res: ServerResponse,
  principal: { readonly name: string } | undefined,
) => ReadBody | Promise<ReadBody>;

export interface BodyOptions {
  /** The limit of an item of a sequence, and of bodies that have no other. */
  itemBytesMax: number;
  /** The largest of all limits of bodies that are held in memory. */
  bytesMax: number;
  readers?: Readonly<Record<string, Reader>> | undefined;
  /** The folder for large files of forms. */
  temporaryFolder?: string | undefined;
}

/** The readers of bodies of all operations, which share the memory and the temporary files that bodies may take. */
export class BodyReaders {
  private readonly budget: BodyBudget;
  private readonly temporaryFiles: TemporaryFiles;

  constructor(private readonly options: BodyOptions) {
    this.budget = new BodyBudget(options.bytesMax);
    this.temporaryFiles = new TemporaryFiles(options.temporaryFolder);
  }

  /** The reader of an operation's bodies, if it takes any. */
  readerOf(expected: ExpectedBody | undefined, limits: BodyLimits): ReadRequestBody {
    if (!expected) return () => NO_BODY;
    const { itemBytesMax, readers = {} } = this.options;
    const kinds = new Map(
      expected.mediaTypes.map((each) => [each, bodyKindOf(each, expected, limits, itemBytesMax, readers)]),
    );
    return (req, res, principal) => {
      if (!hasBody(req) && !isEmptyContent(req, expected, kinds)) return withoutBody(req, expected);
      const kind = kinds.get(mediaTypeOf(req, expected));
      if (!kind) throw new Error('a media type is not declared');
      const boundary = kind.isInParts ? boundaryIn(req, kind.mediaType) : undefined;
      if (Number(req.headers['content-length']) > kind.bytesMax) throw tooLarge(kind.bytesMax);
      const arrival = new Arrival(req, res, kind.bytesMax);
      limitTime(req, limits, kind, arrival);
      const owner = principal ? `principal ${principal.name}` : `client ${networkOf(clientOf(req))}`;
      if (kind.isSequence) return this.flow(arrival, boundary, kind, owner);
      if (kind.form && boundary !== undefined) return this.receive(arrival, boundary, kind.form, kind, owner);
      const buffer = new BodyBuffer(kind.bytesMax, this.budget, owner);
      if (kind.isUpload) return upload(req, arrival, buffer, kind);
      askFor(req, res);
      return collect(req, buffer, kind);
    };
  }

  /** A form in parts. */
  private async receive(
    arrival: Arrival,
    boundary: string,
    form: Form,
    { mediaType, bytesMax }: BodyKind,
    owner: string,
  ): Promise<ReadBody> {
    const buffers: BodyBuffer[] = [];
    const newBuffer = (max: number, what?: string): BodyBuffer => {
      const buffer = new BodyBuffer(max, this.budget, owner, what);
      buffers.push(buffer);
      return buffer;
    };
    const textMax = form.hasFiles ? Math.min(this.options.itemBytesMax, bytesMax) : bytesMax;
    const store: FormStore = {
      text: newBuffer(textMax, 'the text of a form'),
      files: new FormFiles(newBuffer(FILE_BYTES_HELD), () => this.temporaryFiles.open(owner)),
      upload: (source, { mediaType: sent }, filename) =>
        new BodyUpload({
          source,
          mediaType: sent,
          filename,
          size: source.size,
          buffer: newBuffer(bytesMax),
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
  private flow(
    arrival: Arrival,
    boundary: string | undefined,
    { mediaType }: BodyKind,
    owner: string,
  ): Promise<ReadBody> {
    const buffer = new BodyBuffer(this.options.itemBytesMax, this.budget, owner, 'an item');
    const items =
      boundary === undefined
        ? splitItems(arrival.chunks(), { start: frameOf(mediaType) ?? '', buffer, parse: readJson })
        : partItems(splitParts(arrival.chunks(), boundary), buffer);
    return arriving({ ...NO_BODY, mediaType, items }, arrival, buffer);
  }
}

/** True if the request says of no bytes what they are, such as an empty file. */
function isEmptyContent(
  { headers }: IncomingMessage,
  { mediaTypes }: ExpectedBody,
  kinds: ReadonlyMap<string, BodyKind>,
): boolean {
  const { 'content-length': length, 'content-type': contentType } = headers;
  if (length === undefined || contentType === undefined) return false;
  return kinds.get(contractMediaType(contentType, mediaTypes))?.mayBeEmpty === true;
}

/** A request without a body; throws an ApiError if its operation requires one. */
function withoutBody({ headers }: IncomingMessage, { mediaTypes, required }: ExpectedBody): ReadBody {
  const { 'content-type': contentType } = headers;
  if (contentType !== undefined) contractMediaType(contentType, mediaTypes);
  if (required) throw new ApiError(ErrorCode.MalformedBody, `expected a body of ${mediaTypes.join(' or ')}, got none`);
  return NO_BODY;
}

/** The declared media type of a body; throws an ApiError for another, for one that is encoded, and for a part that stands for a whole. */
function mediaTypeOf(
  { headers }: IncomingMessage,
  { mediaTypes, bytes, takesParts, takesCoded }: ExpectedBody,
): string {
  const isCoded = takesCoded && bytes.includes(contractMediaType(headers['content-type'], mediaTypes));
  if (!isCoded) refuseEncoding(headers['content-encoding'], mediaTypes);
  if (headers['content-range'] !== undefined && !takesParts)
    throw malformed('a whole body, got a part of one (Content-Range)'); // RFC 9110 section 14.5
  return contractMediaType(headers['content-type'], mediaTypes);
}

function limitTime(
  req: IncomingMessage,
  { ms, bytesPerSecondMin }: BodyLimits,
  { hasLeastRate }: BodyKind,
  arrival: Arrival,
): void {
  if (ms !== undefined) setDeadline(req, ms);
  if (hasLeastRate) setLeastRate(req, bytesPerSecondMin, arrival);
  else if (ms !== undefined) setLeastRate(req, bytesPerSecondMin, { isAwaited: true });
}

/** A body that is held in memory. */
async function collect(req: IncomingMessage, buffer: BodyBuffer, { mediaType, parse }: BodyKind): Promise<ReadBody> {
  try {
    await receiveAll(req, buffer);
    const { body, formParts, hasExactNumbers = false } = await parse(buffer.bytes());
    return { ...NO_BODY, mediaType, body, formParts, hasExactNumbers, release: () => buffer.release() };
  } catch (error) {
    buffer.release();
    throw error;
  }
}

function upload(
  { headers }: IncomingMessage,
  arrival: Arrival,
  buffer: BodyBuffer,
  { mediaType }: BodyKind,
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
