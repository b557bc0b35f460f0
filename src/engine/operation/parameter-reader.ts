/**
 * Reads one parameter by the serialization of its style (https://spec.openapis.org/oas/v3.1.1.html#style-values).
 * Numbers are as exact as in bodies.
 */
import { type Document, type Parameter, placeOf, pointerOf } from '../contract/document';
import { isJson } from '../contract/media-type';
import { DEPTH_MAX, JsonSyntaxError, parseJson } from '../json/json';
import { explainSyntax } from '../json/syntax-error';
import { ascii, type Decode, decode, decodeForm, memberOf, pairsUp, record, type Sent, take } from './parameter-texts';
import { Shape } from './shape';
import { contractViolation } from '../schema/violation';

/** The delimiters of items by style, in place of commas. A URL cannot have a raw space or bar, but some clients send them. */
const DELIMITERS: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|[+ ]/,
  pipeDelimited: /%7C|\|/i,
};

export class OneReader {
  readonly name: string;
  readonly where: Parameter['in'];
  /** True for an object whose properties, of any name, are sent as parameters of their own. */
  readonly takesRest: boolean;
  private readonly shape: Shape;
  private readonly style: string;
  private readonly explode: boolean;
  private readonly allowsEmpty: boolean;
  private readonly decode: Decode;
  /** The media type of its text; undefined unless it is declared by `content`. */
  private readonly mediaType: string | undefined;

  constructor(document: Document, { name, in: where, schema, content = {}, ...how }: Parameter) {
    const [mediaType] = Object.keys(content);
    const isPair = where === 'query' || where === 'cookie';
    this.name = name;
    this.where = where;
    this.mediaType = mediaType;
    this.shape = Shape.of(document, [schema ?? content[mediaType ?? '']?.schema]);
    const isPlainCookie = how.style === 'cookie';
    this.style = isPlainCookie ? 'form' : (how.style ?? (isPair ? 'form' : 'simple'));
    this.explode = how.explode ?? this.style === 'form';
    this.allowsEmpty = how.allowEmptyValue === true;
    this.decode =
      where === 'header' || isPlainCookie
        ? ascii
        : where === 'query' && how.allowReserved !== true
          ? decodeForm
          : decode;
    this.takesRest = this.isManyPairs && this.shape.isOpen;
  }

  /** True for an object whose properties are sent as parameters of their own: those that it does not name are refused, unless it takes the rest. */
  get isManyPairs(): boolean {
    return this.mediaType === undefined && this.style === 'form' && this.explode && this.shape.isOnlyObject;
  }

  /** The value of a path or header parameter, or of a whole query. */
  fromText(text: string): unknown {
    if (this.mediaType !== undefined) return this.fromContent(text);
    if (this.where === 'header') return this.fromDelimited(text, /(?<![ \t])[ \t]*,[ \t]*/);
    const mark = this.style === 'label' ? '.' : this.style === 'matrix' ? ';' : '';
    if (!text.startsWith(mark)) throw this.violation(`a text that begins with "${mark}"`);
    const rest = text.slice(mark.length);
    if (this.style === 'label' && this.explode) return this.fromDelimited(rest, /\./);
    if (this.style !== 'matrix') return this.fromDelimited(rest, /,/);
    if (this.explode && this.shape.isOnlyObject) return this.fromDelimited(rest, /;/);
    const members = rest.split(';').map(memberOf);
    const values = members.map(([, value]) => value);
    const isExploded = this.explode && this.shape.isList;
    if (members.some(([name]) => decode(name) !== this.name) || (values.length > 1 && !isExploded))
      throw this.violation(`";${this.name}=" and a value`);
    return isExploded ? this.listOf(this.shape, values) : this.fromDelimited(values.join(''), /,/);
  }

  /** The value of a query or cookie parameter; undefined if it was not sent. */
  fromPairs(pairs: ReadonlyMap<string, Sent>): unknown {
    if (this.style === 'deepObject') return this.fromBrackets(pairs);
    if (this.isManyPairs) return this.fromManyPairs(pairs);
    const texts = take(pairs.get(this.name));
    const [first] = texts;
    if (first === undefined) return undefined;
    if (this.mediaType !== undefined) {
      if (texts.length > 1) throw this.violation('one value', 'several');
      return this.fromContent(first);
    }
    if (texts.length > 1) return this.listOf(this.shape, texts); // a list for any schema, so that nothing is dropped
    if (first === '' && this.allowsEmpty && this.shape.scalar('') === '' && !this.shape.takesEmptyText)
      return undefined;
    const text = this.unquoted(first);
    if (this.explode) return this.oneOrMore(this.shape, [text]);
    return this.fromDelimited(text, DELIMITERS[this.style] ?? /,/);
  }

