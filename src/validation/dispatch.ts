/** Calls the handler of a matched, authenticated and validated request, and sends what it answers. */
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../api-error';
import { type Answer, send } from '../http/send';
import { asApiError } from '../http/errors';
import { stringifyJson } from '../http/json';
import { Answers, type HandlerAnswer } from './response';
import type { Contract, ContractOperation } from '../contract/operations';
import type { OperationId, OperationRequest, Handlers } from '../contract/handler-types';

export interface DispatchOptions {
  /** Whether an answer that is not in the contract is an internal error; otherwise it is reported, and sent. */
  enforceAnswers: boolean;
}

/** A handler of any operation. Which one a request goes to is known at run time; that its types fit, the contract has proved. */
type Handler = (request: AnyRequest) => Promise<HandlerAnswer>;
type AnyRequest = { [Field in keyof OperationRequest<OperationId>]: unknown };

/** The stage that ends the way of a request. */
export function dispatch(
  contract: Contract,
  handlers: Handlers,
  log: Logger,
  { enforceAnswers }: DispatchOptions,
): RequestHandler {
  const handlerOf = new Map<string, Handler>(Object.entries(handlers as unknown as Record<string, Handler>));
  const parameters = new Map(contract.operations.map((operation) => [operation, parametersOf(operation)]));
  const answers = new Answers(contract);

  async function answer(req: Request, operation: ContractOperation): Promise<Answer> {
    const handler = handlerOf.get(operation.id);
    const read = parameters.get(operation);
    if (!handler || !read) throw new Error(`operation ${operation.id} has no handler`);
    const { mediaType, principal } = req;
    const body: unknown = req.body;
    let given: HandlerAnswer;
    try {
      given = await handler({ body, mediaType, principal, ...read(req) });
    } catch (error) {
      if (error instanceof ApiError && !answers.declares(operation, error.status)) {
        report(operation, `status ${error.status} is not declared`, error);
      }
      throw error;
    }
    const problem = answers.problem(operation, given);
    if (problem !== undefined) report(operation, problem);
    const type = answers.mediaTypeOf(operation, given);
    return {
      status: given.status,
      headers: given.headers && headersOf(given.headers),
      content: type === undefined ? undefined : { mediaType: type, text: textOf(type, given.body) },
    };
  }

  function report({ id }: ContractOperation, problem: string, cause?: unknown): void {
    const error = new Error(`the answer of ${id} is not in the contract: ${problem}`, { cause });
    if (enforceAnswers) throw error;
    log.error({ err: error }, 'an answer is not in the contract');
  }

  return function handleRequest(req, res, next) {
    if (!req.operation) throw new Error('a request is handled after it is matched');
    answer(req, req.operation)
      .then((sent) => send(req, res, sent))
      .catch((error: unknown) => next(asApiError(error))); // to Express some of what can be thrown is no error
  };
}

function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function textOf(mediaType: string, body: unknown): string {
  return typeof body === 'string' && !/[/+]json$/i.test(mediaType) ? body : stringifyJson(body);
}

/** Picks the declared parameters of a validated request; what the contract does not name, a handler does not see. */
function parametersOf({
  parameters,
}: ContractOperation): (req: Request) => Pick<AnyRequest, 'path' | 'query' | 'header'> {
  const named = (where: string): string[] =>
    parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
  const [path, query, header] = [named('path'), named('query'), named('header')];
  return (req) => ({
    path: pick(path, req.params),
    query: query.length === 0 ? NOTHING : pick(query, req.query), // a getter that parses each time
    header: pick(header, req.headers, (name) => name.toLowerCase()),
  });
}

const NOTHING = Object.freeze({});

function pick(names: readonly string[], from: object, keyOf = (name: string) => name): object {
  if (names.length === 0) return NOTHING;
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value: unknown = Reflect.get(from, keyOf(name));
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
