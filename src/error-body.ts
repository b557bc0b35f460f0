/**
 * How a failure is written for clients, where another shape is wanted than the one that the engine finds for what the contract
 * declares. The compiler holds it to the contract's error responses, and the start refuses what still does not fit them.
 */
import type { operations } from '../generated/openapi';
import type { DeclaredErrorBody } from './engine/contract/handler-types';
import type { ErrorShape } from './engine/http/error-body';

export const errorBody: ErrorShape = {
  /** `application/problem+json` for RFC 9457. */
  mediaType: 'application/json',
  body: ({ code, message }) => ({ error: code, message }) satisfies DeclaredErrorBody<operations>,
};
