/**
 * How a failure is written for clients: the one place to edit for a contract whose errors have another shape. The compiler
 * holds it to the contract's error responses, and the start refuses what still does not fit them.
 */
import type { ApiError } from './engine/http/api-error';
import type { operations } from '../generated/openapi';
import type { DeclaredErrorBody } from './engine/contract/handler-types';

/** The media type of error answers; `application/problem+json` for RFC 9457. */
export const errorMediaType = 'application/json';

/** The body of an error answer. */
export const errorBody = ({ code, message }: ApiError) =>
  ({ error: code, message }) satisfies DeclaredErrorBody<operations>;
