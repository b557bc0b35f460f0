/** Writes the bodies of answers as their media types. */
import type { Document, Schema } from '../contract/document';
import { isForm, isJson, isMultipart, isPlainText, isXml, isYaml } from '../contract/media-type';
import { escapeUnit, escapeUnprintable } from '../contract/write-yaml';
import { stringifyJson } from '../json/json';
import { writeXml } from './write-xml';

/** Writes values as a media type that the engine does not know; throws for one that cannot be written. */
export type Writer = (value: unknown) => string | Uint8Array;

/** A body that is written item by item. */
export interface Writing {
  /** Its Content-Type. */
  mediaType: string;
  /** The next item, with whatever separates it from others. Throws a TypeError if it cannot be written. */
  write(item: unknown): string | Uint8Array;
  /** The text behind the last item; undefined if there is none. */
  end?(): string;
}

/** The parts of a contract that writers need. */
export interface Written {
  document: Document;
  /** The schema of a value. */
  schema: Schema | undefined;
}

/**
 * A body in its media type: bytes and text as they are, other values as JSON, XML, YAML, a form or plain text. Throws if it cannot be
 * written.
 */
export function writeBody(mediaType: string, body: unknown, written: () => Written): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (isJson(mediaType)) return stringifyJson(body);
  if (typeof body === 'string') return body;
  if (isPlainText(mediaType) && isScalar(body)) return String(body);
  if (isYaml(mediaType)) return yamlOf(stringifyJson(body));
  if (typeof body === 'object' && body !== null) {
    if (isXml(mediaType)) {
      const { document, schema = {} } = written();
      return writeXml(document, schema, body);
    }
    if (isForm(mediaType) && !isMultipart(mediaType)) return formOf(body);
  }
  throw new TypeError(`expected a string or a Uint8Array for a body of ${mediaType}, got ${typeof body}`);
}

/** Numbers, and what tells them from text: quotes, and characters that are escaped. */
const NUMBERS = /\\.|"|(?<digits>\d+)(?<fraction>\.\d+)?(?:[eE](?<sign>[+-]?)(?<exponent>\d+))?/g;

/** JSON as YAML, of which it is a part, with what readers of version 1.1 need. */
function yamlOf(json: string): string {
  return escapeUnprintable(withFractions(json));
}

/** JSON with a fraction in each number with an exponent: some readers of YAML take 1e-7 for text, and 1.0e-7 for a number. */
function withFractions(json: string): string {
  if (!/\d[eE][+-]?\d/.test(json)) return json;
  let isText = false;
  return json.replaceAll(NUMBERS, (token, digits?: string, fraction = '.0', sign = '', exponent?: string) => {
    if (token === '"') isText = !isText;
    return isText || exponent === undefined ? token : `${digits}${fraction}e${sign || '+'}${exponent}`;
  });
}

/** JSON whose other characters are escaped. */
export function inAscii(json: string): string {
  return json.replaceAll(/[^ -~]/g, escapeUnit);
}

/**
 * The body itself. Throws a TypeError for text with half of a surrogate pair, which UTF-8 cannot have: Node would send U+FFFD in its place;
 * and for what is neither text nor a Uint8Array, which Node refuses only once the headers are sent.
 */
export function encodable<Body extends string | Uint8Array>(body: Body): Body {
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('expected a string or a Uint8Array as the text of a body');
  if (typeof body === 'string' && !body.isWellFormed()) throw new TypeError('expected text without lone surrogates');
  return body;
}

/** True if any object can be written in the media type. */
export function writesObjects(mediaType: string): boolean {
  return isJson(mediaType) || isXml(mediaType) || isYaml(mediaType) || (isForm(mediaType) && !isMultipart(mediaType));
}

/** The members of an object as pairs; a list is several of one name, an object within is JSON, and null is empty, as it is read. */
function formOf(body: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body) as [string, unknown][])
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value])
      if (each !== undefined) form.append(encodable(name), encodable(formText(each)));
  return form.toString();
}

function formText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

function isScalar(value: unknown): boolean {
  return ['number', 'bigint', 'boolean'].includes(typeof value);
}
