/** Writes values as XML, by the `xml` of their schemas. */
import type { Document, Schema } from '../contract/document';
import { parseJson, scalarText, stringifyJson } from '../json/json';
import { ExactNumber } from '../json/number';
import { Shape } from './shape';
import { type XmlPart, xmlPartOf, xmlRootOf, XSI } from './xml-part';

/** Attributes of an element, the namespaces that they need, and its content. */
interface Inside {
  namespaces: readonly string[];
  attributes: string;
  content: string;
}

/** The text of an XML document; throws a TypeError for a value that is no JSON. */
export function writeXml(document: Document, schema: Schema, value: unknown): string {
  const shape = Shape.of(document, [schema]);
  const root = xmlRootOf(shape, schema);
  const plain = parseJson(stringifyJson(value)).value; // without what JSON leaves out
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(root, insideOf(shape, plain, root.name))}\n`;
}

function partOf(shape: Shape, value: unknown, key: string, isDeclared: boolean): Inside {
  const part = xmlPartOf(shape, key, isDeclared);
  if (part.kind === 'attribute') {
    if (value === null) return onlyContent(''); // XML has no other null for attributes
    const text = Array.isArray(value) ? value.map(wordOf).join(' ') : scalarText(value);
    return { namespaces: declared(part), attributes: ` ${qualified(part)}="${escaped(text)}"`, content: '' };
  }
  if (part.kind === 'text') return onlyContent(escaped(scalarText(value)));
  if (part.kind === 'cdata') return onlyContent(cdataOf(scalarText(value)));
  const inside = insideOf(shape, value, part.name, isDeclared || part.kind !== 'items');
  return isBare(shape, value, part) ? inside : onlyContent(elementOf(part, inside));
}

/** True for a list without an element of its own. */
function isBare(shape: Shape, value: unknown, { kind }: XmlPart): boolean {
  return Array.isArray(value) && (kind === 'items' || !shape.isList);
}

function insideOf(shape: Shape, value: unknown, name: string, isDeclared = true): Inside {
  if (Array.isArray(value)) {
    const part = xmlPartOf(shape.item, name, isDeclared);
    if (value.some((each) => isBare(shape.item, each, part)))
      throw new TypeError('expected `wrapped` items in a list of lists: without it XML has them as one list');
    return joined(value.map((each) => partOf(shape.item, each, name, isDeclared)));
  }
  if (value === null) return { namespaces: [` xmlns:xsi="${XSI}"`], attributes: ' xsi:nil="true"', content: '' };
  if (typeof value !== 'object' || value instanceof ExactNumber) return onlyContent(escaped(scalarText(value)));
  const declared = new Set(shape.memberNames);
  checkNames(shape, declared, Object.keys(value));
  return joined(
    Object.entries(value).map(([key, member]) => partOf(shape.member(key), member, key, declared.has(key))),
  );
}

/** Throws a TypeError if XML has two of these members by one name, or one that is not declared by another name, or that of one that is. */
function checkNames(shape: Shape, declared: ReadonlySet<string>, given: readonly string[]): void {
  const others = given.filter((key) => !declared.has(key));
  if (others.some((key) => xmlPartOf(shape.member(key), key, false).name !== key))
    throw new TypeError('expected names of members that elements can have');
  const keys = others.length === 0 ? given : [...declared, ...others];
  const tags = new Set(keys.map((key) => tagOf(shape, key, declared.has(key))));
  if (tags.size < keys.length) throw new TypeError('expected members that have different names in XML');
}

/** The name of a member in XML, and its kind. */
function tagOf(shape: Shape, key: string, isDeclared: boolean): string {
  const own = shape.member(key);
  const { kind, name } = xmlPartOf(own, key, isDeclared);
  return kind === 'items' ? `element ${xmlPartOf(own.item, name, isDeclared).name}` : `${kind} ${name}`;
}

function joined(parts: readonly Inside[]): Inside {
  const all = (of: 'attributes' | 'content'): string => parts.map((part) => part[of]).join('');
  const namespaces = parts.flatMap((part) => part.namespaces);
  return { namespaces, attributes: all('attributes'), content: all('content') };
}

function onlyContent(content: string): Inside {
  return { namespaces: [], attributes: '', content };
}

function elementOf(part: XmlPart, { namespaces, attributes, content }: Inside): string {
  const all = [...new Set([...declared(part), ...namespaces])].join('');
  return `<${qualified(part)}${all}${attributes}>${content}</${qualified(part)}>`;
}

/** The declaration of a part's namespace, if it has one. */
function declared({ prefix, namespace }: XmlPart): string[] {
  return namespace === undefined ? [] : [` xmlns${prefix ? `:${prefix}` : ''}="${escaped(namespace)}"`];
}

function qualified({ prefix, name }: XmlPart): string {
  return prefix ? `${prefix}:${name}` : name;
}

/** An item of a list in an attribute, where spaces separate items. */
function wordOf(value: unknown): string {
  const text = scalarText(value);
  if (/^$|[ \t\r\n]/.test(text)) throw new TypeError('expected items without spaces in an attribute');
  return text;
}

/** Characters that XML 1.0 cannot have, not even escaped. */
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/u;

/** The text itself; throws a TypeError for one that XML cannot have. */
function writable(text: string): string {
  if (UNWRITABLE.test(text)) throw new TypeError('expected text of characters that XML has');
  return text;
}

/** Control characters are escaped, too: parsers make spaces of those in attributes, and line feeds of carriage returns. */
function escaped(text: string): string {
  return writable(text).replaceAll(/[&<>"']|[^ -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Sections, interrupted where they would end, and for carriage returns, of which parsers make line feeds. */
function cdataOf(text: string): string {
  const inside = writable(text).replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
  return `<![CDATA[${inside}]]>`;
}
