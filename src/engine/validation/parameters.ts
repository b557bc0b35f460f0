/**
 * Reads an operation's parameters: the texts of path, query, headers and cookies as the values that their schemas describe, by the
 * style in which OpenAPI has each serialized (https://spec.openapis.org/oas/v3.1.1.html#style-values). Numbers are as exact as in
 * bodies. Whether a value is what the contract asks for is decided later.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Document, type Parameter, pointerOf } from '../contract/document';
import type { ContractOperation } from '../contract/operations';
import type { Violation } from '../http/api-error';
import { malformed } from '../http/errors';
import { isJson } from '../http/media-type';
import { DEPTH_MAX, JsonSyntaxError, parseJson } from '../json/json';
import { Shape } from './shape';
import { collected, contractViolation, violationAt } from './violation';

/** What a request has parameters in. */
export interface ParameterTexts {
  /** By name, percent-encoded. */
  path: Readonly<Record<string, string>>;
  /** As it was sent, without the question mark. */
  query: string;
  headers: IncomingHttpHeaders;
}

/** The declared parameters that were sent, by place and name. */
export type ParameterValues = Record<Parameter['in'], Readonly<Record<string, unknown>>>;

/** Adds to `found` what cannot be read, or is not declared; throws an ApiError for what HTTP does not allow. */
export type ParameterReader = (texts: ParameterTexts, found: Violation[]) => ParameterValues;

/** Header parameters of these names are ignored (OpenAPI 3.1, Parameter Object). */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** The parameters of an operation that are read. */
export function readableParameters({ parameters }: ContractOperation): Parameter[] {
  return parameters.filter(({ in: where, name }) => where !== 'header' || !IGNORED_HEADERS.has(name.toLowerCase()));
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_VALUES: ParameterValues = { path: NONE, query: NONE, header: NONE, cookie: NONE };

/** A function that reads the parameters of an operation. */
export function parameterReader(document: Document, operation: ContractOperation): ParameterReader {
  const readers = readableParameters(operation).map((parameter) => new OneReader(document, parameter));
  // An object that takes properties of any name gets what the others leave.
  readers.sort((a, b) => Number(a.takesRest) - Number(b.takesRest));
  const keys = keyNames(document, operation);
  const takesQuery = keys.size > 0 || readers.some(({ where }) => where === 'query');
  const takesCookies = readers.some(({ where }) => where === 'cookie');

  return function readParameters({ path, query, headers }, found) {
    if (readers.length === 0 && query === '') return NO_VALUES;
    const inQuery = pairsOf(query, '&', decodeForm);
    const inCookies = takesCookies ? pairsOf(headers.cookie ?? '', /;[ \t]*/, asItIs) : new Map<string, Sent>();
    const values = { path: record(), query: record(), header: record(), cookie: record() };
    for (const reader of readers) {
      const { where, name } = reader;
      const text = where === 'path' ? path[name] : where === 'header' ? headers[name.toLowerCase()] : undefined;
      const pairs = where === 'query' ? inQuery : inCookies;
      const isPairs = where === 'query' || where === 'cookie';
      const value = collected(found, () => {
        if (isPairs) return reader.fromPairs(pairs);
        return text === undefined ? undefined : reader.fromText(String(text));
      });
      if (value !== undefined) values[where][name] = value;
    }
    for (const [name, { isRead }] of inQuery)
      if (!isRead && !keys.has(name)) found.push(violationAt(pointerOf(['query', name]), NOT_DECLARED, 'one'));
    // A lone question mark and ampersands name nothing, and mean nothing.
    if (!takesQuery && query !== '' && inQuery.size === 0) found.push(violationAt('/query/', NOT_DECLARED, 'one'));
    return values;
  };
}

const NOT_DECLARED = 'expected no parameter of this name';

/** The query parameters that are credentials, which `auth/` reads. */
function keyNames({ components = {} }: Document, { security }: ContractOperation): ReadonlySet<string> {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  return new Set(
    schemes.flatMap((scheme) => {
      const { in: where, name } = components.securitySchemes?.[scheme] ?? {};
      return where === 'query' && name !== undefined ? [name] : [];
    }),
  );
}

/** What a query or a cookie has under one name, as it was sent. */
interface Sent {
  texts: string[];
  /** Whether it belongs to a declared parameter. */
  isRead: boolean;
}

function pairsOf(text: string, separator: string | RegExp, decodeName: Decode): Map<string, Sent> {
  const pairs = new Map<string, Sent>();
  for (const piece of text.split(separator)) {
    if (piece === '') continue;
    const [written, value] = memberOf(piece);
    const name = decodeName(written);
    const known = pairs.get(name);
    if (known) known.texts.push(value);
    else pairs.set(name, { texts: [value], isRead: false });
  }
  return pairs;
}

type Decode = (text: string) => string;
const asItIs: Decode = (text) => text;
const decodeForm: Decode = (text) => decode(text.replaceAll('+', ' '));
const decode: Decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('percent-encoded UTF-8');
  }
};

