/** Verifies signed JWTs of an issuer (RFC 7519, RFC 9068) with jose, by the keys that the issuer publishes. */
import { hash } from 'node:crypto';
import type { errors, JWTPayload, JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };
import type { Principal } from '../contract/handler-types';
import { askIssuer, discover, IssuerError, keySetOf } from './issuer';
import type { Refusal, TokenVerifier } from './tokens';

export interface JwtOptions {
  /** The expected `iss`; without a `jwksUrl` its discovery document names the key set. */
  issuer: string;
  /** The expected `aud`, or one of them. */
  audience: string;
  jwksUrl?: string | undefined;
  /** The least time between requests for the key set because of an unknown key id. */
  cooldownMs?: number;
  /** The time limit for an answer of the issuer. */
  timeoutMs?: number;
  /** The time for which an accepted JWT is not verified again. */
  cacheMs?: number;
}

/** Public keys only: if HMAC were allowed, a public key could be used as a shared secret (RFC 8725 section 2.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** The `typ` of access tokens (RFC 9068 section 2.1); other types are for other purposes (RFC 8725 section 3.11). */
const TYPES = /^(?:application\/)?(?:at\+)?jwt$/i;
/** The tolerated difference between the issuer's clock and ours. */
const LEEWAY_SECONDS = 10;
/** The age at which a key set is fetched again. */
const KEYS_AGE_MAX_MS = 600_000;
/** The length limit of `sub`, which is logged with every request. */
const SUBJECT_LENGTH_MAX = 200;
/** Characters that are invisible (U+200B), look like a space, change the direction of text or end a line: they could make two names look the same. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
/**
 * The prefix of the subject in the name of its principal. No NAME of a tokens file may contain a slash, so that the names of both sources
 * never clash.
 */
const SOURCE = 'jwt/';
const CACHED_MAX = 1_000;

/** The verifier of JWTs. The issuer is asked when the first token comes; while it fails, `verify` rejects with an IssuerError. */
export async function jwtVerifier({
  issuer,
  audience,
  jwksUrl,
  cooldownMs = 30_000,
  timeoutMs = 3_000,
  cacheMs = 1_000,
}: JwtOptions): Promise<TokenVerifier> {
  const { createRemoteJWKSet, customFetch, errors, jwtVerify } = await import('jose');
  const ask = askIssuer(issuer, timeoutMs);
  const open = async (): Promise<JWTVerifyGetKey> =>
    createRemoteJWKSet(jwksUrl === undefined ? await discover(issuer, ask) : new URL(jwksUrl), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEYS_AGE_MAX_MS,
      [customFetch]: async (url: string) => Response.json(await ask(url, keySetOf)),
    });
  let keys: Promise<JWTVerifyGetKey> | undefined;
  let latest = 0;
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const type: unknown = header.typ;
    if (type !== undefined && !(typeof type === 'string' && TYPES.test(type))) throw new errors.JWTInvalid();
    const now = Date.now();
    if (now < latest) keys = undefined; // by a clock that is set back, jose would not ask for a new key until that time has come again
    latest = now;
    keys ??= open();
    const find = await keys.catch((error: unknown) => {
      keys = undefined;
      throw error;
    });
    return find(header, token);
  };
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: LEEWAY_SECONDS,
  };

  /** Recently accepted tokens, by digest. Only accepted ones, so that no stranger can add keys. */
  let accepted = new Map<string, Principal>();
  let acceptedUntil = 0;
  return {
    async verify(token) {
      // An opaque token can only be one of the tokens file.
      const [, , signature, ...others] = token.split('.');
      if (signature === undefined || others.length > 0) return null;
      if (!isCanonical(signature)) return { refused: 'JWT: malformed' };
      const digest = hash('sha256', token);
      const now = performance.now();
      const known = now < acceptedUntil && accepted.get(digest);
      if (known) return known;
      try {
        const { payload } = await jwtVerify(token, keyOf, options);
        const verdict = principalOf(payload);
        if ('refused' in verdict) return verdict;
        if (now >= acceptedUntil || accepted.size >= CACHED_MAX) {
          // Clearing the whole cache limits both the age and the number of entries.
          accepted = new Map();
          acceptedUntil = now + cacheMs;
        }
        accepted.set(digest, verdict);
        return verdict;
      } catch (error) {
        if (error instanceof IssuerError) throw error;
        return refusalOf(error);
      }
    },
  };
}

/** True for the canonical Base64url of its bytes (RFC 7515 section 2): a revoked JWT must not have another spelling. */
function isCanonical(base64url: string): boolean {
  return Buffer.from(base64url, 'base64url').toString('base64url') === base64url;
}

/** The principal of a verified token; its `scope` has names with spaces in between (RFC 8693 section 4.2). */
function principalOf({ sub, scope }: JWTPayload): Principal | Refusal {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_LENGTH_MAX || UNPRINTABLE.test(sub))
    return { refused: 'JWT: unusable subject' };
  const name = SOURCE + sub;
  return typeof scope === 'string' ? { name, scopes: scope.split(' ').filter(Boolean) } : { name };
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JOSE_NOT_SUPPORTED: 'not supported',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'several keys fit',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown key',
  ERR_JWS_INVALID: 'malformed',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JWT_INVALID: 'malformed, or of another type',
};
const CLAIMS: Readonly<Record<string, string>> = { aud: 'audience', iss: 'issuer', nbf: 'not yet valid' };

/** The reason why jose refuses a token, in our own words: those of jose may quote the token. */
function refusalOf(error: unknown): Refusal {
  const { code = '', claim = '', payload = {} } = error as Partial<errors.JWTExpired>;
  // jose verifies the signature before the claims, so these are the issuer's.
  if (code === 'ERR_JWT_EXPIRED') {
    const owner = principalOf(payload);
    return 'refused' in owner ? owner : { refused: `token of ${owner.name}, expired`, expired: true };
  }
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return { refused: `JWT: ${CLAIMS[claim] ?? claim}` };
  return { refused: `JWT: ${REASONS[code] ?? 'its key cannot be used'}` };
}
