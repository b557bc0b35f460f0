/** How a parameter's value is written into a request (OpenAPI 3.1, "Style Values"), and how such a text may be read. */
import type { Parameter } from '../../src/contract/document';
import { schemaOf } from './contract';
import { integerOf, isObject, type Json, NumberText, writeJson } from './json';

/** A parameter in a request: the text of a path step or header, or pieces of a query. */
export type Written = { text: string; pieces?: undefined } | { text?: undefined; pieces: string[] };

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Undefined for a value that cannot be written, or not without being read as another; objects are among them. */
export function writeParameter(parameter: Parameter, value: Json): Written | undefined {
  const { in: where, name, style = '', explode = where === 'query' } = parameter;
  const isSerialized = schemaOf(parameter).mediaType !== undefined;
  const separator = where === 'query' ? (DELIMITERS[style] ?? ',') : ',';
  const texts = isSerialized ? [writeJson(value)] : textsOf(value, where, separator);
  if (!texts) return undefined;
  if (where !== 'query') {
    const text = texts.join(separator);
    return isWritable(where, text) ? { text } : undefined;
  }
  const written = explode ? texts : [texts.map(encoded).join(separator === ',' ? ',' : encoded(separator))];
  return { pieces: written.map((text) => `${encoded(name)}=${explode ? encoded(text) : text}`) };
}

/** With every reserved character encoded (RFC 3986 section 2.2), as OpenAPI has it where `allowReserved` is not said. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function textsOf(value: Json, where: string, separator: string): string[] | undefined {
  const isList = Array.isArray(value);
  const texts = (isList ? value : [value]).map(textOf);
  const known = texts.filter((text) => text !== undefined);
  if (known.length < texts.length || known.length === 0) return undefined;
  // An empty value in a query may mean that there is none, and one with a separator in it that there are two.
  if (where === 'query' && known.includes('')) return undefined;
  return isList && known.some((text) => text === '' || text.includes(separator)) ? undefined : known;
}

/** `null`, and anything within an array or object, has no text that OpenAPI knows of. */
function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || Array.isArray(value) || isObject(value)) return undefined;
  return writeJson(value);
}

/** Every step of a path has a text that no client resolves; a header is of one line of what is visible (RFC 9110). */
function isWritable(where: string, text: string): boolean {
  return where === 'path' ? !['', '.', '..'].includes(text) : /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

const READINGS_MAX = 64;

/**
 * All that a reader could take the written value for: a parameter's text does not tell `5` from `"5"`, nor either from a list
 * of it alone.
 */
export function readings(value: Json): Json[] {
  if (Array.isArray(value)) return [...combinations(value), ...scalars(value.map((each) => textOf(each) ?? '').join())];
  const alone = scalars(textOf(value) ?? '');
  return [...alone, ...alone.map((each) => [each])];
}

function scalars(text: string): Json[] {
  const others: Json[] = [];
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) others.push(integerOf(text) ?? new NumberText(text));
  if (text === 'true' || text === 'false') others.push(text === 'true');
  return [text, ...others];
}

function combinations(values: Json[]): Json[][] {
  return values.reduce<Json[][]>(
    (known, value) =>
      known.flatMap((each) => scalars(textOf(value) ?? '').map((reading) => [...each, reading])).slice(0, READINGS_MAX),
    [[]],
  );
}
