/** Signed JWTs of an issuer as bearer tokens (RFC 7519, RFC 9068): verified with jose, by the keys that the issuer publishes. */
import type { JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };
import { messageOf } from '../http/api-error';
import type { Principal } from '../contract/handler-types';
import type { TokenVerifier } from './tokens';

export interface JwtOptions {
  /** What `iss` has to be; where there is no `jwksUrl`, its discovery document names the key set. */
  issuer: string;
  /** What `aud` has to be, or to contain. */
  audience: string;
  jwksUrl?: string | undefined;
  /** How soon the key set is asked for again because of an unknown key id, or after a failure. */
  cooldownMs?: number;
  /** How long the issuer may take to answer. */
  timeoutMs?: number;
}

/** Public keys only: with an HMAC algorithm among them, a public key would be taken for a shared secret (RFC 8725 section 2.1). */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** How far the issuer's clock and ours may differ. */
const LEEWAY_SECONDS = 10;
/** How long a key set is used before it is asked for again, also without an unknown key id. */
const KEYS_AGE_MAX_MS = 600_000;
/** `sub` is logged with every request. */
const SUBJECT_LENGTH_MAX = 200;

/** How soon the issuer is asked again after a failure, so that it is not asked by every token that comes. */
const RETRY_MS = 1_000;

/** The verifier of JWTs; asks the issuer when the first token comes, and rejects while the issuer fails. */
export async function jwtVerifier({
  issuer,
  audience,
  jwksUrl,
  cooldownMs = 30_000,
  timeoutMs = 3_000,
}: JwtOptions): Promise<TokenVerifier> {
  const { createRemoteJWKSet, customFetch, errors, jwtVerify } = await import('jose');
  const ask = politeFetch();
  const keysAt = (url: string): JWTVerifyGetKey =>
    createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEYS_AGE_MAX_MS,
      timeoutDuration: timeoutMs,
      [customFetch]: ask,
    });
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const findKeys = async (): Promise<JWTVerifyGetKey> => keysAt(jwksUrl ?? (await discover(issuer, ask, timeoutMs)));

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      keys ??= findKeys();
      const find = await keys.catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
      return await find(header, token);
    } catch (cause) {
      // These two are about the token; anything else is a failure of the issuer.
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      throw new Error(`the keys of ${issuer} cannot be had: ${messageOf(cause)}`, { cause });
    }
  };

  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keyOf, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: LEEWAY_SECONDS,
        });
        return principalOf(payload);
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/** Takes `scope` as RFC 8693 section 4.2 has it: names with spaces in between. */
function principalOf({ sub, scope }: Record<string, unknown>): Principal | null {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_LENGTH_MAX) return null;
  return typeof scope === 'string' ? { name: sub, scopes: scope.split(' ').filter(Boolean) } : { name: sub };
}

/** The address of the key set (OpenID Connect Discovery 1.0 section 4). */
async function discover(issuer: string, ask: typeof fetch, timeoutMs: number): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await ask(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
  const found: unknown = await response.json();
  // Section 4.3: otherwise it may be the document of another issuer.
  if (!isObject(found) || found.issuer !== issuer)
    throw new Error(`expected the issuer ${issuer} in the document at ${url}`);
  if (typeof found.jwks_uri !== 'string') throw new Error(`expected a jwks_uri at ${url}`);
  return found.jwks_uri;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** `fetch`, which fails at once for a moment after a failure. */
function politeFetch(): typeof fetch {
  let failure: { error: unknown; until: number } | undefined;
  return async (...request) => {
    if (failure && performance.now() < failure.until) throw failure.error;
    try {
      const response = await fetch(...request);
      if (!response.ok) throw new Error(`expected status 200, got ${response.status}`);
      return response;
    } catch (error) {
      failure = { error, until: performance.now() + RETRY_MS };
      throw error;
    }
  };
}
