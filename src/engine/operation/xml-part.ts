/** The parts of XML documents that stand for the values of a schema (OpenAPI 3.1 and 3.2, XML Object). */
import { nameIn, referenceOf } from '../contract/discriminator';
import type { Document, Schema } from '../contract/document';
import { Shape } from './shape';

interface XmlObject {
  name?: string;
  prefix?: string;
  namespace?: string;
  attribute?: boolean;
  wrapped?: boolean;
  nodeType?: 'element' | 'attribute' | 'text' | 'cdata' | 'none';
}

export interface XmlPart {
  /** `items`: a list without an element of its own. */
  kind: 'element' | 'attribute' | 'text' | 'cdata' | 'items';
  /** The name of the element or attribute, without a prefix. */
  name: string;
  prefix: string | undefined;
  namespace: string | undefined;
}

/** The part for a property or an item; `key` names it unless its schema does. Properties that are not declared keep their own names. */
export function xmlPartOf(shape: Shape, key: string, isDeclared = true): XmlPart {
  const { name: named, prefix, namespace, attribute, wrapped, nodeType }: XmlObject = shape.xml ?? {};
  // Authors write prefixes into names, too.
  const [, inName, name] = /^(?:([^:]+):)?(.+)$/s.exec((isDeclared && named) || '') ?? [];
  const own = attribute === true ? 'attribute' : nodeType;
  const element = shape.isList && wrapped !== true ? 'items' : 'element';
  const isValue = own === 'attribute' || own === 'text' || own === 'cdata';
  const before = prefix ?? inName;
  return { kind: isValue ? own : element, name: nameOf(name ?? key), prefix: before && nameOf(before), namespace };
}

/** The part for a whole document: one element, also for a list. */
export function xmlRootOf(shape: Shape, schema: Schema): XmlPart {
  const $ref = referenceOf(schema);
  const part = xmlPartOf(shape, $ref === undefined ? 'root' : nameIn($ref));
  return { ...part, kind: 'element' };
}

/** True if a schema gives the element of a whole document its name: then no other one is read. */
export function isRootNamed(shape: Shape, schema: Schema): boolean {
  return referenceOf(schema) !== undefined || (shape.xml !== undefined && 'name' in shape.xml);
}

/** The name of the element of a whole document, and whether it has to have that name. */
export function xmlRootNameOf(document: Document, schema: Schema): { name: string; isNamed: boolean } {
  const shape = Shape.of(document, [schema]);
  return { name: xmlRootOf(shape, schema).name, isNamed: isRootNamed(shape, schema) };
}

/** The namespace of `xsi:nil`, which tells null from an empty text (OpenAPI 3.2, XML Object). */
export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** The letters that begin names (https://www.w3.org/TR/xml/#NT-NameStartChar), without the colon of prefixes. */
const LETTERS =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF' +
  '\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const OTHER = new RegExp(`[^${LETTERS}.\\-0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]`, 'gu');
const NO_LETTER_FIRST = new RegExp(`^(?![${LETTERS}])`, 'u');

/** A text as the name of an element: characters that no name has are replaced. */
function nameOf(text: string): string {
  return text.replaceAll(OTHER, '_').replace(NO_LETTER_FIRST, '_');
}
