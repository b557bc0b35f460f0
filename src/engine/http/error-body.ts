/** What a failure looks like to clients: its media type and body. */
import type { ApiError } from './api-error';

/** A shape of errors, such as that of `src/error-body.ts`. All that is wrong with a request is in the error's `violations`. */
export interface ErrorShape {
  mediaType: string;
  body: (error: ApiError) => unknown;
}

/** The shape of an error for each operation and status, chosen at startup by what the contract declares. */
export interface ErrorBodies {
  /** The content of an error's answer, for a request whose operation may not be known; undefined if it is declared without. */
  of(operation: { id: string } | undefined, error: ApiError): { mediaType: string; body: unknown } | undefined;
}

/** The shape for a contract that asks for no other. */
export const plainShape: ErrorShape = {
  mediaType: 'application/json',
  body: ({ code, message }) => ({ error: code, message }),
};

/** Errors in one shape, whatever is declared. */
export function everywhere({ mediaType, body }: ErrorShape): ErrorBodies {
  return { of: (_operation, error) => ({ mediaType, body: body(error) }) };
}
