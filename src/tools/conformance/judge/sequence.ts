/** Bodies of sequential media types: their whole items, and what is wrong with one. */
import {
  type Document,
  eventContents,
  isFile,
  isJson,
  isSequence as hasItems,
  itemLimits,
  itemSchemaOf,
  type MediaType,
  type Schema,
  withoutParameters,
} from '../../../engine/reading';
import { type Json, jsonIn } from '../../samples/json';
import type { Oracle } from '../../samples/oracle';
import type { Answer } from '../client';

const EVENTS = 'text/event-stream';
const SEQUENCE =
  /^(?:text\/event-stream|multipart\/(?!form-data)[\w.+-]+|application\/(?:jsonl|x-ndjson|(?:[\w.-]+\+)?json-seq))(?:\s*;|$)/i;
const PARTS = /^multipart\//i;

/** True for a media type whose bodies have items, and may never end. */
export function isSequence(mediaType = ''): boolean {
  return SEQUENCE.test(mediaType);
}

/** A body that was not read to its end, without an item that may not be whole. */
export function wholeItems(mediaType: string, text: string): string {
  if (PARTS.test(mediaType))
    return text
      .slice(0, Math.max(`\r\n${text}`.lastIndexOf(`\r\n${boundaryIn(mediaType)}`), 0))
      .concat(`${boundaryIn(mediaType)}--`);
  const separator = mediaType.startsWith(EVENTS) ? /^[^]*(?:\r\n\r\n|\n\n|\r\r)/ : /^[^]*\n/;
  return separator.exec(text)?.[0] ?? '';
}

/** What is wrong with a body, or else what of it is not judged; nothing if all of it is as declared. */
export interface ContentProblem {
  problem?: string | undefined;
  unjudged?: string | undefined;
}

/** The first item that deviates from its schema, and how. */
export function sequenceProblem(
  document: Document,
  oracle: Oracle,
  mediaType: string,
  declared: MediaType,
  answer: Pick<Answer, 'body' | 'isCut' | 'isOtherText'>,
): ContentProblem {
  const essence = withoutParameters(mediaType);
  const { body, isCut = false } = answer;
  if (PARTS.test(essence) && !hasItems(document, essence, declared))
    return declared.schema === undefined ? {} : { unjudged: `of ${essence}, which is not judged` };
  const parts = PARTS.test(essence) ? partsIn(body, boundaryIn(mediaType)) : [];
  if (!parts) return { problem: 'with a body without its last boundary' };
  const unreadable = PARTS.test(essence) ? undefined : unreadableIn(essence, answer);
  if (unreadable !== undefined) return { problem: `with ${unreadable}` };
  const schema = itemSchemaOf(document, declared) ?? {};
  const problems = PARTS.test(essence)
    ? parts.map((part, index) => partProblem(document, oracle, declared, part, index))
    : essence === EVENTS
      ? eventsIn(body).map((event) => eventProblem(document, oracle, schema, event))
      : body
          .split(isMarked(essence) ? RECORD_SEPARATOR : '\n')
          .filter((text) => text.trim() !== '')
          .map((text) => jsonProblem(oracle, schema, text));
  const { least, most } = itemLimits(document, declared);
  if (problems.length > most) return { problem: `with more than ${most} items` };
  const index = problems.findIndex((problem) => problem !== undefined);
  if (index >= 0) return { problem: `with a wrong item ${index + 1}: ${problems[index]}` };
  if (problems.length < least && !isCut) return { problem: `with fewer than ${least} items` };
  return isCut ? { unjudged: 'with a body that goes on, of which the first items alone are judged' } : {};
}

const RECORD_SEPARATOR = '\x1e';

/** True for a media type whose items begin with a record separator (RFC 7464). */
function isMarked(essence: string): boolean {
  return essence.endsWith('json-seq');
}

/** What no client can read as items. */
function unreadableIn(
  essence: string,
  { body, isOtherText }: Pick<Answer, 'body' | 'isOtherText'>,
): string | undefined {
  if (isOtherText) return 'a body that is no UTF-8, as its items have to be';
  if (isMarked(essence)) {
    const [before = ''] = body.split(RECORD_SEPARATOR);
    return before.trim() === '' ? undefined : 'an item without a record separator';
  }
  if (essence !== EVENTS) return undefined;
  if (/^data(?::|$)/m.test(blocksIn(body).at(-1) ?? '')) return 'an event that no empty line ends';
  return eventsIn(body).length === 0 && /^(?!:)\S/m.test(body) ? 'a body that has no events' : undefined;
}

