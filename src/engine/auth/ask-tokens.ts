/** Looks up the principal of a token, with a timeout and a short-lived cache of accepted tokens. */
import { hash } from 'node:crypto';
import { ErrorCode } from '../http/error-codes';
import { ApiError } from '../http/api-error';
import type { Principal } from '../contract/handler-types';
import { TokenCache } from './token-cache';
import type { TokenVerifier } from './tokens';

export interface TokenOptions {
  /** How long the token store may take before it counts as not answering. */
  timeoutMs?: number;
  /** How long an accepted token stays accepted without being verified again. */
  cacheMs?: number;
}

/** Resolves to null for a secret that is not accepted; rejects with an ApiError of 503 where the token store fails. */
export type Ask = (secret: string) => Promise<Principal | null>;

/**
 * A function that asks; a secret that is in the cache costs no promise. `through` may put something between it and the token
 * store.
 */
export function askTokens(
  tokens: TokenVerifier,
  { timeoutMs = 5_000, cacheMs = 1_000 }: TokenOptions,
  through: (decide: Ask) => Ask = (decide) => decide,
): (secret: string) => Principal | ReturnType<Ask> {
  let cache = new TokenCache(cacheMs);
  tokens.onChange?.(() => {
    cache = new TokenCache(cacheMs);
  });
  const ask = through((token) => decide(tokens, token, timeoutMs));
  return (token) => {
    const digest = hash('sha256', token, 'base64');
    const verifiedWith = cache;
    const known = verifiedWith.get(digest);
    if (known) return known;
    return ask(token).then((principal) => {
      // The cache from before the verification: if the tokens have changed meanwhile, it has been discarded.
      if (principal) verifiedWith.add(digest, principal);
      return principal;
    });
  };
}

/** Asks the token store; a failure of it is a 503, never a 401. */
async function decide(tokens: TokenVerifier, token: string, timeoutMs: number): Promise<Principal | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the token store has not answered within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    const principal: unknown = await Promise.race([tokens.verify(token), late]);
    if (principal === null || isPrincipal(principal)) return principal;
    throw new Error('the token store returned something that is not a principal');
  } catch (cause) {
    throw new ApiError(ErrorCode.StoreUnavailable, 'the token store does not answer', { cause });
  } finally {
    clearTimeout(timer);
  }
}

export function isPrincipal(value: unknown): value is Principal {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
