/** Parses whole bodies, and single items, by their media type. */
import { isUtf8 } from 'node:buffer';
import { isForm } from '../contract/media-type';
import type { ExpectedBody } from '../contract/operations';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { type FormPart, parseUrlencoded } from './parse-form';
import type { SentItem } from './split-items';

/** Parses bodies of a media type that the engine does not know, also later; throws or rejects for a malformed body. */
export type Reader = (bytes: Buffer) => unknown;

/** Parses a body; throws or rejects with an ApiError for one that is malformed. */
export type ParseBody = (bytes: Buffer) => ParsedBody | Promise<ParsedBody>;

interface ParsedBody {
  body?: unknown;
  /** The fields of a form, in place of `body`. */
  formParts?: readonly FormPart[];
  /** True if the body has numbers that a double misrepresents. */
  hasExactNumbers?: boolean;
}

/** The parser of a media type's bodies: a reader of the service's, or one of ours. */
export function parserOf(
  mediaType: string,
  { json }: ExpectedBody,
  readers: Readonly<Record<string, Reader>>,
): ParseBody {
  const reader = Object.hasOwn(readers, mediaType) ? readers[mediaType] : undefined;
  if (reader) return async (bytes) => ({ body: await readBy(reader, bytes, mediaType) });
  if (isForm(mediaType)) return (bytes) => ({ formParts: parseUrlencoded(bytes) });
  if (!json.includes(mediaType)) return (bytes) => ({ body: readText(bytes) });
  return (bytes) => {
    const { value: body, hasExactNumbers } = readJson(bytes);
    return { body, hasExactNumbers };
  };
}

async function readBy(reader: Reader, bytes: Buffer, mediaType: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await reader(bytes);
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

export function readText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ApiError(ErrorCode.MalformedBody, `expected UTF-8${encodingHint(bytes)}`);
  return bytes.toString('utf8');
}

export function readJson(bytes: Buffer): SentItem {
  const text = readText(bytes);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ApiError(ErrorCode.MalformedBody, `expected JSON: ${explainSyntax(text, error)}`);
    throw error;
  }
}
