/** The parts of XML documents that stand for the values of a schema (OpenAPI 3.1 and 3.2, XML Object). */
import type { Schema } from '../contract/document';
import type { Shape } from './shape';

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

/** The part for a property or an item; `key` names it unless its schema does. */
export function xmlPartOf(shape: Shape, key: string): XmlPart {
  const { name = key, prefix, namespace, attribute, wrapped, nodeType }: XmlObject = shape.xml ?? {};
  const own = attribute === true ? 'attribute' : nodeType;
  const element = shape.isList && wrapped !== true ? 'items' : 'element';
  const isValue = own === 'attribute' || own === 'text' || own === 'cdata';
  return { kind: isValue ? own : element, name: nameOf(name), prefix, namespace };
}

/** The part for a whole document: one element, also for a list. */
export function xmlRootOf(shape: Shape, { $ref }: Schema): XmlPart {
  const part = xmlPartOf(shape, $ref?.slice($ref.lastIndexOf('/') + 1) ?? 'root');
  return { ...part, kind: 'element' };
}

/** A text as the name of an element: characters that no name has are replaced. */
function nameOf(text: string): string {
  return text.replaceAll(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
}
