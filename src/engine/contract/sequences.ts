/** Sequential media types (OpenAPI 3.2, "Sequential Media Types"), and the schemas of their items. */
import type { Document, MediaType, Schema } from './document';
import { type FormField, fieldOf } from './form-fields';
import { isJson, isParts, withoutParameters } from './media-type';
import { applicableSchemas, conjoinedSchemas, isSchema, typesOf } from './traverse';

/** Frames of items by media type; the types of handlers know the same (`handler-types.ts`). */
const JSON_FRAMES: readonly [mediaType: RegExp, start: string][] = [
  [/^application\/(?:jsonl|x-ndjson)$/, ''],
  [/^application\/(?:[\w.-]+\+)?json-seq$/, '\x1e'], // RFC 7464
];

/** The text before each item, which a line feed ends; undefined if the media type is none of items in JSON. */
export function frameOf(mediaType: string): string | undefined {
  return JSON_FRAMES.find(([pattern]) => pattern.test(withoutParameters(mediaType)))?.[1];
}

/**
 * The schema of the item at an index: `itemSchema`, that of a list by `prefixItems` and `items`, or the `schema` itself, as documents of 3.1
 * have it; undefined for any item.
 */
export function itemSchemaOf(
  document: Document,
  { itemSchema, schema }: MediaType,
  index = Infinity,
): Schema | undefined {
  if (itemSchema !== undefined || schema === undefined) return itemSchema;
  const lists = [...conjoinedSchemas(document, schema)].filter(isOfList);
  const found = lists.map(({ items, prefixItems }) => prefixItems?.[index] ?? items).find(isSchema);
  return found ?? (lists.length > 0 ? undefined : schema);
}

function isOfList({ type, items, prefixItems }: Schema): boolean {
  return type === 'array' || items !== undefined || prefixItems !== undefined;
}

/** The least and the most items of a body. */
export interface ItemLimits {
  least: number;
  most: number;
}

/** The limits of a body by the `schema` of its list; any number by default. */
export function itemLimits(document: Document, { schema }: MediaType): ItemLimits {
  const lists = [...conjoinedSchemas(document, schema)];
  const lengthOf = ({ items, prefixItems = [] }: Schema): number => (items === false ? prefixItems.length : Infinity);
  return {
    least: Math.max(0, ...lists.map(({ minItems = 0 }) => Number(minItems))),
    most: Math.min(...lists.map((list) => Number(list.maxItems ?? lengthOf(list)))),
  };
}

/** The keywords of a list that cannot be held to while its items come one by one; the `items` of a second list are among them. */
export function unheldKeywords(document: Document, mediaType: string, declared: MediaType): string[] {
  if (!isSequence(document, mediaType, declared) || declared.itemSchema !== undefined) return [];
  const lists = [...conjoinedSchemas(document, declared.schema)].filter(isOfList);
  const withItems = lists.filter(({ items, prefixItems }) => items !== undefined || prefixItems !== undefined);
  const unheld = ['uniqueItems', 'contains', 'unevaluatedItems'].filter((keyword) =>
    lists.some((list) => list[keyword]),
  );
  return withItems.length > 1 ? ['items', ...unheld] : unheld;
}

/** True if bodies of the media type are items, rather than bytes or text by their schema. */
export function isSequence(document: Document, mediaType: string, { schema, itemSchema }: MediaType): boolean {
  if (!isParts(mediaType) && frameOf(mediaType) === undefined) return false;
  if (itemSchema !== undefined) return true;
  if (isParts(mediaType)) return [...conjoinedSchemas(document, schema)].some(({ type }) => type === 'array');
  return [...typesOf(applicableSchemas(document, schema))].join() !== 'string';
}

/** The part at an index of a body in parts: the types, and the media types, that it may have. */
export function partAt(document: Document, declared: MediaType): (index: number) => FormField {
  const { prefixEncoding = [], itemEncoding } = declared;
  const lists = [...conjoinedSchemas(document, declared.schema)];
  const fieldAt = (index: number): FormField =>
    fieldOf(document, [itemSchemaOf(document, declared, index)], prefixEncoding[index] ?? itemEncoding);
  const last = Math.max(prefixEncoding.length, ...lists.map(({ prefixItems = [] }) => prefixItems.length));
  const fields = Array.from({ length: last + 1 }, (_, index) => fieldAt(index));
  return (index) => fields[Math.min(index, last)] ?? fieldAt(index);
}

/** The schema of values in the data of events, and the schema around it: as an annotation it counts where that one accepts the event. */
export interface EventContent {
  holder: Schema;
  content: Schema;
}

const FIELDS: ReadonlySet<string> = new Set(['event', 'id', 'retry', 'data']);

/** The schemas of JSON in the data of events; undefined if the schema is not of events, but of their data. */
export function eventContents(document: Document, schema: Schema | undefined): readonly EventContent[] | undefined {
  const applicable = [...applicableSchemas(document, schema)];
  const names = applicable.flatMap(({ properties = {} }) => Object.keys(properties));
  if (!names.includes('data') || !names.every((name) => FIELDS.has(name))) return undefined;
  return applicable.flatMap((holder) => {
    const { contentSchema, contentMediaType = 'application/json' } = holder.properties?.data ?? {};
    return isSchema(contentSchema) && isJson(String(contentMediaType)) ? [{ holder, content: contentSchema }] : [];
  });
}
