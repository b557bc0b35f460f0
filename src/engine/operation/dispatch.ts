/** Calls the handler of an operation with a validated request, and checks its answer against the contract. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { ApiError } from '../errors/api-error';
import { NotWrittenCode } from '../errors/not-written';
import type { AnyHandlers, HandlerAnswer } from '../contract/handler-types';
import { withCharset } from '../contract/media-type';
import type { ContractOperation } from '../contract/operations';
import { WITHOUT_BODY } from '../contract/statuses';
import { type Answer, isSetCookie } from '../http/send';
import { abandon, iterableOf, type StreamedAnswer } from '../http/streamed-answer';
import { withMediaType } from './accept';
import type { AnyRequest, Handling } from './handling';
import { Responses } from './response';
import { streamOf } from './stream';
import { encodable, writeBody, type Writer } from './write-body';
import type { Schemas } from '../schema/schemas';

/** Answers a request to an operation that has no handler; `headers` are those that the contract need not declare, such as `Prefer`. */
export type Mock = (operation: ContractOperation, request: AnyRequest, headers: IncomingHttpHeaders) => HandlerAnswer;

type Writers = Readonly<Record<string, Writer>>;

export interface HandlingOptions {
  handlers: AnyHandlers;
  /** True to make an answer that is not in the contract an internal error; otherwise it is logged, and sent. */
  enforceAnswers: boolean;
  /** Answers for operations that have no handler; if undefined, every operation needs one. */
  mock?: Mock | undefined;
  /** For bodies of further media types. */
  writers?: Writers | undefined;
  log: Logger;
}

/** The handling of an operation; throws if it has neither a handler nor a mock. */
export function handlingOf(
  operation: ContractOperation,
  schemas: Schemas,
  { handlers, enforceAnswers, mock, writers = {}, log }: HandlingOptions,
): Handling {
  const responses = new Responses(schemas, operation, Object.keys(writers));
  const handler = Object.hasOwn(handlers, operation.id) ? handlers[operation.id] : undefined;
  if (!handler) return mocked(operation, responses, mock, writers);
  const failed = (error: unknown): never => {
    const isOurs = error instanceof ApiError && error.isOfError && error.code !== NotWrittenCode.NotImplemented;
    if (isOurs && !responses.declares(error.status))
      log.error({ err: outsideContract(operation, `status ${error.status} is not declared`) }, 'undeclared error');
    throw error; // sent as it is, like the server's own errors that the contract does not declare
  };
  const report = (problem: string | undefined): void => {
    if (problem === undefined) return;
    const error = outsideContract(operation, problem);
    if (enforceAnswers) throw error;
    log.error({ err: error }, 'an answer is not in the contract');
  };
  return {
    handle(request, context) {
      try {
        const given = handler(request as never, context); // validated against the types of this handler
        return given instanceof Promise ? given.catch(failed) : given;
      } catch (error) {
        return failed(error);
      }
    },
    answerOf(answer, req) {
      const source = iterableOf(answer.body);
      if (source && !WITHOUT_BODY.has(answer.status)) return streamed(answer, source, responses, report);
      if (source) abandon(source);
      const given = withMediaType(answer, responses, req);
      report(responses.problem(given));
      return written(given, responses, contentOf(given, responses, writers));
    },
  };
}

/** The handling by a mock, which has checked its answers against the contract. */
function mocked(
  operation: ContractOperation,
  responses: Responses,
  mock: Mock | undefined,
  writers: Writers,
): Handling {
  if (!mock) throw new Error(`operation ${operation.id} has no handler`);
  return {
    async handle(request, _context, headers) {
      const items = iterableOf(request.body);
      if (!items) return mock(operation, request, headers);
      for await (const _ of items); // read to the end, so that it is held to the contract
      return mock(operation, { ...request, body: undefined }, headers);
    },
    answerOf(given) {
      const source = iterableOf(given.body);
      const answer = source
        ? streamed(given, source, responses, () => undefined)
        : written(given, responses, contentOf(given, responses, writers));
      return { ...answer, headers: { ...answer.headers, Mock: 'true' } };
    },
  };
}

function streamed(
  given: HandlerAnswer,
  source: AsyncIterable<unknown>,
  responses: Responses,
  report: (problem?: string) => void,
): StreamedAnswer {
  try {
    return { ...written(given, responses), stream: streamOf(given, source, responses, report) };
  } catch (error) {
    abandon(source);
    throw error;
  }
}

function written({ status, headers }: HandlerAnswer, responses: Responses, content?: Answer['content']): Answer {
  const textOf = (name: string, value: unknown): string => responses.headerText(status, name, value);
  return { status, headers: headers && headersOf(headers, textOf), content };
}

/** The body in its media type; throws if it cannot be written. */
function contentOf(given: HandlerAnswer, responses: Responses, writers: Writers): Answer['content'] {
  const { status, body } = given;
  const mediaType = responses.mediaTypeOf(given);
  if (mediaType === undefined) return undefined;
  const own = Object.hasOwn(writers, mediaType) && !(body instanceof Uint8Array) ? writers[mediaType] : undefined;
  const encoded = encodable(own ? own(body) : writeBody(mediaType, body, () => responses.writtenAs(status, mediaType)));
  return { mediaType: typeof encoded === 'string' ? withCharset(mediaType) : mediaType, body: encoded };
}

function outsideContract({ id }: ContractOperation, problem: string): Error {
  return new Error(`the answer of ${id} is not in the contract: ${problem}`);
}

/** Headers as text; only Set-Cookie may have several lines, which cannot be combined (RFC 9110 section 5.3). */
function headersOf(
  given: Readonly<Record<string, unknown>>,
  textOf: (name: string, value: unknown) => string,
): Answer['headers'] {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    sent.map(([name, value]) => [
      name,
      isSetCookie(name) && Array.isArray(value) ? value.map(String) : textOf(name, value),
    ]),
  );
}
