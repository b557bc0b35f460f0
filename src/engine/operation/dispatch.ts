/** Calls the handler of a matched, authenticated and validated request, and holds its answer to the contract. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { ApiError } from '../errors/api-error';
import { NotWrittenCode } from '../errors/not-written';
import type { AnyHandlers, HandlerAnswer } from '../contract/handler-types';
import type { ContractOperation } from '../contract/operations';
import { stringifyJson } from '../json/json';
import { isJson, isPlainText } from '../contract/media-type';
import { type Answer, isSetCookie } from '../http/send';
import { Responses } from './response';
import type { Schemas } from '../schema/schemas';

export interface DispatchOptions {
  /** Whether an answer that is not in the contract is an internal error; otherwise it is reported, and sent. */
  enforceAnswers: boolean;
  /** Answers for operations that have no handler; if it is not given there are none. */
  mock?: Mock | undefined;
}

/** Answers a request to an operation that has no handler; `headers` are those that the contract need not declare, such as `Prefer`. */
export type Mock = (operation: ContractOperation, request: AnyRequest, headers: IncomingHttpHeaders) => HandlerAnswer;

/** A request as any handler gets it. */
export type AnyRequest = Record<'body' | 'mediaType' | 'principal' | 'path' | 'query' | 'header' | 'cookie', unknown>;

/** A function that calls the handler of an operation, and resolves to what is sent of what it answers. */
export function dispatcher(
  schemas: Schemas,
  handlers: AnyHandlers,
  log: Logger,
  { enforceAnswers, mock }: DispatchOptions,
): (operation: ContractOperation, request: AnyRequest, headers: IncomingHttpHeaders) => Promise<Answer> {
  const handlerOf = new Map(Object.entries(handlers));
  const responses = new Responses(schemas);

  /** What is sent of what a handler has given. */
  function answerOf(operation: ContractOperation, given: HandlerAnswer): Answer {
    const problem = responses.problem(operation, given);
    if (problem !== undefined) {
      const error = outsideContract(operation, problem);
      if (enforceAnswers) throw error;
      log.error({ err: error }, 'an answer is not in the contract');
    }
    return written(operation, given);
  }

  function written(operation: ContractOperation, given: HandlerAnswer): Answer {
    const { status, headers, body } = given;
    const mediaType = responses.mediaTypeOf(operation, given);
    return {
      status,
      headers: headers && headersOf(headers),
      content: mediaType === undefined ? undefined : { mediaType, body: encode(mediaType, body) },
    };
  }

  return async function dispatch(operation, request, headers) {
    const handler = handlerOf.get(operation.id);
    if (!handler) {
      if (!mock) throw new Error(`operation ${operation.id} has no handler`);
      const answer = written(operation, mock(operation, request, headers)); // which has held it to the contract
      return { ...answer, headers: { ...answer.headers, Mock: 'true' } };
    }
    try {
      // Validation has held the request to the types of this handler.
      return answerOf(operation, await handler(request as never));
    } catch (error) {
      const isOurs = error instanceof ApiError && error.isOfError && error.code !== NotWrittenCode.NotImplemented;
      if (isOurs && !responses.declares(operation, error.status))
        log.error({ err: outsideContract(operation, `status ${error.status} is not declared`) }, 'undeclared error');
      throw error; // sent as it is, like the errors of the server itself that the contract leaves out
    }
  };
}

function outsideContract({ id }: ContractOperation, problem: string): Error {
  return new Error(`the answer of ${id} is not in the contract: ${problem}`);
}

/** Several lines of one name only where they cannot be one (RFC 9110 section 5.3). */
function headersOf(given: Readonly<Record<string, unknown>>): Answer['headers'] {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    sent.map(([name, value]) => [name, isSetCookie(name) && Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

/** The body in its media type: bytes and text as they are, any other value as JSON alone. Throws if it cannot be written. */
function encode(mediaType: string, body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (isJson(mediaType)) return stringifyJson(body);
  if (typeof body === 'string') return body;
  if (isPlainText(mediaType) && ['number', 'bigint', 'boolean'].includes(typeof body)) return String(body);
  throw new TypeError(`expected a string or a Uint8Array for a body of ${mediaType}, got ${typeof body}`);
}
