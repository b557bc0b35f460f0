/** Calls the handler of a matched, authenticated and validated request, and sends what it answers. */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../http/api-error';
import type { operations } from '../../../generated/openapi';
import type { Handlers, OperationId, RequestOf } from '../contract/handler-types';
import type { Contract, ContractOperation } from '../contract/operations';
import { asApiError } from '../http/errors';
import { stringifyJson } from '../json/json';
import { isJson } from '../http/media-type';
import { type Answer, send } from '../http/send';
import { type HandlerAnswer, Responses } from './response';

export interface DispatchOptions {
  /** Whether an answer that is not in the contract is an internal error; otherwise it is reported, and sent. */
  enforceAnswers: boolean;
}

/** A handler of any operation: which one a request goes to is known at run time, and its types are held by validation. */
type Handler = (request: AnyRequest) => Promise<HandlerAnswer>;
type AnyRequest = { [Field in keyof RequestOf<operations[OperationId]>]: unknown };

/** The last stage of a request's way. */
export function dispatch(
  contract: Contract,
  handlers: Handlers,
  log: Logger,
  { enforceAnswers }: DispatchOptions,
): RequestHandler {
  const handlerOf = new Map<string, Handler>(Object.entries(handlers as unknown as Record<string, Handler>));
  const responses = new Responses(contract);

  /** What is sent of what a handler has given. */
  function answerOf(operation: ContractOperation, given: HandlerAnswer): Answer {
    const problem = responses.problem(operation, given);
    if (problem !== undefined) {
      const error = outsideContract(operation, problem);
      if (enforceAnswers) throw error;
      log.error({ err: error }, 'an answer is not in the contract');
    }
    const { status, headers, body } = given;
    const mediaType = responses.mediaTypeOf(operation, given);
    return {
      status,
      headers: headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      content: mediaType === undefined ? undefined : { mediaType, body: encode(mediaType, body) },
    };
  }

  async function answer(operation: ContractOperation, req: Request, res: Response): Promise<void> {
    try {
      const handler = handlerOf.get(operation.id);
      if (!handler) throw new Error(`operation ${operation.id} has no handler`);
      if (!req.values) throw new Error('a request is dispatched after it is validated');
      send(req, res, answerOf(operation, await handler({ ...req.values, principal: req.principal })));
    } catch (error) {
      if (error instanceof ApiError && !responses.declares(operation, error.status))
        log.error({ err: outsideContract(operation, `status ${error.status} is not declared`) }, 'undeclared error');
      throw error; // sent as it is, like the errors of the server itself that the contract leaves out
    }
  }

  return function dispatchRequest(req, res, next) {
    if (!req.operation) throw new Error('a request is dispatched after it is matched');
    // next() takes falsy values, 'route' and 'router' for control flow.
    answer(req.operation, req, res).catch((error: unknown) => next(asApiError(error)));
  };
}

function outsideContract({ id }: ContractOperation, problem: string): Error {
  return new Error(`the answer of ${id} is not in the contract: ${problem}`);
}

function encode(mediaType: string, body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  return typeof body === 'string' && !isJson(mediaType) ? body : stringifyJson(body);
}
