/**
 * Objects as the bodies of forms, `application/x-www-form-urlencoded` and `multipart/form-data`, and the values of such bodies: a
 * form has only text, and the declared types say how it is read. Independent of the server's own reader.
 */
import {
  type Document,
  isFile,
  isFileByEncoding,
  isMultipart,
  isSchema,
  isWithin,
  type MediaType,
  type Schema,
} from '../../../engine/reading';
import { isObject, type Json, JsonNumber, type JsonObject, jsonIn, writeJson } from '../../samples/json';
import { flatten } from '../../samples/flatten';
import { percentEncoded, textOf } from '../../samples/serialize';
import { typesIn } from '../../samples/types';

export interface Form {
  /** With the boundary of a form in parts. */
  mediaType: string;
  text: string;
  /** The value of the body; none if a field that is no list is there several times: many readers take one of them. */
  value?: JsonObject;
}

interface Field {
  types: string[];
  isList: boolean;
  isFile: boolean;
  contentType: string | undefined;
}

const BOUNDARY = 'the-boundary-of-this-suite';

/**
 * Makes forms from values; undefined for a value that no form can express: not an object, without fields, or nested too deep. Files have the first
 * media type that their field takes, unless `types` has another one for its name.
 */
export function formsOf(
  document: Document,
  mediaType: string,
  content: MediaType,
  types: Readonly<Record<string, string>> = {},
): (value: Json) => Form | undefined {
  const declared = fieldsOf(document, content, isMultipart(mediaType));
  const fieldOf = (name: string): Field =>
    Object.hasOwn(types, name) ? { ...declared(name), contentType: types[name] } : declared(name);
  return (value) => (isObject(value) ? formOf(mediaType, fieldOf, value) : undefined);
}

function formOf(mediaType: string, fieldOf: (name: string) => Field, value: JsonObject): Form | undefined {
  const inParts = isMultipart(mediaType);
  const read: JsonObject = {};
  const written: string[] = [];
  let isRepeated = false;
  for (const [name, member] of Object.entries(value)) {
    const field = fieldOf(name);
    const members = [member].flat();
    const texts = members.flatMap((each) => fieldText(each, field, inParts) ?? []);
    if (texts.length < members.length) return undefined;
    isRepeated ||= !field.isList && texts.length > 1;
    if (inParts && !/^[\w.-]+$/.test(name)) return undefined; // clients quote such names differently
    for (const text of texts)
      written.push(inParts ? partOf(name, text, field) : `${percentEncoded(name)}=${percentEncoded(text)}`);
    const value = valueOf(texts, field);
    if (value === undefined) continue; // an empty list sends nothing
    Object.defineProperty(read, name, { value, enumerable: true });
  }
  if (written.length === 0) return undefined;
  const form = inParts
    ? { mediaType: `${mediaType}; boundary=${BOUNDARY}`, text: `${written.join('')}--${BOUNDARY}--\r\n` }
    : { mediaType, text: written.join('&') };
  return isRepeated ? form : { ...form, value: read };
}

/** The value of a form in `application/x-www-form-urlencoded`. */
export function readForm(document: Document, content: MediaType, text: string): JsonObject {
  const fieldOf = fieldsOf(document, content);
  const pairs = new URLSearchParams(text);
  const members = [...new Set(pairs.keys())].map(
    (name) => [name, valueOf(pairs.getAll(name), fieldOf(name)) ?? null] as const,
  );
  return Object.fromEntries(members);
}

/** The value of a field, which a form has once for each item of a list; undefined if it does not have it. */
function valueOf(texts: readonly string[], field: Field): Json | undefined {
  const readings = texts.map((text) => readingOf(text, field));
  const [first] = readings;
  return first === undefined || !(field.isList || readings.length > 1) ? first : readings;
}

/** For each field whose media types are listed, one that is not among them. */
export function unlistedTypes({ encoding = {} }: MediaType): [name: string, mediaType: string][] {
  return Object.entries(encoding).flatMap(([name, { contentType }]) => {
    const listed = contentType?.split(',').map((each) => each.trim()) ?? ['*/*'];
    const other = UNLISTED.find((each) => !listed.some((range) => isWithin(each, range)));
    return other === undefined ? [] : [[name, other]];
  });
}

const UNLISTED = ['text/html', 'application/zip', 'image/bmp'];

/** Malformed bodies of this media type. */
export function noForms(mediaType: string): { mediaType: string; text: string }[] {
  if (!isMultipart(mediaType)) return ['%', 'a=%FF'].map((text) => ({ mediaType, text }));
  const texts = ['a=1', `--${BOUNDARY}\r\n`, `--${BOUNDARY}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`];
  return texts.map((text) => ({ mediaType: `${mediaType}; boundary=${BOUNDARY}`, text }));
}

/** The declaration of a field, by its name. */
function fieldsOf(
  document: Document,
  { schema = {}, encoding = {} }: MediaType,
  inParts = false,
): (name: string) => Field {
  const flat = (each: unknown): readonly Schema[] => flatten(document, each);
  const forms = flat(schema);
  const known = new Map<string, Field>();
  return (name) => {
    const field = known.get(name) ?? make(name);
    known.set(name, field);
    return field;
  };

  function make(name: string): Field {
    const declared = forms.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name]] : [],
    );
    const others = forms.flatMap(({ additionalProperties: other }) => (isSchema(other) ? [other] : []));
    const own = (declared.length > 0 ? declared : others).flatMap(flat);
    const isList = own.some((each) => typesIn(each)?.includes('array'));
    const items = isList ? own.flatMap(({ items: item = {} }) => flat(item)) : own;
    const contentType = Object.hasOwn(encoding, name) ? encoding[name]?.contentType : undefined;
    return {
      types: items.flatMap((each) => typesIn(each) ?? []),
      isList,
      isFile: items.some(isFile) || (inParts && declared.length > 0 && isFileByEncoding(items, contentType)),
      contentType: contentType ?? mediaTypeOf(items),
    };
  }
}

function mediaTypeOf(schemas: readonly Schema[]): string | undefined {
  return schemas.map(({ contentMediaType }) => contentMediaType).find((each) => typeof each === 'string');
}

/**
 * The text of a value in a form; undefined if it has none. Files are ASCII, so that they have as many bytes as characters, and those of which
 * no type is known have any value in them.
 */
function fieldText(value: Json, field: Field, inParts: boolean): string | undefined {
  if (isOpenFile(field) || (field.isFile && typeof value === 'string'))
    return (typeof value === 'string' ? value : writeJson(value)).replaceAll(/[^\0-\x7f]/gu, '?');
  return isObject(value) && inParts && field.types.includes('object') ? writeJson(value) : textOf(value);
}

function isOpenFile({ isFile: isBytes, types }: Field): boolean {
  return isBytes && types.length === 0;
}

function readingOf(text: string, { types, isFile: isBytes }: Field): Json {
  if (isBytes || types.includes('string')) return text;
  if (types.includes('object')) {
    const value = jsonIn(text);
    return value === undefined ? text : value;
  }
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) && /integer|number/.test(types.join()))
    return new JsonNumber(text);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return types.includes('null') && text === '' ? null : text;
}

function partOf(
  name: string,
  text: string,
  { isFile: isBytes, contentType = 'application/octet-stream' }: Field,
): string {
  const [first = ''] = contentType.split(',');
  const file = `; filename="${name}"\r\nContent-Type: ${first.trim().replace('*', 'x')}`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${isBytes ? file : ''}\r\n\r\n${text}\r\n`;
}