function jsonProblem(oracle: Oracle, schema: Schema, text: string): string | undefined {
  const value = jsonIn(text);
  return value === undefined ? 'is no JSON' : oracle.problem(schema, value);
}

/** The text that begins each line of a boundary (RFC 2046 section 5.1.1). */
function boundaryIn(mediaType: string): string {
  const [, quoted, plain = ''] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(mediaType) ?? [];
  return `--${quoted ?? plain}`;
}

interface Part {
  mediaType: string;
  content: string;
}

/** The parts of a body; undefined if it lacks its end. */
function partsIn(body: string, boundary: string): Part[] | undefined {
  const [, ...parts] = `\r\n${body}`.split(`\r\n${boundary}`);
  const end = parts.findIndex((text) => text.startsWith('--'));
  if (end < 0) return undefined;
  return parts.slice(0, end).map((text) => {
    const [head = '', ...content] = text.split('\r\n\r\n');
    const mediaType = /^content-type:(.*)$/im.exec(head)?.[1]?.trim() ?? 'text/plain';
    return { mediaType: withoutParameters(mediaType), content: content.join('\r\n\r\n') };
  });
}

/** A part of another media type than JSON or text is bytes, of which only the media type is judged. */
function partProblem(
  document: Document,
  oracle: Oracle,
  declared: MediaType,
  { mediaType, content }: Part,
  index: number,
): string | undefined {
  const { prefixEncoding = [], itemEncoding } = declared;
  const { contentType = '*' } = prefixEncoding[index] ?? itemEncoding ?? {};
  const isDeclared = contentType
    .toLowerCase()
    .split(',')
    .some((each) => mediaType.startsWith(withoutParameters(each.trim()).replace(/\*.*/, '')));
  if (!isDeclared) return `is ${mediaType}, expected ${contentType}`;
  const schema = itemSchemaOf(document, declared, index) ?? {};
  if (isFile(schema) || !(isJson(mediaType) || mediaType.startsWith('text/'))) return undefined;
  if (isJson(mediaType)) return jsonProblem(oracle, schema, content);
  const problem = oracle.problem(schema, content);
  return problem === undefined ? undefined : jsonProblem(oracle, schema, content) && problem;
}

type Event = Record<string, Json> & { data: string };

/** The events that a client is given (HTML, "Interpreting an event stream"). */
function eventsIn(body: string): Event[] {
  return blocksIn(body).flatMap((block) => {
    const event: Record<string, Json> = {};
    const data: string[] = [];
    for (const line of block.split('\n')) {
      const { name = '', value = '' } = /^(?<name>[^:]*)(?::(?: )?(?<value>.*))?$/.exec(line)?.groups ?? {};
      if (name === 'data') data.push(value);
      if (name === 'event' || name === 'id') event[name] = value;
      if (name === 'retry') event.retry = jsonIn(value) ?? value;
    }
    return data.length === 0 ? [] : [{ ...event, data: data.join('\n') }];
  });
}

/** The lines up to each empty one. */
function blocksIn(body: string): string[] {
  return body.replace(/\r\n?/g, '\n').split('\n\n');
}

/** The data of an event is text, or, if its schema says so, a value. */
function eventProblem(document: Document, oracle: Oracle, schema: Schema, event: Event): string | undefined {
  const value = jsonIn(event.data);
  const asValue = value === undefined ? event : { ...event, data: value };
  const contents = eventContents(document, schema);
  const either = (first: Json, second: Json): string | undefined => {
    const problem = oracle.problem(schema, first);
    return problem !== undefined && oracle.accepts(schema, second) ? undefined : problem;
  };
  if (!contents) return either(asValue.data, event.data);
  const content = contents.find(({ holder }) => oracle.accepts(holder, event))?.content;
  return either(event, asValue) ?? (content && jsonProblem(oracle, content, event.data));
}
