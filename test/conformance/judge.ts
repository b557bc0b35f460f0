/** Whether an answer is what the contract says of it; the first thing that is not, as a sentence that has no values in it. */
import type { Schema } from '../../src/contract/document';
import type { Answer, Request } from './client';
import { type Contract, type DeclaredResponse, type Operation, responseFor } from './contract';
import { type Expectation, isLetPass } from './expectations';
import { isObject, type Json, readJson } from './json';
import type { Oracle } from './oracle';
import { readings } from './parameters';

/** What HTTP itself says of a message; everything else the contract has to declare. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
/** Headers that HTTP demands with a status (RFC 9110 sections 15.5.2 and 15.5.6). */
const OF_STATUS: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow' };
const ANYTHING: Schema = {};

export interface Exchange {
  request: Request;
  answer: Answer;
  expected: Expectation;
  /** None where the request belongs to none. */
  operation: Operation | undefined;
}

export class Judge {
  /** How every request is answered that belongs to no operation. */
  private readonly error: DeclaredResponse;

  constructor(
    private readonly contract: Contract,
    private readonly oracle: Oracle,
  ) {
    this.error = { headers: new Map(), content: { 'application/json': { schema: contract.error ?? ANYTHING } } };
  }

  problem({ request, answer, expected, operation }: Exchange): string | undefined {
    const { status } = answer;
    if (status >= 500) return `answers ${status}`;
    const declared = operation ? responseFor(operation, status) : this.error;
    if (!declared) return `answers ${status}, which is not declared`;
    if (!expected.isMet(answer)) return unmet(status, expected, operation);
    const problem = this.headersProblem(answer, declared) ?? this.contentProblem(request, answer, declared);
    return problem && `answers ${status} ${problem}`;
  }

  private headersProblem({ status, headers }: Answer, declared: DeclaredResponse): string | undefined {
    const demanded = OF_STATUS[status];
    if (demanded !== undefined && headers[demanded] === undefined) return `without ${demanded}`;
    for (const [name, { required = false, schema = ANYTHING }] of declared.headers) {
      const value = headers[name];
      if (value === undefined && required) return `without ${name}`;
      if (value !== undefined && !this.isReadableAs(schema, [value].flat().join(', '))) return `with a wrong ${name}`;
    }
    const undeclared = Object.keys(headers).find(
      (name) => !declared.headers.has(name) && !OF_HTTP.has(name) && name !== demanded,
    );
    return undeclared && `with ${undeclared}, which is not declared`;
  }

  private isReadableAs(schema: Schema, text: string): boolean {
    return readings(text).some((reading) => this.oracle.problem(schema, reading) === undefined);
  }

  private contentProblem(request: Request, answer: Answer, declared: DeclaredResponse): string | undefined {
    const { status, body } = answer;
    const type = answer.headers['content-type'];
    const mediaTypes = Object.entries(declared.content);
    if (mediaTypes.length === 0) return hasContent(answer) ? 'with a body, which is not declared' : undefined;
    const essence = essenceOf(type);
    const found = mediaTypes.find(([mediaType]) => essenceOf(mediaType) === essence);
    if (!found) return `of ${essence ?? 'no media type'}, which is not declared`;
    if (request.method === 'HEAD') return undefined;
    const [mediaType, { schema = ANYTHING }] = found;
    const isJson = /[/+]json$/i.test(mediaType);
    const value = isJson ? jsonOf(body) : body;
    if (value === undefined) return 'with a body that is no JSON';
    const problem = this.oracle.problem(schema, value);
    if (problem !== undefined) return `with a wrong body: ${problem}`;
    return status >= 400 && isJson ? this.errorProblem(status, value) : undefined;
  }

  /** Every error says which it is, and one can tell the status by it. */
  private errorProblem(status: number, body: Json): string | undefined {
    const { error, message } = isObject(body) ? body : {};
    if (typeof error !== 'bigint' || typeof message !== 'string') return 'with a body that is no error';
    const { errorCodes } = this.contract;
    if (errorCodes && !errorCodes.includes(Number(error))) return 'with an error that is not listed';
    return Math.floor(Number(error) / 100) === status ? undefined : 'with an error of another status';
  }
}

function unmet(status: number, { asked, wanted }: Expectation, operation: Operation | undefined): string {
  if (wanted === '401') return `lets in ${asked}, expected 401`;
  // Of every request that may come in and is not let in: one problem, not as many as there are requests.
  if (operation && status === 401) return 'answers 401 to who may come in';
  const did = operation && isLetPass(status) ? 'lets pass' : `answers ${status} to`;
  return `${did} ${asked}, expected ${wanted}`;
}

/** A media type without its parameters. */
function essenceOf(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';')[0]?.trim().toLowerCase();
}

/** A body that the status forbids is not read; what announces it is seen (RFC 9110 section 8.6). */
function hasContent({ status, headers, body }: Answer): boolean {
  const length = headers['content-length'];
  return (
    body !== '' ||
    headers['content-type'] !== undefined ||
    Number(length ?? 0) > 0 ||
    (status === 204 && (length ?? headers['transfer-encoding']) !== undefined)
  );
}

function jsonOf(body: string): Json | undefined {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}