/** What separates items in one text. A space and a bar cannot stand in a URL as they are, but some clients send them so. */
const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  simple: /,/,
  label: /,/,
  matrix: /,/,
  spaceDelimited: /%20|[+ ]/,
  pipeDelimited: /%7C|\|/i,
};

/** Reads one parameter. */
class OneReader {
  readonly name: string;
  readonly where: Parameter['in'];
  /** Whether it is an object whose properties, of any name, are parameters of their own. */
  readonly takesRest: boolean;
  private readonly shape: Shape;
  private readonly style: string;
  private readonly explode: boolean;
  private readonly allowsEmpty: boolean;
  private readonly decode: Decode;
  /** Of its text, if that has one. */
  private readonly mediaType: string | undefined;

  constructor(document: Document, { name, in: where, schema, content = {}, ...how }: Parameter) {
    const [mediaType] = Object.keys(content);
    const isPair = where === 'query' || where === 'cookie';
    this.name = name;
    this.where = where;
    this.mediaType = mediaType;
    this.shape = new Shape(document, [schema ?? content[mediaType ?? '']?.schema]);
    this.style = how.style ?? (isPair ? 'form' : 'simple');
    this.explode = how.explode ?? this.style === 'form';
    this.allowsEmpty = how.allowEmptyValue === true;
    this.decode = where === 'header' ? asItIs : where === 'query' && how.allowReserved !== true ? decodeForm : decode;
    this.takesRest = this.isManyPairs && this.shape.isOpen;
  }

  /** Whether the properties of an object are parameters of their own. */
  private get isManyPairs(): boolean {
    return this.mediaType === undefined && this.style === 'form' && this.explode && this.isOnly('isObject');
  }

  private isOnly(kind: 'isList' | 'isObject'): boolean {
    return this.shape[kind] && this.shape.scalars.every((type) => type === 'null');
  }

  /** The value of a path or header parameter. */
  fromText(text: string): unknown {
    if (this.mediaType !== undefined) return this.fromContent(text);
    if (this.where === 'header') return this.fromDelimited(text, /[ \t]*,[ \t]*/);
    const mark = this.style === 'label' ? '.' : this.style === 'matrix' ? ';' : '';
    if (!text.startsWith(mark)) throw this.violation(`a text that begins with "${mark}"`);
    const rest = text.slice(mark.length);
    if (this.style === 'label' && this.explode) return this.fromDelimited(rest, /\./);
    if (this.style !== 'matrix') return this.fromDelimited(rest, /,/);
    if (this.explode && this.isOnly('isObject')) return this.fromDelimited(rest, /;/);
    const members = rest.split(';').map(memberOf);
    if (members.some(([name]) => decode(name) !== this.name)) throw this.violation(`";${this.name}=" and a value`);
    if (this.explode && this.shape.isList) return this.list(members.map(([, value]) => value));
    return this.fromDelimited(rest.slice(rest.indexOf('=') + 1), /,/);
  }

  /** The value of a query or cookie parameter; undefined if it was not sent. */
  fromPairs(pairs: ReadonlyMap<string, Sent>): unknown {
    if (this.style === 'deepObject') return this.fromBrackets(pairs);
    if (this.isManyPairs) return this.fromManyPairs(pairs);
    const texts = take(pairs.get(this.name));
    const [first] = texts;
    if (first === undefined) return undefined;
    if (texts.length > 1) return this.repeated(this.shape, texts); // a list whatever the schema says, so that nothing is dropped
    if (this.mediaType !== undefined) return this.fromContent(first);
    if (first === '' && this.allowsEmpty && this.shape.scalar('') === '' && !this.takesText) return undefined;
    const text = this.where === 'cookie' ? first.replace(/^"(.*)"$/s, '$1') : first;
    if (this.explode) return this.isOnly('isList') ? this.list([text]) : this.shape.scalar(this.decode(text));
    return this.fromDelimited(text, DELIMITERS[this.style] ?? /,/);
  }

  private get takesText(): boolean {
    return this.shape.scalars.includes('string') || (this.shape.scalars.length === 0 && !this.shape.isList);
  }

