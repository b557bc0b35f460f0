/** Whether an answer is what the contract declares; if not, the first deviation as a sentence that quotes no values. */
import type { Schema } from '../../contract/document';
import type { Answer } from '../client';
import { type Contract, type DeclaredResponse, type Operation, responseFor } from '../contract';
import { readings } from '../generate/serialize';
import { type Json, readJson } from '../../samples/json';
import { type Expectation, isAccepted } from '../generate/expectations';
import type { Oracle } from '../../samples/oracle';

/** Headers that need no declaration. */
const HTTP_HEADERS: ReadonlySet<string> = new Set([
  'accept', // with 415 (RFC 9110 section 15.5.16)
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  // What every answer of a service may carry for browsers, caches and logs, whatever it is about.
  'cache-control',
  'content-security-policy',
  'x-content-type-options',
  'x-request-id',
]);
/** Headers that HTTP demands with a status (RFC 9110 sections 15.5.2 and 15.5.6). */
const REQUIRED_BY_STATUS: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow' };
/** What a server may answer to any request, also where the operation does not declare it (RFC 9110 section 15). */
const OF_SERVER: ReadonlySet<number> = new Set([401, 408, 413, 415, 417, 431]);
const ANYTHING: Schema = {};

export class Judge {
  /** Answers that belong to no operation: JSON that fits one of the contract's errors. */
  private readonly unmatched: DeclaredResponse;

  constructor(
    contract: Contract,
    private readonly oracle: Oracle,
  ) {
    const schema: Schema = contract.errors.length === 0 ? ANYTHING : { anyOf: contract.errors };
    this.unmatched = { headers: new Map(), content: { 'application/json': { schema } } };
  }

  problem(answer: Answer, method: string, expected: Expectation, operation?: Operation): string | undefined {
    const { status } = answer;
    if (status >= 500) return `answers ${status}`;
    const declared = operation
      ? (responseFor(operation, status) ?? (OF_SERVER.has(status) ? this.unmatched : undefined))
      : this.unmatched;
    if (!declared) return `answers ${status}, which is not declared`;
    if (!expected.isMet(answer)) return deviation(status, expected, operation);
    const problem = this.headersProblem(answer, declared) ?? this.contentProblem(answer, method, declared);
    return problem && `answers ${status} ${problem}`;
  }

  private headersProblem({ status, headers }: Answer, declared: DeclaredResponse): string | undefined {
    const demanded = REQUIRED_BY_STATUS[status];
    if (demanded !== undefined && headers[demanded] === undefined) return `without ${demanded}`;
    for (const [name, { required = false, schema = ANYTHING }] of declared.headers) {
      const value = headers[name];
      if (value === undefined && required) return `without ${name}`;
      const fits = (reading: Json): boolean => this.oracle.accepts(schema, reading);
      if (value !== undefined && !readings([value].flat().join(', ')).some(fits)) return `with a wrong ${name}`;
    }
    const isKnown = (name: string): boolean =>
      HTTP_HEADERS.has(name) || declared.headers.has(name) || name === demanded;
    const undeclared = Object.keys(headers).find((name) => !isKnown(name));
    return undeclared && `with ${undeclared}, which is not declared`;
  }

  private contentProblem(answer: Answer, method: string, declared: DeclaredResponse): string | undefined {
    const mediaTypes = Object.entries(declared.content);
    if (mediaTypes.length === 0) return hasContent(answer) ? 'with a body, which is not declared' : undefined;
    const essence = essenceOf(answer.headers['content-type']);
    const found = mediaTypes.find(([mediaType]) => essenceOf(mediaType) === essence);
    if (!found) return `of ${essence ?? 'no media type'}, which is not declared`;
    if (method === 'HEAD') return undefined;
    const [mediaType, { schema = ANYTHING }] = found;
    const value = /[/+]json$/i.test(mediaType) ? parsed(answer.body) : answer.body;
    if (value === undefined) return 'with a body that is no JSON';
    const problem = this.oracle.problem(schema, value);
    return problem && `with a wrong body: ${problem}`;
  }
}

function deviation(status: number, { request, wanted }: Expectation, operation: Operation | undefined): string {
  if (wanted === '401') return `lets in ${request}, expected 401`;
  // One problem, whatever was sent with the token.
  if (operation && status === 401) return 'answers 401 to a request that is allowed';
  return `${operation && isAccepted(status) ? 'accepts' : `answers ${status} to`} ${request}, expected ${wanted}`;
}

/** A media type without its parameters. */
function essenceOf(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';')[0]?.trim().toLowerCase();
}

/** Node reads no body where the status forbids one; the headers that announce one give it away (RFC 9110 section 8.6). */
function hasContent({ status, headers, body }: Answer): boolean {
  const { 'content-length': length = '0', 'content-type': type, 'transfer-encoding': encoding } = headers;
  const isAnnounced = length !== '0' || type !== undefined || (status === 204 && encoding !== undefined);
  return body !== '' || isAnnounced;
}

function parsed(body: string): Json | undefined {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}
