/**
 * Compares an answer with what the contract declares. A deviation is a sentence that quotes no values; a deviation from
 * convention, and not from the contract, is a warning.
 */
import { type Header, isJson, WITHOUT_BODY } from '../../../engine/reading';
import type { Answer } from '../client';
import {
  type Contract,
  type DeclaredResponse,
  declaredType,
  essenceOf,
  type Operation,
  responseFor,
  schemaOf,
} from '../contract';
import { objectsOf, readings } from '../../samples/serialize';
import { hasDoubledName, isObject, type Json, jsonIn } from '../../samples/json';
import { type Expectation, isSuccess } from '../generate/expectations';
import { EXTENSION_METHODS } from '../generate/undeclared';
import type { Oracle } from '../../samples/oracle';
import { otherCharsetIn, readBody } from './read-body';
import { type ContentProblem, isSequence, sequenceProblem } from './sequence';

export interface Deviation {
  problem: string;
  /** True if it deviates from convention, and not from the contract. */
  isWarning: boolean;
}

/** Headers that need no declaration. */
const HTTP_HEADERS: ReadonlySet<string> = new Set([
  'accept', // with 415 (RFC 9110 section 15.5.16)
  'accept-encoding',
  'allow', // with 405 (RFC 9110 section 15.5.6)
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'mock', // of our mocks
  'transfer-encoding',
  // Any answer may carry these for browsers, caches and logs.
  'cache-control',
  'content-security-policy',
  'x-accel-buffering',
  'x-content-type-options',
  'x-request-id',
  // Sent by operations whose life ends (RFC 9745, RFC 8594).
  'deprecation',
  'sunset',
]);
/** The header that HTTP demands with 401 (RFC 9110 section 15.5.2). */
const CHALLENGE = 'www-authenticate';
/** Statuses that a server may answer any request with, even if the operation does not declare them (RFC 9110 section 15). */
const SERVER_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 408, 413, 415, 417, 422, 429, 431]);

export class Judge {
  /** The declaration for answers outside of any operation: any of the contract's errors. */
  private readonly unmatched: DeclaredResponse;

  /** `oracle` judges answers. */
  constructor(
    private readonly contract: Contract,
    private readonly oracle: Oracle,
  ) {
    const { errors } = contract;
    const isSilent = Object.keys(errors).length === 0;
    this.unmatched = { headers: new Map(), content: isSilent ? { '*/*': {} } : errors };
  }

  /** All deviations, those from the contract first. */
  deviations(answer: Answer, method: string, expected: Expectation, operation?: Operation): Deviation[] {
    const { status } = answer;
    const fails = (problem: string): Deviation[] => [{ problem, isWarning: false }];
    const warns = (problem: string): Deviation[] => [{ problem, isWarning: true }];
    const isUnknown = status === 501 && !operation && EXTENSION_METHODS.includes(method);
    if (status >= 500 && !isUnknown) return fails(`answers ${status}`);
    const declared = operation ? responseFor(operation, status) : this.unmatched;
    // 401 is about credentials, unless an operation that requires none declares it, as a login does.
    const isOfHandler = operation?.security.length === 0 && operation.responses.has('401');
    const met = status === 401 && !expected.isRefusal && !isOfHandler ? 'no' : expected.met(answer);
    // A handler may refuse what no schema can express, if the contract declares the status.
    if (met === 'no' || (met === 'nearly' && !expected.isRefusal && !declared))
      return fails(deviation(status, expected, operation));
    const unexpected =
      met === 'nearly'
        ? warns(deviation(status, { ...expected, request: expected.kind ?? expected.request }, operation))
        : [];
    if (!operation && isSuccess(status)) return unexpected;
    if (!declared && !(expected.isRefusal && SERVER_STATUSES.has(status)))
      return fails(`answers ${status}, which is not declared`);
    const usual = declared ?? this.unmatched;
    const { problem: ofContent, unjudged } = this.contentProblem(answer, method, usual);
    const wrong = [this.headersProblem(answer, usual), ofContent]
      .filter((problem) => problem !== undefined)
      .flatMap((problem) => (declared && operation ? fails : warns)(`answers ${status} ${problem}`));
    return [
      ...wrong,
      ...unexpected,
      ...(declared ? [] : warns(`answers ${status}, which is not declared`)),
      ...this.unusual(answer, usual).flatMap(warns),
      ...(unjudged === undefined ? [] : warns(`answers ${status} ${unjudged}`)),
    ];
  }

  /** True for an answer with a status and a body that the operation declares. */
  isOf(operation: Operation, answer: Answer): boolean {
    const declared = responseFor(operation, answer.status);
    return declared !== undefined && this.contentProblem(answer, operation.method, declared).problem === undefined;
  }

