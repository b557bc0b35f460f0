/** The body of errors, and its media type. */
import type { ApiError } from './api-error';

/** A shape of errors, such as that of `src/error-body.ts`. */
export interface ErrorShape {
  mediaType: string;
  body: (error: ApiError) => unknown;
}

/** The bodies of errors for each operation and status, chosen at startup by what the contract declares. */
export interface ErrorBodies {
  /** The body of an error; undefined if the contract declares none. The operation is undefined if the request matches none. */
  of(operation: { id: string } | undefined, error: ApiError): { mediaType: string; body: unknown } | undefined;
}

/** The default shape. */
export const plainShape: ErrorShape = {
  mediaType: 'application/json',
  body: ({ code, message }) => ({ error: code, message }),
};

/** The same shape for all errors. */
export function everywhere({ mediaType, body }: ErrorShape): ErrorBodies {
  return { of: (_operation, error) => ({ mediaType, body: body(error) }) };
}
