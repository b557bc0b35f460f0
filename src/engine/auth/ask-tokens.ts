/** Asks the token store about a credential; a failure of the store is answered with 503, never with 401. */
import { ErrorCode } from '../errors/error-codes';
import { ApiError } from '../errors/api-error';
import { within } from '../process/time-limit';
import type { Principal } from '../contract/handler-types';
import type { Refusal, TokenVerifier, Verdict } from './tokens';

/** The time limit for an answer of the token store. */
const TIMEOUT_MS = 5_000;

/** Returns or resolves to the verdict on a secret; fails with an ApiError of 503 if the token store fails. */
export type Ask = (secret: string) => Verdict | Promise<Verdict>;

/** A function that asks the token store. */
export function askTokens(tokens: TokenVerifier, timeoutMs = TIMEOUT_MS): Ask {
  const late = `the token store has not answered within ${timeoutMs} ms`;
  const fail = (cause: unknown): never => {
    throw new ApiError(ErrorCode.StoreUnavailable, 'the token store does not answer', { cause });
  };
  return (secret) => {
    try {
      const answer = tokens.verify(secret);
      if (!(answer instanceof Promise)) return verdictOf(answer);
      return within(timeoutMs, answer, late).then(verdictOf).catch(fail);
    } catch (cause) {
      return fail(cause);
    }
  };
}

/** Checks that the answer is a verdict: a team's own store may return another value in spite of its type. */
function verdictOf(answer: unknown): Verdict {
  if (answer === null || isPrincipal(answer) || isRefusal(answer)) return answer;
  throw new Error('the token store returned something that is not a principal');
}

export function isPrincipal(value: unknown): value is Principal {
  return (
    typeof value === 'object' &&
    value !== null &&
    !('refused' in value) &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value && typeof value.refused === 'string';
}
