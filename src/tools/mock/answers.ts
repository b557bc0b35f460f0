/** Answers requests as the contract declares: with its examples, or else with values made from schemas. */
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { ApiError, type HandlerAnswer, messageOf, NotWrittenCode } from '../../engine';
import {
  type ContractOperation,
  examplesIn,
  type Header,
  isHeaderText,
  isJson,
  type MediaType,
  resolve,
  type ResponseObject,
  WITHOUT_BODY,
} from '../../engine/reading';
import {
  type AnyRequest,
  declaredKey,
  type LoadedContract,
  type Mock,
  Responses,
  type Schemas,
} from '../../engine/tooling';
import { SIZE_MAX } from '../samples/making';
import { concrete, encode, fileOf } from './encode';
import { inOrder, type Preferences, preferencesIn, unmet } from './preferences';
import { Samples } from './samples';
import { itemsIn, oneByOne, problemIn, samplesOf } from './sequences';

/** A function that answers requests, the same for the same request, with `intervalMs` between the items of a sequence. It throws an ApiError of 400 for a preference that cannot be met. */
export function answersOf(schemas: Schemas, seed: number, intervalMs = 0): Mock {
  const { document } = schemas;
  const samples = new Samples(schemas);

  function headersOf({ headers = {} }: ResponseObject, chosen: number, method: string): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [name, declared] of Object.entries(headers)) {
      // The length of what a GET would be answered with, which frames nothing.
      const isLength = method === 'HEAD' && /^content-length$/i.test(name);
      if (FRAMING_HEADERS.test(name) && !isLength) continue;
      const header: Header = resolve(document, declared);
      const [[mediaType, described] = ['', header]] = Object.entries(header.content ?? {});
      const { schema } = described;
      const isValue = (each: unknown): boolean => {
        if (isLength) return /^\d{1,15}$/.test(String(each));
        return isJson(mediaType) || isHeaderValue(each); // JSON is written in ASCII
      };
      const fits = (each: unknown): boolean => isValue(each) && (!schema || samples.fits(schema, each));
      const given = examplesIn(document, described).find(fits) ?? samples.valueOf(schema ?? {}, chosen, fits);
      const value = given ?? (isLength && fits('0') ? '0' : undefined);
      if (value !== undefined) made[name] = value;
    }
    return made;
  }

  /** Adds the body, of the first media type that a body can be made for. */
  function bodyOf(
    operation: ContractOperation,
    { content = {} }: ResponseObject,
    answer: HandlerAnswer,
    accept: string | undefined,
    preferences: Preferences,
    chosen: number,
  ): HandlerAnswer {
    const responses = new Responses(schemas, operation);
    const mediaTypes = inOrder(Object.keys(content), accept).map((key) => [key, concrete(key)] as const);
    for (const [key, mediaType] of mediaTypes) {
      const declared = content[key] ?? {};
      const sequence = responses.sequenceOf(answer.status, mediaType);
      if (sequence) {
        const problemOf = (given: unknown): string | undefined => problemIn(sequence, itemsIn(sequence, given));
        const example = exampleFor(declared, mediaType, preferences, problemOf);
        if (isText(mediaType, example)) return { ...answer, mediaType, body: Buffer.from(example) };
        const items =
          example === undefined
            ? samplesOf(samples, sequence, chosen, preferences.dynamic)
            : itemsIn(sequence, example);
        if (items) return { ...answer, mediaType, body: oneByOne(items, intervalMs) };
        continue;
      }
      const problemOf = (body: unknown): string | undefined => responses.problem({ ...answer, mediaType, body });
      const example = exampleFor(declared, mediaType, preferences, problemOf);
      const { schema } = declared;
      const value =
        example ??
        fileOf(mediaType, schema) ??
        samples.valueOf(schema ?? {}, chosen, (made) => problemOf(made) === undefined, preferences.dynamic);
      const body = value === undefined ? undefined : encode(mediaType, value, document, schema);
      if (body !== undefined) return { ...answer, mediaType, body };
    }
    throw unmade(
      `no ${mediaTypes[0]?.[1]} of at most ${SIZE_MAX} parts and characters was found for its ${answer.status}: expected an example in the contract`,
    );
  }

  /** The example with the preferred name, or the first that fits; undefined if there is none. */
  function exampleFor(
    declared: MediaType,
    mediaType: string,
    { example: name, dynamic }: Preferences,
    problemOf: (body: unknown) => string | undefined,
  ): unknown {
    const read = (given: unknown): unknown => {
      // An example may be JSON as a text.
      const isText = typeof given === 'string' && isJson(mediaType) && problemOf(given) !== undefined;
      return isText ? (jsonIn(given) ?? given) : given;
    };
    // An example of another media type than JSON is its text.
    const fits = (given: unknown): boolean => isText(mediaType, given) || problemOf(given) === undefined;
    if (name !== undefined) {
      const { examples = {} } = declared;
      const preferred = examples[name];
      if (!preferred || !Object.hasOwn(examples, name))
        throw unmet(`example to be ${listed(Object.keys(examples))}`, name);
      const value = read(examplesIn(document, { examples: { preferred } })[0]);
      if (value === undefined || !fits(value))
        throw unmet(`an example that fits its schema (${problemOf(value)})`, name);
      return value;
    }
    if (dynamic) return undefined;
    return examplesIn(document, declared).map(read).find(fits);
  }

  return function answerMock(operation, request, { prefer, accept }) {
    const preferences = preferencesIn(prefer);
    const status = statusOf(operation, preferences.code);
    if (status < 200) throw unmade(`${status} is for requests that ask for another protocol`);
    const declared = operation.responses[declaredKey(operation, status) ?? ''];
    if (!declared) return { status };
    const chosen = choiceOf(seed, operation, status, request);
    const answer: HandlerAnswer = { status, headers: headersOf(declared, chosen, operation.method) };
    if (Object.keys(declared.content ?? {}).length === 0 || WITHOUT_BODY.has(status)) {
      if (preferences.example !== undefined) throw unmet(`no example, as ${status} has no body`, preferences.example);
      return answer;
    }
    return bodyOf(operation, declared, answer, accept, preferences, chosen);
  };
}

