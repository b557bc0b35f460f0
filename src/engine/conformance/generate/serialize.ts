/** How a parameter's value is written into a request (OpenAPI 3.1, "Style Values"), and how such a text may be read. */
import type { Parameter } from '../../contract/document';
import { schemaOf } from '../contract';
import { isObject, type Json, JsonNumber, writeJson } from '../../samples/json';

/** The text of a path segment or a header, or the `name=value` parts of a query. */
export type Serialized = { text: string; query?: undefined } | { text?: undefined; query: string[] };

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Undefined for a value that has no text, or whose text would be read as another value; objects are among them. */
export function serialize(parameter: Parameter, value: Json): Serialized | undefined {
  const { in: location, name, style = '', explode = location === 'query' } = parameter;
  const delimiter = location === 'query' ? (DELIMITERS[style] ?? ',') : ',';
  const isJson = schemaOf(parameter).mediaType !== undefined;
  const texts = isJson ? [writeJson(value)] : textsOf(value, location, delimiter);
  if (!texts) return undefined;
  if (location !== 'query') {
    const text = texts.join(delimiter);
    return isWritable(location, text) ? { text } : undefined;
  }
  const joined = texts.map(percentEncoded).join(delimiter === ',' ? ',' : percentEncoded(delimiter));
  const values = explode ? texts.map(percentEncoded) : [joined];
  return { query: values.map((each) => `${percentEncoded(name)}=${each}`) };
}

/** With every reserved character encoded (RFC 3986 section 2.2), as OpenAPI has it without `allowReserved`. */
export function percentEncoded(text: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex);
}

function textsOf(value: Json, location: string, delimiter: string): string[] | undefined {
  const texts = [value].flat().map(textOf);
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length || known.length === 0) return undefined;
  // An empty value in a query may be read as none, and one with a delimiter in it as two.
  const isAmbiguous = (text: string): boolean =>
    (text === '' && (location === 'query' || Array.isArray(value))) ||
    (Array.isArray(value) && text.includes(delimiter));
  return known.some(isAmbiguous) ? undefined : known;
}

/** OpenAPI defines no text for `null`, nor for what is nested. */
function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return value === null || Array.isArray(value) || isObject(value) ? undefined : writeJson(value);
}

/** A path segment is not empty and no dot segment, which clients resolve; a header is one line of visible ASCII. */
function isWritable(location: string, text: string): boolean {
  return location === 'path' ? !['', '.', '..'].includes(text) : /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** All values that a reader could take the text of this one for: `5` may be a number, a string, or a list of one of them. */
export function readings(value: Json): Json[] {
  if (!Array.isArray(value)) return scalars(textOf(value) ?? '').flatMap((each) => [each, [each]]);
  const texts = value.map((each) => textOf(each) ?? '');
  const lists = texts.reduce<Json[][]>(
    (known, text) => known.flatMap((list) => scalars(text).map((each) => [...list, each])).slice(0, READINGS_MAX),
    [[]],
  );
  return [...lists, ...scalars(texts.join())];
}

const READINGS_MAX = 64;

function scalars(text: string): Json[] {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  const isBoolean = text === 'true' || text === 'false';
  return [text, ...(isNumber ? [new JsonNumber(text)] : []), ...(isBoolean ? [text === 'true'] : [])];
}
