/** What a credential allows (RFC 6749 section 3.3), held against the scopes that an operation's `security` names. */
import { ApiError } from '../http/api-error';
import type { Principal } from '../contract/handler-types';
import { ErrorCode } from '../http/error-codes';
import { REALM } from './realm';

/** A scope as the grammar has it, so that it can stand in a header as it is. */
export const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether the principal has all of the scopes; one whose credential says nothing of scopes has none. */
export function hasScopes({ scopes: granted = [] }: Principal, scopes: readonly string[]): boolean {
  return granted === 'every' || scopes.every((scope) => granted.includes(scope));
}

/** The 403 of a credential that is accepted and does not allow this; bearer credentials have a challenge that says so. */
export function insufficientScope(scheme: string, scopes: readonly string[]): ApiError {
  const scope = scopes.join(' ');
  // RFC 6750 section 3.1; other schemes have no such word.
  const challenge = `Bearer realm="${REALM}", error="insufficient_scope", scope="${scope}"`;
  return new ApiError(ErrorCode.InsufficientScope, `expected a credential with the scopes ${scope}`, {
    headers: scheme === 'http bearer' ? { 'WWW-Authenticate': challenge } : {},
  });
}
