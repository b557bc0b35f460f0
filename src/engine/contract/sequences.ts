/** Sequential media types (OpenAPI 3.2, "Sequential Media Types"), and the schemas of their items. */
import { type Document, type MediaType, resolve, type Schema } from './document';
import { isJson, withoutParameters } from './media-type';
import { applicableSchemas, isSchema, typesOf } from './traverse';

/** Frames of items by media type; the types of handlers know the same (`handler-types.ts`). */
const JSON_FRAMES: readonly [mediaType: RegExp, start: string][] = [
  [/^application\/(?:jsonl|x-ndjson)$/, ''],
  [/^application\/(?:[\w.-]+\+)?json-seq$/, '\x1e'], // RFC 7464
];

/** The text before each item, which a line feed ends; undefined if the media type is none of items in JSON. */
export function frameOf(mediaType: string): string | undefined {
  return JSON_FRAMES.find(([pattern]) => pattern.test(withoutParameters(mediaType)))?.[1];
}

/** The schema of an item: `itemSchema`, the `items` of a list, or the `schema` itself, as documents of 3.1 have it; undefined for any item. */
export function itemSchemaOf(document: Document, { itemSchema, schema }: MediaType): Schema | undefined {
  if (itemSchema !== undefined || schema === undefined) return itemSchema;
  const { items } = resolve(document, schema);
  return items === undefined ? schema : isSchema(items) ? items : undefined;
}

/** True if bodies of the media type are items, rather than bytes or text by their schema. */
export function isSequence(document: Document, mediaType: string, { schema, itemSchema }: MediaType): boolean {
  if (frameOf(mediaType) === undefined) return false;
  return itemSchema !== undefined || [...typesOf(applicableSchemas(document, schema))].join() !== 'string';
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
