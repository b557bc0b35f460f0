/** The 401 of each kind of credential, with its challenge (RFC 9110 section 11.6.1). */
import { ErrorCode } from '../http/error-codes';
import { ApiError } from '../http/api-error';

/** The error of a request without a credential; `what` is one with its article, such as `a bearer token`. */
export function credentialMissing(what: string, where: string, challenge: string): ApiError {
  return new ApiError(ErrorCode.TokenMissing, `expected ${what} in the ${where} header`, {
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** The error of a credential that is not accepted; `what` is without an article. */
export function credentialInvalid(what: string, challenge: string): ApiError {
  return new ApiError(ErrorCode.TokenInvalid, `expected an accepted ${what}`, {
    headers: { 'WWW-Authenticate': challenge },
  });
}