  private fromContent(text: string): unknown {
    const decoded = this.decode(text);
    if (!isJson(this.mediaType ?? '')) return this.shape.scalar(decoded);
    try {
      return parseJson(decoded).value;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw this.violation(`JSON: ${error.message}`);
    }
  }

  /** `a,b` of a list, `x,1,y,2` or `x=1,y=2` of an object, and any other text as one value. */
  private fromDelimited(text: string, delimiter: RegExp): unknown {
    const { shape } = this;
    if (this.isOnly('isObject')) {
      const pieces = text.split(delimiter);
      const members = this.explode ? pieces.map(memberOf) : pairsUp(pieces);
      const object = record();
      for (const [name, value] of members) {
        const key = this.decode(name);
        if (key in object) throw this.violation('no property twice');
        object[key] = shape.member(key).scalar(this.decode(value));
      }
      return object;
    }
    const isList = shape.isList && (this.isOnly('isList') || delimiter.test(text));
    return isList ? this.list(text.split(delimiter)) : shape.scalar(this.decode(text));
  }

  private list(texts: readonly string[]): unknown[] {
    return texts.map((text) => this.shape.item.scalar(this.decode(text)));
  }

  private repeated(shape: Shape, texts: readonly string[]): unknown[] {
    const item = shape.isList ? shape.item : shape;
    return texts.map((text) => item.scalar(this.decode(text)));
  }

  /** One value, or a list if the schema has one there or the name came several times. */
  private oneOrMore(shape: Shape, texts: readonly string[]): unknown {
    const [first = ''] = texts;
    const isList = texts.length > 1 || (shape.isList && shape.scalars.every((type) => type === 'null'));
    return isList ? this.repeated(shape, texts) : shape.scalar(this.decode(first));
  }

  private fromManyPairs(pairs: ReadonlyMap<string, Sent>): unknown {
    const { shape } = this;
    const rest = this.takesRest ? [...pairs].flatMap(([name, { isRead }]) => (isRead ? [] : name)) : [];
    const object = record();
    for (const name of new Set([...shape.memberNames, ...rest])) {
      const texts = take(pairs.get(name));
      if (texts.length > 0) object[name] = this.oneOrMore(shape.member(name), texts);
    }
    return Object.keys(object).length > 0 ? object : undefined;
  }

  /** `filter[size]=5`, `filter[tags]=a&filter[tags]=b`, `filter[tags][]=a` and `filter[owner][name]=Ada`. */
  private fromBrackets(pairs: ReadonlyMap<string, Sent>): unknown {
    const entries: Entry[] = [];
    let isTooDeep = false;
    for (const [name, sent] of pairs) {
      if (!name.startsWith(`${this.name}[`) || !name.endsWith(']')) continue;
      const keys = name.slice(this.name.length + 1, -1).split('][');
      isTooDeep ||= keys.length > DEPTH_MAX;
      for (const text of take(sent)) entries.push({ keys, text });
    }
    if (isTooDeep) throw this.violation(`at most ${DEPTH_MAX} levels of nesting`);
    return entries.length > 0 ? this.nested(this.shape, entries) : undefined;
  }

  private nested(shape: Shape, entries: readonly Entry[]): unknown {
    const texts = entries.map(({ text }) => text);
    if (entries.every(({ keys: [key, ...others] }) => key === undefined || (key === '' && others.length === 0)))
      return entries[0]?.keys.length === 0 ? this.oneOrMore(shape, texts) : this.repeated(shape, texts);
    const groups = new Map<string, Entry[]>();
    for (const {
      keys: [key, ...keys],
      text,
    } of entries) {
      if (key === undefined) throw this.violation('one form of it');
      const group = groups.get(key);
      if (group) group.push({ keys, text });
      else groups.set(key, [{ keys, text }]);
    }
    const isList = shape.isList && [...groups.keys()].every((key, index) => key === String(index));
    if (isList) return [...groups.values()].map((group) => this.nested(shape.item, group));
    const object = record();
    for (const [key, group] of groups) object[key] = this.nested(shape.member(key), group);
    return object;
  }

  private violation(expected: string): Error {
    return contractViolation(pointerOf([this.where, this.name]), `expected ${expected}`, 'another text');
  }
}

interface Entry {
  keys: readonly string[];
  text: string;
}

/** The texts under a name, unless another parameter has them. */
function take(sent: Sent | undefined): readonly string[] {
  if (!sent || sent.isRead) return [];
  sent.isRead = true;
  return sent.texts;
}

/** `name=value`. */
function memberOf(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

function pairsUp(pieces: readonly string[]): [name: string, value: string][] {
  return pieces.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [],
  );
}

/** So that `__proto__` is an ordinary name. */
function record(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
