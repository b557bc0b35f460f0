/** Writes a parameter's value into a request (OpenAPI 3.1, "Style Values"), and lists the values that such a text may be read as. */
import { isHeaderText, isJson, type Parameter } from '../../engine/reading';
import { schemaOf } from '../conformance/contract';
import { isObject, type Json, JsonNumber, type JsonObject, writeJson } from './json';

/** The text of a path segment (percent-encoded), a header or a cookie, or the `name=value` parts of a query. */
export type Serialized = { text: string; query?: undefined } | { text?: undefined; query: string[] };

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** A name, empty for an item of a list, and a text. */
type Member = [name: string, text: string];

/** The style of a parameter, and whether it is exploded, also where it does not say so. */
export function styleOf(parameter: Parameter): { style: string; explode: boolean } {
  const { style = /^(?:query|cookie)$/.test(parameter.in) ? 'form' : 'simple' } = parameter;
  const { explode = style === 'form' || style === 'cookie' } = parameter;
  return { style, explode };
}

/** Undefined for a value that has no text, or whose text would be read as another value. */
export function serialize(parameter: Parameter, value: Json): Serialized | undefined {
  const { in: where, name } = parameter;
  const { mediaType } = schemaOf(parameter);
  const whole = mediaType === undefined ? undefined : wholeOf(value, mediaType);
  if (where === 'querystring') return whole && { query: whole.map(([, text]) => percentEncoded(text)) };
  const isPair = where === 'query' || where === 'cookie';
  const { style, explode } = styleOf(parameter);
  const encode = where === 'header' || style === 'cookie' ? asItIs : percentEncoded;
  const isOne =
    whole !== undefined || (typeof value !== 'object' && style !== 'deepObject') || value instanceof JsonNumber;
  const delimiter = style === 'label' && explode ? '.' : isOne ? undefined : (DELIMITERS[style] ?? ',');
  const members = mediaType === undefined ? membersOf(value, isPair, delimiter) : whole;
  if (!members) return undefined;
  const pairs = (of: (member: string) => string): string[] =>
    members.map(([member, text]) => `${encode(of(member))}=${encode(text)}`);
  const isNamed = isObject(value) && !isOne;
  const list = (separator: string, hasPairs = false): string =>
    (hasPairs
      ? pairs(asItIs)
      : members
          .flat()
          .filter((_, index) => isNamed || index % 2 === 1)
          .map(encode)
    ).join(separator);
  const exploded = pairs((member) => (isNamed ? member : name));
  if (style === 'deepObject')
    return isObject(value)
      ? sent(
          where,
          pairs((member) => `${name}[${member}]`),
        )
      : undefined;
  if (isPair && (explode || isOne)) return sent(where, exploded);
  if (isPair) return sent(where, [`${encode(name)}=${list(delimiter === ',' ? ',' : encode(delimiter ?? ''))}`]);
  if (style === 'label') return sent(where, [`.${list(explode ? '.' : ',', explode && isNamed)}`]);
  if (style !== 'matrix') return sent(where, [list(',', explode && isNamed)]);
  if (!explode || isOne) return sent(where, [`;${encode(name)}=${list(',')}`]);
  return sent(where, [exploded.map((pair) => `;${pair}`).join('')]);
}

/** Undefined if the place cannot hold the text. */
function sent(where: Parameter['in'], texts: string[]): Serialized | undefined {
  if (where === 'query') return { query: texts };
  const [text = '', ...others] = texts;
  if (where === 'cookie') return others.length === 0 && /^[!#-:<-~]+$/.test(text) ? { text } : undefined;
  // A path segment is not empty and no dot segment, which clients resolve; a header is one line of visible ASCII.
  const isWritable = where === 'path' ? !['', '.', '..'].includes(text) : isHeaderText(text);
  return isWritable && others.length === 0 ? { text } : undefined;
}

/** With every reserved character encoded (RFC 3986 section 2.2), as OpenAPI has it without `allowReserved`. */
export function percentEncoded(text: string): string {
  const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, hex);
}

