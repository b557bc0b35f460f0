/**
 * The error body that clients get. If `service.ts` names none, the engine writes RFC 9457, or `{error, message}` where
 * the contract declares that. The compiler checks this one against the contract's error responses, and the service does
 * not start if it does not fit them.
 */
import type { operations } from '../generated/openapi';
import type { DeclaredErrorBody, ErrorShape } from './engine';

export const errorBody: ErrorShape = {
  /** `application/problem+json` for RFC 9457. */
  mediaType: 'application/json',
  body: ({ code, message }) => ({ error: code, message }) satisfies DeclaredErrorBody<operations>,
};
