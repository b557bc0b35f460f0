/** Writes values as XML, by the `xml` of their schemas. */
import type { Document, Schema } from '../contract/document';
import { parseJson, stringifyJson } from '../json/json';
import { ExactNumber } from '../json/number';
import { Shape } from './shape';
import { type XmlPart, xmlPartOf, xmlRootOf } from './xml-part';

/** Attributes of an element, and its content. */
interface Inside {
  attributes: string;
  content: string;
}

/** The shapes of schemas, each of one contract. */
const shapes = new WeakMap<Schema, Shape>();

/** The text of an XML document; throws a TypeError for a value that is no JSON. */
export function writeXml(document: Document, schema: Schema, value: unknown): string {
  const shape = shapes.get(schema) ?? new Shape(document, [schema]);
  shapes.set(schema, shape);
  const root = xmlRootOf(shape, schema);
  const plain = parseJson(stringifyJson(value)).value; // without what JSON leaves out
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementOf(root, insideOf(shape, plain, root.name))}\n`;
}

function partOf(shape: Shape, value: unknown, key: string): Inside {
  const part = xmlPartOf(shape, key);
  if (part.kind === 'attribute') {
    const text = Array.isArray(value) ? value.map(textOf).join(' ') : textOf(value);
    return { attributes: ` ${qualified(part)}="${escaped(text)}"`, content: '' };
  }
  if (part.kind === 'text') return { attributes: '', content: escaped(textOf(value)) };
  if (part.kind === 'cdata') return { attributes: '', content: cdataOf(textOf(value)) };
  const inside = insideOf(shape, value, part.name);
  const isBare = Array.isArray(value) && (part.kind === 'items' || !shape.isList);
  return isBare ? inside : { attributes: '', content: elementOf(part, inside) };
}

function insideOf(shape: Shape, value: unknown, name: string): Inside {
  if (Array.isArray(value)) return joined(value.map((each) => partOf(shape.item, each, name)));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
    return { attributes: '', content: escaped(textOf(value)) };
  return joined(Object.entries(value).map(([key, member]) => partOf(shape.member(key), member, key)));
}

function joined(parts: readonly Inside[]): Inside {
  const all = (of: keyof Inside): string => parts.map((part) => part[of]).join('');
  return { attributes: all('attributes'), content: all('content') };
}

function elementOf(part: XmlPart, { attributes, content }: Inside): string {
  const { prefix, namespace } = part;
  const declared = namespace === undefined ? '' : ` xmlns${prefix ? `:${prefix}` : ''}="${escaped(namespace)}"`;
  return `<${qualified(part)}${declared}${attributes}>${content}</${qualified(part)}>`;
}

function qualified({ prefix, name }: XmlPart): string {
  return prefix ? `${prefix}:${name}` : name;
}

function textOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' ? value : value === null ? '' : stringifyJson(value);
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
