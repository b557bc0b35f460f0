/** Brings what OpenAPI 3.2 added to a document to the forms that 3.1 has for it, where 3.1 has one. */
import { parseJson } from '../json/json';
import { isForm, isJson } from './media-type';
import { type Document, pathOfPointer, type Reference, resolve, type Schema } from './document';
import { isSchema, partsOf } from './traverse';

/** Changes the document in place. */
export function normalize32(document: Schema): void {
  const parts = partsOf(document);
  for (const { part } of parts) referWithin(document.$self, part);
  for (const { part, path, isMap } of parts) {
    if (isMap && path.at(-1) === 'content') inlineMediaTypes(document, part);
    if (isMap && path.at(-1) === 'responses') describeResponses(part);
    if (isMap) continue;
    if ('in' in part && part.in === 'querystring') readFormAsQuery(part);
    if ('examples' in part && isSchema(part.examples))
      useValues(part.examples, path.at(-2) === 'content' ? String(path.at(-1)) : undefined);
    if ('security' in part && Array.isArray(part.security)) part.security = part.security.map(byName);
    if ('xml' in part && isSchema(part.xml)) nameNodeType(part, part.xml);
  }
}

/** Turns references by the document's own address, `$self`, into references within it. */
function referWithin(self: unknown, part: object): void {
  if (typeof self !== 'string' || self === '' || !('$ref' in part) || typeof part.$ref !== 'string') return;
  const [address, fragment = ''] = part.$ref.split('#', 2);
  if (address === self) part.$ref = `#${fragment}`;
}

/** Puts the Media Type Object itself in the place of a reference to it; one that leads nowhere is reported later. */
function inlineMediaTypes(document: Schema, content: object): void {
  for (const [mediaType, written] of Object.entries(content)) {
    if (!isSchema(written) || written.$ref === undefined) continue;
    try {
      Reflect.set(content, mediaType, resolve<Reference>(document as unknown as Document, written));
    } catch {
      continue;
    }
  }
}

function describeResponses(responses: object): void {
  for (const response of Object.values(responses))
    if (isSchema(response) && response.$ref === undefined) response.description ??= response.summary ?? '';
}

/** A query string that is a form is an object whose properties are parameters of the query. */
function readFormAsQuery(parameter: object): void {
  const content = 'content' in parameter && isSchema(parameter.content) ? parameter.content : {};
  const [[mediaType, form] = []] = Object.entries(content);
  if (mediaType === undefined || !isForm(mediaType) || !isSchema(form)) return;
  const { schema = {}, example, examples } = form;
  Reflect.deleteProperty(parameter, 'content');
  Object.assign(parameter, { in: 'query', style: 'form', explode: true, schema });
  Object.assign(parameter, example !== undefined && { example }, examples !== undefined && { examples });
}

/** Examples have their value in `value`: from `dataValue`, or else from a `serializedValue` of a body. */
function useValues(examples: Schema, mediaType: string | undefined): void {
  for (const example of Object.values(examples)) {
    if (!isSchema(example) || 'value' in example) continue;
    const { dataValue, serializedValue } = example;
    delete example.dataValue;
    delete example.serializedValue;
    if (dataValue !== undefined) example.value = dataValue;
    else if (typeof serializedValue === 'string' && mediaType !== undefined)
      example.value = isJson(mediaType) ? fromJson(serializedValue) : serializedValue;
  }
}

function fromJson(text: string): unknown {
  try {
    return parseJson(text).value;
  } catch {
    return text;
  }
}

/** Names security schemes that are given by their place: `#/components/securitySchemes/token`. */
function byName(requirement: unknown): unknown {
  if (!isSchema(requirement)) return requirement;
  return Object.fromEntries(
    Object.entries(requirement).map(([name, scopes]) => [
      name.includes('#/components/securitySchemes/') ? (pathOfPointer(name).at(-1) ?? name) : name,
      scopes,
    ]),
  );
}

/** An attribute and a wrapped list in the words of 3.1. */
function nameNodeType(schema: object, xml: Schema): void {
  if (xml.nodeType === 'attribute') xml.attribute = true;
  else if (xml.nodeType === 'element' && 'type' in schema && schema.type === 'array') xml.wrapped = true;
  else return;
  delete xml.nodeType;
}