/** A request of which an answer depends on nothing. */
const ANY_REQUEST: AnyRequest = Object.freeze({
  ...{ path: {}, query: {}, header: {}, cookie: {} },
  ...{ body: undefined, mediaType: undefined, principal: undefined },
});

/** Reports the operations that a mock answers with 501, one between two requests, as long as `isWanted`. */
export async function reportUnanswered(
  { operations, place }: LoadedContract,
  answer: Mock,
  report: (line: string) => void,
  isWanted: () => boolean,
): Promise<void> {
  for (const operation of operations) {
    await setImmediate();
    if (!isWanted()) return;
    try {
      answer(operation, ANY_REQUEST, {});
    } catch (error) {
      report(`${place(operation.at)} ${operation.id} is answered with 501: ${messageOf(error)}`);
    }
  }
}

/** Headers of message framing, connections and browsers, which the server sets, whatever a contract declares. */
const FRAMING_HEADERS =
  /^(?:content-(?:length|type|encoding|range|security-policy)$|transfer-encoding$|connection$|keep-alive$|trailer$|upgrade$|date$|access-control-)/i;

function unmade(why: string): ApiError {
  return new ApiError(NotWrittenCode.NotImplemented, why);
}

/** The preferred status, or else the first declared one of 2xx, 3xx, `default` (200), errors and all others. */
function statusOf(operation: ContractOperation, code: string | undefined): number {
  const keys = Object.keys(operation.responses);
  if (code !== undefined) {
    const isDeclared = /^[2-5]\d\d$/.test(code) && declaredKey(operation, Number(code)) !== undefined;
    if (!isDeclared) throw unmet(`code to be ${listed(keys)}`, code);
    return Number(code);
  }
  const [key = 'default'] = [/^2\d\d$/, /^2XX$/i, /^3\d\d$/, /^3XX$/i, /^default$/, /^[45]/, /./].flatMap((wanted) =>
    keys.filter((each) => wanted.test(each)),
  );
  return Number(key.replace(/XX$/i, '00')) || 200;
}

/** A hash of the request, which selects among possible answers. */
function choiceOf(seed: number, { id }: ContractOperation, status: number, request: AnyRequest): number {
  const { path, query, body } = request;
  const text = serialize([seed, id, status, path, query, body]);
  return createHash('sha256').update(text).digest().readInt32LE();
}

function isHeaderValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isScalarText(value);
  const parts = Array.isArray(value) ? (value as unknown[]) : Object.entries(value).flat();
  return parts.length > 0 && parts.every((each) => isScalarText(each) && !/[,=]/.test(String(each)));
}

function isScalarText(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) && isHeaderText(String(value));
}

function isText(mediaType: string, value: unknown): value is string {
  return typeof value === 'string' && !isJson(mediaType) && !mediaType.startsWith('multipart/');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a faulty example must not prevent an answer
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'left out, as there is none' : `one of ${names.join(', ')}`;
}
