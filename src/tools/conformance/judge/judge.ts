/**
 * Compares an answer with what the contract declares. A deviation is a sentence that quotes no values; a deviation from
 * convention, and not from the contract, is a warning.
 */
import { isXml, type Schema } from '../../../engine/reading';
import { type Answer, LENGTH_MAX } from '../client';
import {
  type Contract,
  type DeclaredResponse,
  declaredType,
  essenceOf,
  type Operation,
  responseFor,
} from '../contract';
import { readings } from '../../samples/serialize';
import { type Json, jsonIn } from '../../samples/json';
import { type Expectation, isSuccess } from '../generate/expectations';
import { flatten } from '../../samples/flatten';
import type { Oracle } from '../../samples/oracle';
import { typesIn } from '../../samples/types';
import { hasXmlValue, isUnreadXml, readXml } from '../xml';
import { isSequence, sequenceProblem } from './sequence';

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
const ANYTHING: Schema = {};
/** Media types whose bodies are never JSON. */
const NEVER_JSON =
  /^(?:image|audio|video|font|multipart)\/|^text\/html$|^application\/(?:pdf|zip|gzip|x-www-form-urlencoded)$/;

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
    if (status >= 500) return fails(`answers ${status}`);
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
    const wrong = [this.headersProblem(answer, usual), this.contentProblem(answer, method, usual)]
      .filter((problem) => problem !== undefined)
      .flatMap((problem) => (declared && operation ? fails : warns)(`answers ${status} ${problem}`));
    return [
      ...wrong,
      ...unexpected,
      ...(declared ? [] : warns(`answers ${status}, which is not declared`)),
      ...this.unusualHeaders(answer, usual).flatMap(warns),
      ...(answer.isCut && !isSequence(answer.headers['content-type'])
        ? warns(`answers ${status} with a body of more than ${LENGTH_MAX} characters, which is not judged`)
        : []),
      ...(isXml(essenceOf(answer.headers['content-type']) ?? '') && isUnreadXml(answer.body)
        ? warns(`answers ${status} with XML that has a DOCTYPE or another encoding than UTF-8, which is not judged`)
        : []),
    ];
  }

  private headersProblem({ headers }: Answer, declared: DeclaredResponse): string | undefined {
    for (const [name, { required = false, schema = ANYTHING }] of declared.headers) {
      if (name === 'content-type') continue; // OpenAPI ignores it as a response header
      const value = headers[name];
      if (value === undefined && required) return `without ${name}`;
      const fits = (reading: Json): boolean => this.oracle.accepts(schema, reading);
      if (value !== undefined && !headerReadings([value].flat().join(', ')).some(fits)) return `with a wrong ${name}`;
    }
    return undefined;
  }

  private unusualHeaders({ status, headers }: Answer, declared: DeclaredResponse): string[] {
    const others = Object.keys(headers).filter(
      (name) => !HTTP_HEADERS.has(name) && !declared.headers.has(name) && !(status === 401 && name === CHALLENGE),
    );
    return [
      ...(status === 401 && headers[CHALLENGE] === undefined ? [`answers 401 without ${CHALLENGE}`] : []),
      ...others.map((name) => `answers with the header ${name}, which is not declared`),
    ];
  }

  /** The value of an answer in JSON or XML that fits its declaration; null for any other. */
  valueOf({ status, headers, body }: Answer, operation: Operation): Json {
    const essence = essenceOf(headers['content-type']);
    if (isJson(essence)) return jsonIn(body) ?? null;
    const { content } = responseFor(operation, status) ?? this.unmatched;
    const schema = content[declaredType(content, essence) ?? '']?.schema;
    const { answers } = this.contract;
    if (!isXml(essence ?? '') || !schema || !hasXmlValue(answers, schema)) return null;
    const read = readXml(answers, schema, body);
    return 'value' in read ? read.value : null;
  }

  private contentProblem(answer: Answer, method: string, declared: DeclaredResponse): string | undefined {
    if (Object.keys(declared.content).length === 0)
      return method !== 'HEAD' && hasContent(answer) ? 'with a body, which is not declared' : undefined;
    const essence = essenceOf(answer.headers['content-type']);
    const found = declared.content[declaredType(declared.content, essence) ?? ''];
    if (!found) return `of ${essence ?? 'no media type'}, which is not declared`;
    if (method === 'HEAD') return undefined;
    if (essence !== undefined && isSequence(essence))
      return sequenceProblem(
        this.contract.answers,
        this.oracle,
        answer.headers['content-type'] ?? '',
        found,
        answer.body,
      );
    if (answer.isCut) return undefined;
    const { schema = ANYTHING } = found;
    if (isXml(essence ?? '')) return this.xmlProblem(answer.body, schema);
    if (!isJson(essence)) return this.textProblem(answer.body, essence, schema);
    if (answer.isOtherText) return 'with a body that is no UTF-8, as JSON has to be';
    const value = jsonIn(answer.body);
    if (value === undefined) return 'with a body that is no JSON';
    const problem = this.oracle.problem(schema, value);
    return problem && `with a wrong body: ${problem}`;
  }

  private xmlProblem(text: string, schema: Schema): string | undefined {
    if (isUnreadXml(text)) return undefined;
    const { answers } = this.contract;
    const known = hasXmlValue(answers, schema) ? schema : ANYTHING;
    const read = readXml(answers, known, text);
    if ('problem' in read) return read.problem;
    const problem = this.oracle.problem(known, read.value);
    return problem && `with a wrong body: ${problem}`;
  }

  /** The value of a text of another media type is unknown unless it is plain text; but some cannot be JSON. */
  private textProblem(text: string, essence = '', schema: Schema): string | undefined {
    const isLikeJson = /^\s*[[{]/.test(text);
    if (NEVER_JSON.test(essence) && isLikeJson && jsonIn(text) !== undefined) return 'with a body that is JSON';
    const types = flatten(this.contract.answers, schema).flatMap((flat) => typesIn(flat) ?? []);
    if (essence !== 'text/plain' || types.some((type) => type !== 'string')) return undefined;
    const problem = this.oracle.problem(schema, text);
    return problem && `with a wrong body: ${problem}`;
  }
}

/** The values that the text of a header may be read as: one, or a list of several. */
function headerReadings(text: string): Json[] {
  return [...readings(text), ...readings(text.split(/,/).map((each) => each.trim()))];
}

function deviation(status: number, { request, wanted }: Expectation, operation: Operation | undefined): string {
  if (wanted === '401' && isSuccess(status)) return `lets in ${request}, expected 401`;
  // Report one problem, whatever was sent with the token.
  if (operation && status === 401) return 'answers 401 to a request that is allowed';
  return `${isSuccess(status) ? 'accepts' : `answers ${status} to`} ${request}, expected ${wanted}`;
}

function isJson(essence = ''): boolean {
  return /[/+]json$/.test(essence);
}

/**
 * True if the answer announces content. Node reads no body if the status forbids one, but the headers show it (RFC 9110
 * section 8.6).
 */
function hasContent({ status, headers, body }: Answer): boolean {
  const { 'content-length': length = '0', 'content-type': type, 'transfer-encoding': encoding } = headers;
  const isAnnounced = length !== '0' || type !== undefined || (status === 204 && encoding !== undefined);
  return body !== '' || isAnnounced;
}
