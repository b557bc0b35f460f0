/** The errors that refuse credentials, each with its challenge (RFC 9110 section 11.6.1). */
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import type { Principal } from '../contract/handler-types';
import type { Refusal } from './tokens';

/** A scope (RFC 6749 section 3.3), which can be put into a header as it is. */
export const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Text as a quoted-string (RFC 9110 section 5.6.4); other characters than printable ASCII are percent-encoded. */
export function quoted(text: string): string {
  const ascii = text.toWellFormed().replace(/[^ -~]+/gu, encodeURIComponent);
  return `"${ascii.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** The 401 of a request without a credential; `expected` names the credential and its place. */
export function credentialMissing(expected: string, challenge: string): ApiError {
  return new ApiError(ErrorCode.TokenMissing, `expected ${expected}`, { headers: { 'WWW-Authenticate': challenge } });
}

/** The 401 of a credential that is not accepted; `what` is its name without an article. The reason is for the log. */
export function credentialInvalid(what: string, challenge: string, refusal: Refusal | null): ApiError {
  const got = refusal?.expired ? ', got one that has expired' : '';
  return new ApiError(ErrorCode.TokenInvalid, `expected an accepted ${what}${got}`, {
    headers: { 'WWW-Authenticate': challenge },
    reason: refusal?.refused ?? 'unknown or revoked',
  });
}

/** The 403 of a credential without the scopes; `challenge` is that of a bearer scheme. */
export function insufficientScope(who: Principal, scopes: readonly string[], challenge: string | undefined): ApiError {
  const scope = scopes.join(' ');
  // RFC 6750 section 3.1; other schemes have no such challenge.
  const headers = challenge && { 'WWW-Authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` };
  return new ApiError(ErrorCode.InsufficientScope, `expected a credential with the scopes ${scope}`, {
    ...(headers && { headers }),
    reason: `the credential of ${who.name} lacks a scope`,
  });
}