  private headersProblem({ headers }: Answer, declared: DeclaredResponse): string | undefined {
    for (const [name, header] of declared.headers) {
      if (name === 'content-type') continue; // OpenAPI ignores it as a response header
      const value = headers[name];
      if (value === undefined && header.required === true) return `without ${name}`;
      const { schema } = schemaOf(header);
      const fits = (reading: Json): boolean => this.oracle.accepts(schema, reading);
      if (value !== undefined && !headerReadings([value].flat().join(', '), header).some(fits))
        return `with a wrong ${name}`;
    }
    return undefined;
  }

  private unusual({ status, headers, body }: Answer, declared: DeclaredResponse): string[] {
    const others = Object.keys(headers).filter(
      (name) => !HTTP_HEADERS.has(name) && !declared.headers.has(name) && !(status === 401 && name === CHALLENGE),
    );
    const isOfJson = isJson(headers['content-type'] ?? '');
    const charset = isOfJson ? otherCharsetIn(headers['content-type']) : undefined;
    return [
      ...(isOfJson && hasDoubledName(body) ? [`answers ${status} with JSON that has a name twice in an object`] : []),
      ...(charset === undefined ? [] : [`answers ${status} with charset=${charset}, and JSON is UTF-8`]),
      ...(status === 401 && headers[CHALLENGE] === undefined ? [`answers 401 without ${CHALLENGE}`] : []),
      ...others.map((name) => `answers with the header ${name}, which is not declared`),
    ];
  }

  /** The value of an answer that fits its declaration; null for one that has none, or may have several. */
  valueOf(answer: Answer, operation: Operation): Json {
    const { content } = responseFor(operation, answer.status) ?? this.unmatched;
    const essence = essenceOf(answer.headers['content-type']) ?? '';
    const declared = content[declaredType(content, essence) ?? ''];
    if (!declared || isSequence(essence)) return null;
    const read = readBody(this.contract.answers, essence, declared, answer);
    return 'values' in read && read.values.length === 1 ? (read.values[0] ?? null) : null;
  }

  private contentProblem(answer: Answer, method: string, { content }: DeclaredResponse): ContentProblem {
    if (Object.keys(content).length === 0)
      return method !== 'HEAD' && hasContent(answer) ? { problem: 'with a body, which is not declared' } : {};
    if (WITHOUT_BODY.has(answer.status)) return {}; // HTTP forbids what is declared
    const mediaType = answer.headers['content-type'];
    const essence = essenceOf(mediaType);
    const found = content[declaredType(content, essence) ?? ''];
    if (!found) return { problem: `of ${essence ?? 'no media type'}, which is not declared` };
    if (method === 'HEAD') return {};
    const { answers } = this.contract;
    if (isSequence(essence)) return sequenceProblem(answers, this.oracle, mediaType ?? '', found, answer);
    const read = readBody(answers, essence ?? '', found, answer);
    if (!('values' in read)) return read;
    const { schema = {} } = found;
    if (read.values.some((value) => this.oracle.accepts(schema, value))) return {};
    return { problem: `with a wrong body: ${this.oracle.problem(schema, read.values.at(-1) ?? null)}` };
  }
}

/** The values that the text of a header may be read as: one, a list or an object of several; one alone as its media type has it, if that is JSON. */
function headerReadings(text: string, header: Header): Json[] {
  if (isJson(schemaOf(header).mediaType ?? '')) {
    const value = jsonIn(text);
    return value === undefined ? [] : [value];
  }
  const items = text.split(',').map((each) => each.trim());
  const lists = readings(items).filter((each) => !isObject(each));
  return [...readings(text), ...lists, ...objectsOf(items, header.explode)];
}

function deviation(status: number, { request, wanted }: Expectation, operation: Operation | undefined): string {
  if (wanted === '401' && isSuccess(status)) return `lets in ${request}, expected 401`;
  // Report one problem, whatever was sent with the token.
  if (operation && status === 401) return 'answers 401 to a request that is allowed';
  return `${isSuccess(status) ? 'accepts' : `answers ${status} to`} ${request}, expected ${wanted}`;
}

/**
 * True if the answer has content, or announces it: Node reads no body if the status forbids one, but the headers of its framing show it
 * (RFC 9110 section 8.6). Many frameworks send a Content-Type without content.
 */
function hasContent({ status, headers, body }: Answer): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  const isAnnounced = length !== '0' || (status === 204 && encoding !== undefined);
  return body !== '' || isAnnounced;
}
