/** The part of an operation's plan that its handler does. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { HandlerAnswer, RequestContext } from '../contract/handler-types';
import type { Answer } from '../http/send';
import type { StreamedAnswer } from '../http/streamed-answer';

/** A request as any handler gets it. */
export type AnyRequest = Record<'body' | 'mediaType' | 'principal' | 'path' | 'query' | 'header' | 'cookie', unknown>;

/** Calls the handler of an operation, and writes its answers. */
export interface Handling {
  /** Calls the handler. `headers` are those that the contract need not declare. */
  handle: (
    request: AnyRequest,
    context: RequestContext,
    headers: IncomingHttpHeaders,
  ) => HandlerAnswer | Promise<HandlerAnswer>;
  /** Checks an answer of the handler against the contract, and writes it. */
  answerOf: (given: HandlerAnswer, req: Request) => Answer | StreamedAnswer;
}
