/** Operations whose handler is not written yet: served up to their handler, then answered with 501 in the contract's shape of errors. */
import { ApiError } from './api-error';

/** The code of that error, for the `errorCodes` of a service that has such handlers. */
export const NotWrittenCode = { NotImplemented: 501_01 } as const;

const unwritten = new WeakSet<object>();

/** A handler for any operation until there is a real one: rejects with an ApiError of 501, which is logged as a warning. */
export function notWritten(operationId: string): () => Promise<never> {
  const handler = (): Promise<never> =>
    Promise.reject(new ApiError(NotWrittenCode.NotImplemented, `${operationId} is not written yet`));
  unwritten.add(handler);
  return handler;
}

/** The ids of the operations whose handlers are `notWritten`. */
export function unwrittenIn(handlers: Readonly<Record<string, object>>): string[] {
  return Object.keys(handlers).filter((id) => unwritten.has(handlers[id] ?? {}));
}

/** The handlers without those that are `notWritten`, for a server that has something to answer in their place. */
export function writtenOf<Handler extends object>(
  handlers: Readonly<Record<string, Handler>>,
): Record<string, Handler> {
  return Object.fromEntries(Object.entries(handlers).filter(([, handler]) => !unwritten.has(handler)));
}
