/** Handlers that are not written yet: a request passes all stages before them, and is answered with 501. */
import { ApiError } from './api-error';

/**
 * The code of that error, for `errorCodes` of a service with such handlers.
 *
 * @example
 * export const errorCodes = { ...NotWrittenCode, NoSuchBed: 404_02 };
 */
export const NotWrittenCode = { NotImplemented: 501_01 } as const;

/**
 * A handler for any operation until there is a real one: rejects with an ApiError of 501, which is logged as a warning.
 *
 * @example
 * export const handlers: Handlers = { getBed, addBed: notWritten('addBed') };
 */
export function notWritten(operationId: string): () => Promise<never> {
  const handler = (): Promise<never> =>
    Promise.reject(new ApiError(NotWrittenCode.NotImplemented, `${operationId} is not written yet`));
  return Object.assign(handler, { isWritten: false });
}

/**
 * The ids of the operations whose handlers are `notWritten`.
 *
 * @example
 * unwrittenIn({ getBed, addBed: notWritten('addBed') }); // ['addBed']
 */
export function unwrittenIn(handlers: Readonly<Record<string, object>>): string[] {
  return Object.keys(handlers).filter((id) => !isWritten(handlers[id] ?? {}));
}

/**
 * The handlers without those that are `notWritten`, for a server that has something to answer in their place.
 *
 * @example
 * const mocked: Service = { ...service, handlers: writtenOf(service.handlers), mock };
 */
export function writtenOf<Handler extends object>(
  handlers: Readonly<Record<string, Handler>>,
): Record<string, Handler> {
  return Object.fromEntries(Object.entries(handlers).filter(([, handler]) => isWritten(handler)));
}

function isWritten(handler: object): boolean {
  return !('isWritten' in handler && handler.isWritten === false);
}
