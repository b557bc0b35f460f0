/** Bodies of answers as the values that their schemas are about, by media type. Independent of the server's own readers, but for XML. */
import { parse } from 'yaml';
import {
  type Document,
  isFile,
  isForm,
  isJson,
  isMultipart,
  isXml,
  isYaml,
  type MediaType,
  type Schema,
} from '../../../engine/reading';
import { flatten } from '../../samples/flatten';
import { fromYaml, type Json, jsonIn } from '../../samples/json';
import { readings } from '../../samples/serialize';
import { typesIn } from '../../samples/types';
import { type Answer, LENGTH_MAX } from '../client';
import { readForm } from '../generate/forms';
import { hasXmlValue, isUnreadXml, readXml } from '../xml';

/** The values that a body may be read as, the likeliest last, of which one has to fit; what is wrong with it; or what of it is not judged. */
export type Reading = { values: readonly Json[] } | { problem: string } | { unjudged: string };

/** Media types whose bodies are never JSON. */
const NEVER_JSON =
  /^(?:image|audio|video|font|multipart)\/|^text\/html$|^application\/(?:pdf|zip|gzip|x-www-form-urlencoded)$/;
const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'null']);
/** Keywords by which not every text fits. */
const OF_TEXTS = ['minLength', 'maxLength', 'pattern', 'enum', 'not', 'if'];

/** Reads a body that is no sequence; `essence` is its media type without parameters. */
export function readBody(document: Document, essence: string, declared: MediaType, answer: Answer): Reading {
  const { body, headers, isCut = false, isOtherText = false } = answer;
  const { schema = {}, encoding } = declared;
  if (isCut) return { unjudged: `with a body of more than ${LENGTH_MAX} characters, which is not judged` };
  if (isJson(essence)) {
    if (isOtherText) return { problem: 'with a body that is no UTF-8, as JSON has to be' };
    return valueOr(jsonIn(body), 'with a body that is no JSON');
  }
  if (isXml(essence)) return readXmlBody(document, schema, body);
  const isLikeJson = /^\s*[[{]/.test(body);
  if (NEVER_JSON.test(essence) && isLikeJson && jsonIn(body) !== undefined)
    return { problem: 'with a body that is JSON' };
  const flats = flatten(document, schema);
  if (flats.every(fitsAnyText)) return { values: [body] };
  if (isOtherText || otherCharsetIn(headers['content-type']) !== undefined)
    return { unjudged: `of ${essence} in another encoding than UTF-8, which is not judged` };
  if (isYaml(essence)) return valueOr(yamlIn(body), 'with a body that is no YAML');
  if (isForm(essence) && !isMultipart(essence) && encoding === undefined)
    return { values: [readForm(document, declared, body)] };
  const types = [...new Set(flats.flatMap((flat) => typesIn(flat) ?? []))];
  if (types.every((type) => type === 'string') && !flats.some(isFile)) return { values: [body] };
  if (essence.startsWith('text/') && types.every((type) => SCALARS.has(type)))
    return {
      values: [body, ...readings(body.trim()).filter((value) => typeof value !== 'string' && !Array.isArray(value))],
    };
  return { unjudged: `of ${essence}, which is not judged` };
}

/** The charset of a media type, unless it is UTF-8 or a part of that. */
export function otherCharsetIn(mediaType = ''): string | undefined {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s";]+)/i.exec(mediaType) ?? [];
  return /^(?:utf-?8|us-ascii)$/i.test(charset) ? undefined : charset;
}

function fitsAnyText(flat: Schema): boolean {
  const isText = (typesIn(flat) ?? ['string']).includes('string');
  return (
    isText && (flat.format === undefined || isFile(flat)) && !OF_TEXTS.some((keyword) => Object.hasOwn(flat, keyword))
  );
}

function valueOr(value: Json | undefined, problem: string): Reading {
  return value === undefined ? { problem } : { values: [value] };
}

function readXmlBody(document: Document, schema: Schema, text: string): Reading {
  if (isUnreadXml(text))
    return { unjudged: 'with XML that has a DOCTYPE or another encoding than UTF-8, which is not judged' };
  const isKnown = hasXmlValue(document, schema);
  const read = readXml(document, isKnown ? schema : {}, text);
  if ('problem' in read) return read;
  if (isKnown) return { values: [read.value] };
  return { unjudged: 'with XML whose schema is a text, or a list of items without xml.name, which is not judged' };
}

function yamlIn(text: string): Json | undefined {
  try {
    return fromYaml(parse(text, { intAsBigInt: true }));
  } catch {
    return undefined;
  }
}
