/**
 * HTTP bearer authentication (RFC 6750) with passport-http-bearer. The strategy would also take a token from the body or the
 * query, so it is given the Authorization header and nothing else.
 */
import { hash } from 'node:crypto';
import { Passport } from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';
import type { Principal } from '../contract/handler-types';
import { asApiError } from '../http/errors';
import type { Verifier } from './authenticate';
import { REALM } from './realm';
import { TokenCache } from './token-cache';
import type { TokenVerifier } from './tokens';

/** RFC 6750 section 2.1: the scheme in any letter case, `1*SP`, a `b64token`. */
const CREDENTIALS = /^bearer +(?<token>[\w.~+/-]+=*)$/i;
const SCHEME = /^bearer(?: |$)/i;

/** Passport's middleware as it is used here: the header is all that it gets of a request. */
type Authenticate = (req: { headers: { authorization: string } }, res: object, next: (error?: unknown) => void) => void;

export interface BearerOptions {
  /** How long the token store may take before it counts as not answering. */
  timeoutMs?: number;
  /** How long an accepted token stays accepted without being verified again. */
  cacheMs?: number;
}

/** The verifier of an HTTP bearer scheme; refuses with 401, and with 503 where the token store fails. */
export function bearer(tokens: TokenVerifier, { timeoutMs = 5_000, cacheMs = 1_000 }: BearerOptions = {}): Verifier {
  let cache = new TokenCache(cacheMs);
  tokens.onChange?.(() => {
    cache = new TokenCache(cacheMs);
  });
  const passport = new Passport();
  const verify: VerifyFunction = (token, done) => {
    decide(tokens, token, timeoutMs).then((principal) => done(null, principal ?? false), done);
  };
  passport.use(new Strategy({ realm: REALM }, verify));

  const ask = (token: string): Promise<Principal> =>
    new Promise((resolve, reject) => {
      const answer = (error: unknown, principal?: unknown): void => {
        if (isPrincipal(principal)) resolve(principal);
        else reject(error ? asApiError(error) : tokenInvalid());
      };
      const authenticate = passport.authenticate('bearer', { session: false }, answer) as Authenticate;
      authenticate({ headers: { authorization: `Bearer ${token}` } }, {}, answer);
    });

  return {
    scheme: 'http bearer',
    async verify({ headers: { authorization = '' } }) {
      if (!SCHEME.test(authorization)) throw tokenMissing();
      const token = CREDENTIALS.exec(authorization)?.groups?.token;
      if (token === undefined) throw tokenInvalid();
      const digest = hash('sha256', token, 'base64');
      const verifiedWith = cache;
      const known = verifiedWith.get(digest);
      if (known) return known;
      const principal = await ask(token);
      // Into the cache from before the verification: where the accepted tokens have changed since, nobody reads it.
      verifiedWith.add(digest, principal);
      return principal;
    },
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

function isPrincipal(value: unknown): value is Principal {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function tokenMissing(): ApiError {
  return new ApiError(ErrorCode.TokenMissing, 'expected a bearer token in the Authorization header', {
    headers: { 'WWW-Authenticate': `Bearer realm="${REALM}"` },
  });
}

function tokenInvalid(): ApiError {
  return new ApiError(ErrorCode.TokenInvalid, 'expected an accepted bearer token', {
    headers: { 'WWW-Authenticate': `Bearer realm="${REALM}", error="invalid_token"` },
  });
}
