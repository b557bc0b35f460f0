/** Encodes values as bodies of other media types than JSON, as far as possible. */
import { stringifyJson } from '../../engine';
import {
  type Document,
  isFile,
  isJson,
  isMultipart,
  isXml,
  isYaml,
  type Schema,
  withoutParameters,
  writeXml,
} from '../../engine/reading';

/** A media type of a range, such as image/png for `image/*`, and JSON for `*\/*`. */
export function concrete(range: string): string {
  const [type = '', subtype = ''] = range.split('/');
  return subtype === '*' ? (OF_RANGES[type] ?? `${type}/octet-stream`) : range;
}

const OF_RANGES: Readonly<Record<string, string>> = {
  '*': 'application/json',
  application: 'application/json',
  audio: 'audio/mpeg',
  image: 'image/png',
  text: 'text/plain',
  video: 'video/mp4',
};

/**
 * Encodes a value as the body of an answer: unchanged if the engine writes it, else as bytes, which are not held to schemas. Undefined for the
 * fields of a multipart body, which nothing here writes.
 */
export function encode(mediaType: string, value: unknown, document: Document, schema: Schema = {}): unknown {
  const type = withoutParameters(mediaType);
  if (isXml(type) && !isData(value))
    return Buffer.from(/^\s*</.test(String(value)) ? String(value) : writeXml(document, schema, value));
  const isWritten = isJson(type) || isXml(type) || isYaml(type) || type === 'application/x-www-form-urlencoded';
  if (value instanceof Uint8Array || isWritten)
    return isJson(type) || isData(value) ? value : Buffer.from(String(value));
  if (isMultipart(type) && isData(value)) return undefined;
  return Buffer.from(typeof value === 'string' ? value : textOf(type, value));
}

function isData(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function textOf(type: string, value: unknown): string {
  if (/\b(?:json-?lines|stream\+json)$/.test(type))
    return [value]
      .flat()
      .map((each) => `${stringifyJson(each)}\n`)
      .join('');
  return stringifyJson(value);
}

/** A sample file, if the schema is that of a file, there is no schema, or the media type has one in `FILES`; undefined otherwise. */
export function fileOf(mediaType: string, schema: Schema | undefined): Uint8Array | string | undefined {
  const type = withoutParameters(mediaType);
  if (schema !== undefined && !isFile(schema) && !Object.hasOwn(FILES, type)) return undefined;
  if (isJson(type)) return undefined;
  const file = FILES[type] ?? Buffer.from('mock');
  return type.startsWith('text/') && !Object.hasOwn(FILES, type) ? 'mock' : file;
}

/** Minimal files by media type: a picture has one pixel. */
const FILES: Readonly<Record<string, Uint8Array>> = {
  'image/gif': Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  'text/html': Buffer.from('<!doctype html><title>Mock</title>'),
};
