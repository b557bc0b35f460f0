/**
 * Bodies of XML by the `xml` of their schemas, written and read as the engine does: the suite judges the values, and holds no server to
 * parts of XML that OpenAPI gives no meaning.
 */
import { ApiError, ErrorCode, parseJson, stringifyJson } from '../../engine';
import { type Document, isSchema, referenceOf, type Schema, writeXml, xmlReader } from '../../engine/reading';
import { flatten } from '../samples/flatten';
import { type Json, readJson, writeJson } from '../samples/json';
import { typesIn } from '../samples/types';

/** A body, and the value that a reader takes it for. */
interface XmlBody {
  text: string;
  value: Json;
}

/** Makes bodies from values; undefined for a value that XML cannot express. */
export function xmlOf(document: Document, schema: Schema): (value: Json) => XmlBody | undefined {
  const read = xmlReader(document, schema);
  return (value) => {
    try {
      const text = writeXml(document, schema, parseJson(writeJson(value)).value);
      return { text, value: readJson(stringifyJson(read(text))) };
    } catch (error) {
      if (error instanceof TypeError || error instanceof ApiError) return undefined;
      throw error;
    }
  };
}

/** The value of a body, or what is wrong with the body. */
export function readXml(document: Document, schema: Schema, text: string): { value: Json } | { problem: string } {
  try {
    return { value: readJson(stringifyJson(xmlReader(document, schema)(text))) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isMalformed = error.code === ErrorCode.MalformedBody;
    return { problem: isMalformed ? 'with a body that is no XML' : `with a wrong body: ${error.message}` };
  }
}

/** True for a schema of text alone, which may be that of the document itself. */
export function isXmlText(document: Document, schema: Schema): boolean {
  const types = flatten(document, schema).flatMap((flat) => typesIn(flat) ?? []);
  return types.length > 0 && types.every((type) => type === 'string');
}

/** True if OpenAPI has a name for the element of a whole document: its schema has `xml.name`, or is a component. */
export function isXmlNamed(document: Document, schema: Schema): boolean {
  return referenceOf(schema) !== undefined || hasXmlName(document, schema);
}

/** True if the value of a document is known: not for a text, and not for a list whose items have no name. */
export function hasXmlValue(document: Document, schema: Schema): boolean {
  const lists = flatten(document, schema).filter((flat) => typesIn(flat)?.includes('array'));
  const areNamed = lists.every(({ items }) => isSchema(items) && hasXmlName(document, items));
  return !isXmlText(document, schema) && (areNamed || isXmlNamed(document, schema));
}

function hasXmlName(document: Document, schema: Schema): boolean {
  return flatten(document, schema).some(({ xml }) => isSchema(xml) && 'name' in xml);
}

/** True for XML that is not read: with a DTD, or in another encoding than UTF-8. */
export function isUnreadXml(text: string): boolean {
  return /<!DOCTYPE\b/.test(text) || /^\uFEFF?<\?xml[^>]*\bencoding=["'](?!utf-8["'])/i.test(text);
}
