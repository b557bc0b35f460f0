/**
 * Reads XML bodies as the values that their schemas describe, so that they are validated as JSON is. Prefixes, namespaces and comments are
 * ignored, but for `xsi:nil`, and for the attributes `xml:lang` and `xmlns` that a schema has. There is no DTD and no entity but the five of
 * XML: a body with a DOCTYPE is refused.
 */
import { createRequire } from 'node:module';
import type * as Saxes from 'saxes';
import { type Document, type Path, pointerOf, type Schema } from '../contract/document';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import { DEPTH_MAX } from '../json/json';
import { contractViolation } from '../schema/violation';
import { record } from './parameter-texts';
import { Shape } from './shape';
import { isRootNamed, xmlPartOf, xmlRootOf, XSI } from './xml-part';

/** The parser, loaded with the first XML body. */
const load = createRequire(__filename);
let saxes: typeof Saxes | undefined;

/** Reads a document; throws an ApiError if it is malformed, or no value of the schema can be made of it. */
export type ReadXml = (text: string) => unknown;

export function xmlReader(document: Document, schema: Schema = {}): ReadXml {
  const shape = Shape.of(document, [schema]);
  const root = xmlRootOf(shape, schema);
  const isNamed = isRootNamed(shape, schema);
  return (text) => {
    saxes ??= load('saxes') as typeof Saxes;
    const parser = new saxes.SaxesParser();
    const open: OpenElement[] = [];
    /** The prefixes of the namespace of `xsi:nil`. */
    const instance = new Set(['xsi']);
    let value: unknown;
    parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
      if (!/^utf-8$/i.test(encoding)) throw malformed('XML in UTF-8, got a declaration of another encoding');
    });
    parser.on('doctype', () => {
      throw malformed('XML without a DOCTYPE');
    });
    parser.on('error', () => {
      throw malformed(`well-formed XML, got something else in line ${parser.line}, column ${parser.column}`);
    });
    parser.on('opentag', ({ name, attributes }) => {
      const holder = open.at(-1);
      if (open.length >= DEPTH_MAX) throw malformed(`XML of at most ${DEPTH_MAX} levels`);
      if (!holder && isNamed && localName(name) !== root.name)
        throw contractViolation('/body', `expected the element ${root.name}`, 'another');
      const element = holder ? holder.enter(localName(name)) : new OpenElement(shape, root.name, ['body']);
      open.push(element);
      const all = Object.entries(attributes);
      for (const [attribute, given] of all) if (given === XSI) instance.add(localName(attribute));
      for (const [attribute, given] of all) {
        const prefix = instance.has(prefixOf(attribute)) ? 'xsi' : prefixOf(attribute);
        if (prefix === 'xsi' && localName(attribute) === 'nil') element.isNil = /^\s*(?:true|1)\s*$/.test(given);
        else element.addAttribute(prefix, localName(attribute), given);
      }
    });
    parser.on('text', (more) => open.at(-1)?.addText(more, false));
    parser.on('cdata', (more) => open.at(-1)?.addText(more, true));
    parser.on('closetag', () => {
      const closed = open.pop();
      value = closed?.value();
      closed?.put(value);
    });
    parser.write(text).close();
    return value;
  };
}

