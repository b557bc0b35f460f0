/** Writes values as XML, by the `xml` of their schemas (OpenAPI 3.1, "XML Object"). */
import { stringifyJson } from '../../engine';
import type { Document, Schema } from '../../engine/reading';
import { flatten } from '../samples/flatten';

interface Xml {
  name?: string;
  prefix?: string;
  namespace?: string;
  attribute?: boolean;
  wrapped?: boolean;
}

/** The text of an XML document whose root has the name of the schema. */
export function xmlOf(document: Document, schema: Schema, value: unknown): string {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1) ?? 'root';
  const text = new Writer(document).elements(schema, Array.isArray(value) ? { items: value } : value, name);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

class Writer {
  constructor(private readonly document: Document) {}

  /** The elements of a value: one, or one for each item of a list without a wrapper. */
  elements(schema: unknown, value: unknown, key: string): string {
    const { flat, xml, name } = this.describe(schema, key);
    if (Array.isArray(value)) {
      const { name: given } = this.describe(flat.items, '').xml;
      const items = value.map((each) => this.elements(flat.items ?? {}, each, given ?? name)).join('');
      return xml.wrapped ? `<${name}${namespaceOf(xml)}>${items}</${name}>` : items;
    }
    if (typeof value !== 'object' || value === null) return `<${name}${namespaceOf(xml)}>${escaped(value)}</${name}>`;
    let attributes = namespaceOf(xml);
    let content = '';
    for (const [property, member] of Object.entries(value)) {
      const inner = flat.type === 'array' ? flat : flat.properties?.[property];
      const described = this.describe(inner, property);
      if (described.xml.attribute) attributes += ` ${described.name}="${escaped(member)}"`;
      else content += this.elements(inner, member, property);
    }
    return `<${name}${attributes}>${content}</${name}>`;
  }

  private describe(schema: unknown, key: string): { flat: Schema; xml: Xml; name: string } {
    const flat = flatten(this.document, schema ?? {})[0] ?? {};
    const xml: Xml = (flat.xml as Xml | undefined) ?? {};
    const name = `${xml.prefix ? `${xml.prefix}:` : ''}${xml.name ?? key}`;
    return { flat, xml, name: name.replaceAll(/[^\w:.-]/g, '_').replace(/^(?![A-Za-z_])/, '_') };
  }
}

function namespaceOf({ namespace, prefix }: Xml): string {
  return namespace === undefined ? '' : ` xmlns${prefix ? `:${prefix}` : ''}="${escaped(namespace)}"`;
}

function escaped(value: unknown): string {
  return (
    typeof value === 'string' ? value : value === null || value === undefined ? '' : stringifyJson(value)
  ).replaceAll(/[&<>"']|[^\t\n\r -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}