  /** A text without the quotes that may stand around the value of a cookie (RFC 6265 section 4.1.1). */
  private unquoted(text: string): string {
    return this.where === 'cookie' ? text.replace(/^"(.*)"$/s, '$1') : text;
  }

  private fromContent(text: string): unknown {
    const decoded = this.decode(text);
    if (!isJson(this.mediaType ?? '')) return this.shape.scalar(decoded);
    try {
      return parseJson(decoded).value;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      throw this.violation(`JSON: ${explainSyntax(decoded, error)}`);
    }
  }

  /** Reads `a,b` as a list, `x,1,y,2` or `x=1,y=2` as an object, and any other text as one value. */
  private fromDelimited(text: string, delimiter: RegExp): unknown {
    const { shape } = this;
    if (this.shape.isOnlyObject) {
      const pieces = text === '' ? [] : text.split(delimiter);
      const isWhole = this.explode ? pieces.every((piece) => piece.includes('=')) : pieces.length % 2 === 0;
      if (!isWhole) throw this.violation('a value for each property');
      const members = this.explode ? pieces.map(memberOf) : pairsUp(pieces);
      const object = record();
      for (const [name, value] of members) {
        const key = this.decode(name);
        if (key in object) throw this.violation('no property twice');
        object[key] = shape.member(key).scalar(this.decode(value));
      }
      return object;
    }
    const isList = shape.isListOf(this.decode(text)) || (shape.isList && delimiter.test(text));
    return isList ? this.listOf(shape, text.split(delimiter)) : shape.scalar(this.decode(text));
  }

  /** A list of values, each an item of the schema, or a value itself if that describes no list. */
  private listOf(shape: Shape, texts: readonly string[]): unknown[] {
    return texts.map((text, index) => (shape.isList ? shape.itemAt(index) : shape).scalar(this.decode(text)));
  }

  /** One value, or a list if the name was sent several times, or no schema takes the text as one value. */
  private oneOrMore(shape: Shape, texts: readonly string[]): unknown {
    const [first = '', ...others] = texts;
    const text = this.decode(first);
    return others.length > 0 || shape.isListOf(text) ? this.listOf(shape, texts) : shape.scalar(text);
  }

  private fromManyPairs(pairs: ReadonlyMap<string, Sent>): unknown {
    const { shape } = this;
    const rest = this.takesRest ? [...pairs].flatMap(([name, { isRead }]) => (isRead ? [] : name)) : [];
    const object = record();
    for (const name of new Set([...shape.memberNames, ...rest])) {
      const texts = take(pairs.get(name)).map((text) => this.unquoted(text));
      if (texts.length > 0) object[name] = this.oneOrMore(shape.member(name), texts);
    }
    return Object.keys(object).length > 0 ? object : undefined;
  }

  /**
   * Reads `deepObject`: `filter[size]=5`, `filter[tags]=a&filter[tags]=b`, `filter[tags][]=a` and
   * `filter[owner][name]=Ada`; and `filter=5` if it may be no object, of which OpenAPI says nothing.
   */
  private fromBrackets(pairs: ReadonlyMap<string, Sent>): unknown {
    const entries: Entry[] = [];
    let isTooDeep = false;
    for (const [name, sent] of pairs) {
      const isWhole = name === this.name && !this.shape.isOnlyObject;
      if (!isWhole && (!name.startsWith(`${this.name}[`) || !name.endsWith(']'))) continue;
      const keys = isWhole ? [] : name.slice(this.name.length + 1, -1).split('][');
      isTooDeep ||= keys.length > DEPTH_MAX;
      for (const text of take(sent)) entries.push({ keys, text });
    }
    if (isTooDeep) throw this.violation(`at most ${DEPTH_MAX} levels of nesting`);
    return entries.length > 0 ? this.nested(this.shape, entries) : undefined;
  }

  private nested(shape: Shape, entries: readonly Entry[]): unknown {
    const texts = entries.map(({ text }) => text);
    if (entries.every(({ keys: [key, ...others] }) => key === undefined || (key === '' && others.length === 0)))
      return entries[0]?.keys.length === 0 ? this.oneOrMore(shape, texts) : this.listOf(shape, texts);
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
    const indices = [...groups.keys()].map((_, index) => String(index));
    if (shape.isList && indices.every((index) => groups.has(index)))
      return indices.map((index) => this.nested(shape.itemAt(Number(index)), groups.get(index) ?? []));
    const object = record();
    for (const [key, group] of groups) object[key] = this.nested(shape.member(key), group);
    return object;
  }

  private violation(expected: string, got = 'another text'): Error {
    return contractViolation(pointerOf([placeOf({ in: this.where }), this.name]), `expected ${expected}`, got);
  }
}

interface Entry {
  keys: readonly string[];
  text: string;
}
