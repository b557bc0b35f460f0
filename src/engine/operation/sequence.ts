/** Sequential media types (OpenAPI 3.2, "Sequential Media Types"): the text of each item, and its check against the contract. */
import type { MediaType, Schema } from '../contract/document';
import { isParts, withoutParameters } from '../contract/media-type';
import {
  eventContents,
  frameOf,
  isSequence,
  type ItemLimits,
  itemLimits,
  itemSchemaOf,
  partAt,
} from '../contract/sequences';
import { isSchema } from '../contract/traverse';
import { asWritten, stringifyJson } from '../json/json';
import type { Schemas } from '../schema/schemas';
import type { Writing } from './write-body';
import { writeParts } from './write-parts';

/** The items of a body, as a response declares them for a media type. */
export interface Sequence {
  /** The first violation of the contract by the item at an index; undefined if it is valid. */
  problem(item: unknown, index: number): string | undefined;
  /** The violation by the number of items at the end; undefined if it is valid. */
  endProblem(count: number): string | undefined;
  limits: ItemLimits;
  /** Begins a body in its media type. */
  begin(mediaType: string): Writing;
  /** For samples: the schema of the values in the item at an index, and those of values in the data of events. */
  schemaAt(index: number): Schema | undefined;
  contents: readonly Schema[];
  /** The item with a value of the schema. */
  itemOf(value: unknown): unknown;
}

/** True for Server-Sent Events. */
export function isEventStream(mediaType: string): boolean {
  return withoutParameters(mediaType) === 'text/event-stream';
}

type Items = Omit<Sequence, 'endProblem' | 'limits'>;

/** The sequence of a media type of a response, with the length of its list; undefined if the media type is not sequential. */
export function sequenceOf(schemas: Schemas, mediaType: string, declared: MediaType): Sequence | undefined {
  const items = itemsOf(schemas, mediaType, declared);
  if (!items) return undefined;
  const limits = itemLimits(schemas.document, declared);
  const { least, most } = limits;
  return {
    ...items,
    limits,
    problem: (item, index) => (index < most ? items.problem(item, index) : `expected at most ${most} items, got more`),
    endProblem: (count) => (count < least ? `expected at least ${least} items, got ${count}` : undefined),
  };
}

function itemsOf(schemas: Schemas, mediaType: string, declared: MediaType): Items | undefined {
  const { document } = schemas;
  if (isEventStream(mediaType)) return events(schemas, itemSchemaOf(document, declared));
  const schemaAt = (index: number): Schema | undefined => itemSchemaOf(document, declared, index);
  const values = { schemaAt, contents: [], itemOf: (value: unknown) => value };
  if (isParts(mediaType) && isSequence(document, mediaType, declared)) {
    const partOf = partAt(document, declared);
    return {
      ...values,
      problem(item, index) {
        if (!(item instanceof Uint8Array)) return problemOf(schemas, schemaAt(index), item, '');
        const { isFile, types } = partOf(index);
        if (!isFile && types.length > 0) return `expected ${types.join(' or ')}, got bytes`;
        return problemOf(schemas, schemaAt(index), Buffer.from(item).toString('latin1'), ''); // a character for each byte
      },
      begin: (each) => writeParts(each, partOf, (index) => ({ document, schema: schemaAt(index) })),
    };
  }
  const start = frameOf(mediaType);
  if (start === undefined) return undefined;
  return {
    ...values,
    problem: (item, index) => problemOf(schemas, schemaAt(index), item, ''),
    begin: writing((item) => `${start}${stringifyJson(item)}\n`),
  };
}

/** The writing of items that nothing but their own text separates. */
function writing(write: Writing['write']): Sequence['begin'] {
  return (mediaType) => ({ mediaType, write });
}

function problemOf(schemas: Schemas, schema: Schema | undefined, value: unknown, what: string): string | undefined {
  if (schema === undefined) return undefined;
  const validate = schemas.compileWithin(schema);
  return validate(asWritten(value)) ? undefined : schemas.explain(validate, what);
}

type Event = Readonly<Record<string, unknown>>;

/** Events whose schema describes either the event with its fields, or its data. */
function events(schemas: Schemas, schema: Schema | undefined): Items {
  const contents = eventContents(schemas.document, schema);
  if (!contents)
    return {
      ...{ schemaAt: () => schema, contents: [], itemOf: (data) => ({ data }) },
      problem: (item) => problemOf(schemas, schema, asEvent(item).data, 'data'),
      begin: writing((item) => eventText(asEvent(item))),
    };
  const encoded = (event: Event): Event => ({ ...event, data: stringifyJson(event.data) });
  const contentOf = (event: Event): Schema | undefined =>
    contents.length === 0 || event.data === undefined
      ? undefined
      : contents.find(({ holder }) => schemas.compileWithin(holder)(encoded(event)))?.content;
  return {
    ...{ schemaAt: () => schema, contents: contents.map(({ content }) => content), itemOf: (value) => value },
    problem(item) {
      const event = asEvent(item);
      const content = contentOf(event);
      if (!content) return problemOf(schemas, schema, event, '');
      return problemOf(schemas, schema, encoded(event), '') ?? problemOf(schemas, content, event.data, 'data');
    },
    begin: writing((item) => {
      const event = asEvent(item);
      return eventText(contentOf(event) ? encoded(event) : event);
    }),
  };
}

function asEvent(item: unknown): Event {
  if (isSchema(item)) return item;
  throw new TypeError('expected an event: {event, id, retry, data}');
}

/** The lines of an event (HTML, "Server-sent events"). Texts cannot forge a field: `data` has a line for each of its own. */
function eventText({ event, id, retry, data }: Event): string {
  const lines = data === undefined ? [] : textOf(data).split(/\r\n|\r|\n/);
  return [
    ...fieldLine('event', event, /^[^\r\n]*$/),
    ...fieldLine('id', id, /^[^\r\n\0]*$/),
    ...fieldLine('retry', retry, /^\d+$/),
    ...lines.map((line) => `data: ${line}\n`),
    '\n',
  ].join('');
}

function textOf(data: unknown): string {
  return typeof data === 'string' ? data : stringifyJson(data);
}

function fieldLine(name: string, value: unknown, pattern: RegExp): string[] {
  if (value === undefined) return [];
  const text = textOf(value);
  if (pattern.test(text)) return [`${name}: ${text}\n`];
  throw new TypeError(`expected ${name === 'retry' ? 'a whole number' : 'one line'} as ${name} of an event`);
}
