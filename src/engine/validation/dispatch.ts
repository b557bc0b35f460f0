/** Calls the handler of a matched, authenticated and validated request, and sends what it answers. */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../http/api-error';
import type { AnyHandlers, HandlerAnswer } from '../contract/handler-types';
import type { Contract, ContractOperation } from '../contract/operations';
import { asApiError } from '../http/errors';
import { stringifyJson } from '../json/json';
import { isJson } from '../http/media-type';
import { type Answer, send } from '../http/send';
import { Responses } from './response';

export interface DispatchOptions {
  /** Whether an answer that is not in the contract is an internal error; otherwise it is reported, and sent. */
  enforceAnswers: boolean;
}

/** A request of any operation. */
type AnyRequest = Record<'body' | 'mediaType' | 'principal' | 'path' | 'query' | 'header', unknown>;

/** The last stage of a request's way. */
export function dispatch(
  contract: Contract,
  handlers: AnyHandlers,
  log: Logger,
  { enforceAnswers }: DispatchOptions,
): RequestHandler {
  const handlerOf = new Map(Object.entries(handlers));
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
      send(req, res, answerOf(operation, await handler(requestOf(req, operation) as never)));
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

/** The request as handlers get it: with the declared parameters and no others. */
function requestOf(req: Request, { parameters }: ContractOperation): AnyRequest {
  const body: unknown = req.body;
  const request = { body, mediaType: req.mediaType, principal: req.principal, path: {}, query: {}, header: {} };
  for (const { in: where, name } of parameters) {
    if (where === 'path') copy(req.params, name, request.path, name);
    if (where === 'query') copy(req.query, name, request.query, name);
    if (where === 'header') copy(req.headers, name.toLowerCase(), request.header, name);
  }
  return request;
}

function copy(from: object, key: string, to: object, name: string): void {
  const value: unknown = Reflect.get(from, key);
  if (value !== undefined) Reflect.set(to, name, value);
}

function encode(mediaType: string, body: unknown): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  return typeof body === 'string' && !isJson(mediaType) ? body : stringifyJson(body);
}
