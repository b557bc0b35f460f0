/** Conditional and range requests (RFC 9110 sections 13 and 14), for answers of 200 with a validator. */
import type { Request } from 'express';
import { declaredKey } from '../contract/statuses';
import { conditionalAnswers, isValidator } from '../contract/conditional';
import { isWithin, withoutParameters } from '../contract/media-type';
import type { ContractOperation } from '../contract/operations';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import type { Answer } from '../http/send';
import { abandon, lengthOf, type StreamedAnswer } from '../http/streamed-answer';
import type { Schemas } from '../schema/schemas';
import { mayHave } from './declared-headers';
import type { Handling } from './handling';
import { partOf, type Range, rangeIn } from './ranges';

type Headers = NonNullable<Answer['headers']>;

/** For answers that a client may store and ask about again: without it no browser would. Those of the handler replace it. */
const STORED = ['Cache-Control', 'private, no-cache'] as const;

/** The handling of an operation that answers with 304, 206 and 416 where these are declared. */
export function withConditions(operation: ContractOperation, handling: Handling, schemas: Schemas): Handling {
  const declared = conditionalAnswers(operation);
  if (!declared) return handling;
  const { notModified, partial, notSatisfiable } = declared;
  const answers = [200, 304].map((status) => operation.responses[declaredKey(operation, status) ?? ''] ?? {});
  const isStored = notModified && answers.every((each) => mayHave(each, STORED, schemas));
  const stored = isStored ? Object.fromEntries([STORED]) : {};
  return {
    ...handling,
    answerOf(given, req) {
      const whole = handling.answerOf(given, req);
      const validators = validatorsOf(whole);
      if (!validators) return whole;
      const headers = { ...stored, ...whole.headers };
      if (notModified && isFresh(req, validators)) {
        release(whole);
        return { status: 304, headers: withoutContent(headers) };
      }
      const length = lengthOf(whole);
      const mediaType = withoutParameters(mediaTypeOf(whole));
      if (length === undefined || !partial.some((each) => isWithin(mediaType, each))) return { ...whole, headers };
      const range = requestedRange(req, validators, length);
      if (range && range.start <= range.end) return partOf({ ...whole, headers }, range, length, given.body);
      if (!range || !notSatisfiable) return { ...whole, headers: { 'Accept-Ranges': 'bytes', ...headers } };
      release(whole);
      throw new ApiError(ErrorCode.RangeNotSatisfiable, `expected a range within ${length} bytes`, {
        headers: { 'Content-Range': `bytes */${length}` },
      });
    },
  };
}

interface Validators {
  etag?: string;
  'last-modified'?: string;
}

/** The validators of an answer of 200, by name in lower case; undefined if it has none. */
function validatorsOf({ status, headers = {} }: Answer | StreamedAnswer): Validators | undefined {
  const found = Object.entries(headers).filter(([name]) => isValidator(name));
  if (status !== 200 || found.length === 0) return undefined;
  return Object.fromEntries(found.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/**
 * True if the client has the body that the validators are of. `Cache-Control: no-cache`, which `fetch` adds to a condition, is meant for
 * caches (RFC 9111 section 5.2.1.4); the package fresh, and so Express, would send the body in spite of the condition.
 */
function isFresh({ headers }: Request, { etag, 'last-modified': lastModified = '' }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since = '' } = headers;
  if (tags === undefined) return timeOf(lastModified) <= timeOf(since);
  return tags === '*' || (tags.match(/"[^"]*"/g) ?? []).some((tag) => etag === tag || etag === `W/${tag}`);
}

/** The time of a date as HTTP writes it (RFC 9110 section 5.6.7); NaN for any other text, which `Date` may understand. */
function timeOf(date: string): number {
  const time = Date.parse(date);
  return new Date(time).toUTCString() === date ? time : NaN;
}

/** The range of bytes that is asked for; undefined for the whole, also if the client has a part of another body (`If-Range`). */
function requestedRange({ method, headers }: Request, validators: Validators, length: number): Range | undefined {
  const { etag, 'last-modified': lastModified } = validators;
  const { range, 'if-range': condition } = headers;
  if (method !== 'GET' || range === undefined) return undefined;
  const isSame = condition === lastModified || (condition === etag && etag?.startsWith('W/') === false);
  return condition === undefined || isSame ? rangeIn(range, length) : undefined;
}

/** The headers that a client updates its copy with (RFC 9110 section 15.4.5). */
function withoutContent(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^content-(?:encoding|language|length|range|type)$/i.test(name)),
  );
}

function mediaTypeOf(answer: Answer | StreamedAnswer): string {
  return ('stream' in answer ? answer.stream : answer.content)?.mediaType ?? '';
}

/** Ends the body of an answer that is not sent. */
function release(answer: Answer | StreamedAnswer): void {
  if ('stream' in answer) abandon(answer.stream.source);
}