function malformed(expected: string): ApiError {
  return new ApiError(ErrorCode.MalformedBody, `expected ${expected}`);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

/** The place of an element's value: the property of an object, or the items of a list. */
interface Member {
  property: string;
  shape: Shape;
  isItem: boolean;
}

/** The names that the members of a shape have in XML, and the properties that are the text of the element. */
interface Names {
  elements: ReadonlyMap<string, Member>;
  attributes: ReadonlyMap<string, Member>;
  text: Member | undefined;
  cdata: Member | undefined;
}

/** A property of a shape, with its name in XML. */
function memberOf(shape: Shape, property: string, isDeclared = true): { kind: string; name: string; member: Member } {
  const own = shape.member(property);
  const { kind, name } = xmlPartOf(own, property, isDeclared);
  if (kind !== 'items') return { kind, name, member: { property, shape: own, isItem: false } };
  const item = xmlPartOf(own.item, name, isDeclared);
  return { kind: 'element', name: item.name, member: { property, shape: own.item, isItem: true } };
}

const known = new WeakMap<Shape, Names>();

function namesOf(shape: Shape): Names {
  const before = known.get(shape);
  if (before) return before;
  const all = shape.memberNames.map((property) => memberOf(shape, property));
  const of = (kind: string): Map<string, Member> =>
    new Map(all.flatMap((each) => (each.kind === kind ? [[each.name, each.member]] : [])));
  const [text] = of('text').values();
  const [cdata] = of('cdata').values();
  const names = { elements: of('element'), attributes: of('attribute'), text, cdata };
  known.set(shape, names);
  return names;
}

/** Prefixes of attributes that any element may have: those of XML itself, and of its types. */
const RESERVED: ReadonlySet<string> = new Set(['xmlns', 'xml', 'xsi']);

class OpenElement {
  private readonly members = new Map<string, { isItem: boolean; values: unknown[] }>();
  private readonly items: unknown[] = [];
  private text = '';
  private cdata = '';
  /** True if the element stands for null. */
  isNil = false;

  constructor(
    private readonly shape: Shape,
    private readonly name: string,
    private readonly path: Path,
    /** Puts the value into the element around it. */
    readonly put: (value: unknown) => void = () => undefined,
  ) {}

  private get isList(): boolean {
    return this.shape.isList && !this.shape.isObject;
  }

  enter(name: string): OpenElement {
    const { shape, path } = this;
    if (this.isList) {
      const item = xmlPartOf(shape.item, this.name);
      if (item.name !== name) throw contractViolation(pointerOf(path), `expected elements ${item.name}`, 'another');
      const at = [...path, this.items.length];
      return new OpenElement(shape.item, item.name, at, (value) => this.items.push(value));
    }
    const member = namesOf(shape).elements.get(name) ?? this.otherMember(name, 'element');
    return new OpenElement(member.shape, name, [...path, member.property], (value) => this.add(member, value));
  }

  addAttribute(prefix: string, name: string, text: string): void {
    const known = namesOf(this.shape).attributes.get(name);
    const isKnown = known && (!RESERVED.has(prefix) || xmlPartOf(known.shape, name).prefix === prefix);
    if (!isKnown && (RESERVED.has(prefix) || name === 'xmlns')) return;
    const member = isKnown ? known : this.otherMember(name, 'attribute');
    this.add(member, attributeValue(member.shape, text));
  }

  /** A member that is not declared. A property that is has another name in XML then, or is no such part: to take it would be to guess. */
  private otherMember(name: string, kind: 'element' | 'attribute'): Member {
    const { shape, path } = this;
    if (!shape.declares(name)) {
      const member = { property: name, shape: shape.member(name), isItem: false };
      return kind === 'attribute' ? member : memberOf(shape, name, false).member;
    }
    const declared = memberOf(shape, name);
    const isNamed = declared.kind === 'element' || declared.kind === 'attribute';
    const expected = isNamed ? `the ${declared.kind} ${declared.name}` : 'text of the element';
    throw contractViolation(pointerOf([...path, name]), `expected ${expected}`, `the ${kind} ${name}`);
  }

  addText(text: string, isCdata: boolean): void {
    const { text: ofText, cdata: ofCdata } = namesOf(this.shape);
    if (ofCdata && (isCdata || !ofText)) this.cdata += text;
    else this.text += text;
  }

  value(): unknown {
    const { shape, members, path } = this;
    const { text, cdata } = namesOf(shape);
    const isBlank = /^[ \t\r\n]*$/.test(this.text);
    if (this.isNil && isBlank && this.cdata === '' && this.items.length + members.size === 0) return null;
    if (this.isNil) throw contractViolation(pointerOf(path), 'expected nothing in an element with xsi:nil', 'content');
    if (this.isList && isBlank && members.size === 0) return this.items;
    if (text && this.text !== '') this.add(text, scalar(text.shape, this.text));
    else if (!cdata && members.size === 0 && !(shape.isObject && isBlank)) return scalar(shape, this.text);
    else if (!isBlank) throw contractViolation(pointerOf(path), 'expected elements', 'text beside them');
    if (cdata && this.cdata !== '') this.add(cdata, scalar(cdata.shape, this.cdata));
    const object = record();
    for (const [property, { isItem, values }] of members)
      object[property] = isItem || values.length > 1 ? values : values[0];
    return object;
  }

  /** A member that came several times is a list whatever the schema says, so that nothing is dropped. */
  private add({ property, isItem }: Member, value: unknown): void {
    const known = this.members.get(property);
    if (known) known.values.push(value);
    else this.members.set(property, { isItem, values: [value] });
  }
}

/** The value of an attribute, in which spaces separate the items of a list. */
function attributeValue(shape: Shape, text: string): unknown {
  if (!shape.isOnlyList) return scalar(shape, text);
  return (text.match(/[^ \t\r\n]+/g) ?? []).map((word) => scalar(shape.item, word));
}

/** The value of a text; spaces around numbers and the like are no part of them. */
function scalar(shape: Shape, text: string): unknown {
  const isText = shape.scalars.length === 0 || shape.scalars.includes('string');
  return shape.scalar(isText ? text : text.trim());
}
