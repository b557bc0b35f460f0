/** Encodes values as bodies of other media types than JSON, as far as possible. */
import { stringify } from 'yaml';
import { stringifyJson } from '../../engine';
import { type Document, isFile, isJson, type Schema, withoutParameters } from '../../engine/reading';
import { xmlOf } from './xml';

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

/** Encodes a value as the body of an answer: unchanged for JSON, else as bytes, which are not held to schemas. */
export function encode(document: Document, mediaType: string, value: unknown, schema: Schema | undefined): unknown {
  const type = withoutParameters(mediaType);
  if (isJson(type) || value instanceof Uint8Array) return value;
  return Buffer.from(typeof value === 'string' ? value : textOf(document, type, value, schema));
}

function textOf(document: Document, type: string, value: unknown, schema: Schema | undefined): string {
  if (/[/+]xml$/.test(type)) return xmlOf(document, schema ?? {}, value);
  if (/[/+](?:x-)?yaml$/.test(type)) return stringify(value, { aliasDuplicateObjects: false });
  if (/\b(?:json-?lines|stream\+json)$/.test(type))
    return [value]
      .flat()
      .map((each) => `${stringifyJson(each)}\n`)
      .join('');
  if (type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null)
    return String(
      new URLSearchParams(Object.entries(value).map(([name, each]): [string, string] => [name, String(each)])),
    );
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