function asItIs(text: string): string {
  return text;
}

/** Without a delimiter it is one text. */
function membersOf(value: Json, isPair: boolean, delimiter: string | undefined): Member[] | undefined {
  const all: [string, Json][] = isObject(value) ? Object.entries(value) : [value].flat().map((each) => ['', each]);
  const known = all.flatMap(([name, each]): Member[] => {
    const text = textOf(each);
    return text === undefined ? [] : [[name, text]];
  });
  if (known.length < all.length || known.length === 0) return undefined;
  // An empty value in a query may be read as none, and one with a delimiter in it as two; names of other characters as others.
  const isAmbiguous = ([name, text]: Member): boolean =>
    (text === '' && (isPair || delimiter !== undefined)) ||
    (delimiter !== undefined && (text.includes(delimiter) || text !== text.trim())) ||
    (isObject(value) && !/^\w+$/.test(name));
  return known.some(isAmbiguous) ? undefined : known;
}

/** The text of a value as a media type has it; undefined if it has none, or one that may be read as none. */
function wholeOf(value: Json, mediaType: string): Member[] | undefined {
  const text = isJson(mediaType) ? writeJson(value) : textOf(value);
  return text === undefined || text === '' ? undefined : [['', text]];
}

/** OpenAPI defines no text for `null`, nor for what is nested. */
export function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.plain;
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** All values that a reader could take the text of this one for: `5` may be a number, a string, or a list of one of them. */
export function readings(value: Json): Json[] {
  if (isObject(value)) {
    // One member at a time: of all together there are too many.
    const objects = Object.entries(value).flatMap(([name, each]) =>
      readings(each).map((read) => ({ ...value, [name]: read })),
    );
    return [
      ...objects,
      Object.entries(value)
        .flatMap(([name, each]) => [name, textOf(each) ?? ''])
        .join(),
    ];
  }
  if (!Array.isArray(value)) {
    const text = textOf(value) ?? '';
    return [...scalars(text).flatMap((each) => [each, [each]]), ...emptyOf(text)];
  }
  const texts = value.map((each) => textOf(each) ?? '');
  const whole = texts.join();
  return [...listsOf(texts), ...objectsOf(texts), ...objectsOf(texts, true), ...scalars(whole), ...emptyOf(whole)];
}

/** The list and the object without members that a text may be. */
function emptyOf(text: string): Json[] {
  return text === '' ? [[], {}] : [];
}

/** The objects that texts may be together: a name and a value in turn, or `name=value` each if they are exploded. */
export function objectsOf(texts: readonly string[], isExploded = false): JsonObject[] {
  const members = isExploded
    ? texts.map((text) => text.split(/=(.*)/s, 2))
    : texts.flatMap((_, index) => (index % 2 === 0 ? [texts.slice(index, index + 2)] : []));
  if (members.some(({ length }) => length < 2)) return [];
  return listsOf(members.map(([, text = '']) => text)).map((values) =>
    Object.fromEntries(members.map(([name = ''], index) => [name, values[index] ?? null])),
  );
}

const READINGS_MAX = 16;

/** The list of other values than texts first: of many items, not all combinations are kept. */
function listsOf(texts: readonly string[]): Json[][] {
  const items = texts.map(scalars);
  const combinations = items.reduce<Json[][]>(
    (known, all) => known.flatMap((list) => all.map((each) => [...list, each])).slice(0, READINGS_MAX),
    [[]],
  );
  return [items.map((all) => all.at(-1) ?? null), ...combinations];
}

/** The text, and the other value that it may be, if there is one. */
function scalars(text: string): Json[] {
  const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  const isBoolean = text === 'true' || text === 'false';
  return [
    text,
    ...(text === '' ? [null] : []),
    ...(isNumber ? [new JsonNumber(text)] : []),
    ...(isBoolean ? [text === 'true'] : []),
  ];
}
