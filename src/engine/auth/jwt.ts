/** Signed JWTs of an issuer as bearer tokens (RFC 7519, RFC 9068): verified with jose, by the keys that the issuer publishes. */
import { hash } from 'node:crypto';
import type { errors, JWTPayload, JWTVerifyGetKey } from 'jose' with { 'resolution-mode': 'import' };
import { messageOf } from '../http/api-error';
import type { Principal } from '../contract/handler-types';
import type { Refusal, TokenVerifier } from './tokens';

export interface JwtOptions {
  /** What `iss` has to be; without a `jwksUrl`, its discovery document names the key set. */
  issuer: string;
  /** What `aud` has to be, or to contain. */
  audience: string;
  jwksUrl?: string | undefined;
  /** How soon the key set is asked for again because of an unknown key id. */
  cooldownMs?: number;
  /** How long the issuer may take to answer. */
  timeoutMs?: number;
  /** How long an accepted JWT stays accepted without being verified again. */
  cacheMs?: number;
}

/** Public keys only: with an HMAC algorithm among them, a public key would be taken for a shared secret (RFC 8725 section 2.1). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** An access token (RFC 9068 section 2.1), or one that does not say; others are for other purposes (RFC 8725 section 3.11). */
const TYPES = /^(?:application\/)?(?:at\+)?jwt$/i;
/** How far the issuer's clock and ours may differ. */
const LEEWAY_SECONDS = 10;
/** How long a key set is used before it is asked for again, also without an unknown key id. */
const KEYS_AGE_MAX_MS = 600_000;
/** The most that is read of what the issuer answers. */
const ANSWER_BYTES_MAX = 1024 * 1024;
/** How soon the issuer is asked again after a failure, so that it is not asked by every token that comes. */
const RETRY_MS = 1_000;
/** `sub` is logged with every request. */
const SUBJECT_LENGTH_MAX = 200;
/** Control characters, and those that turn the direction of text or end a line: two names could look like one. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const CACHED_MAX = 1_000;

/** A failure of the issuer, and not of the token. */
class IssuerError extends Error {}

/** The verifier of JWTs; asks the issuer when the first token comes, and rejects while the issuer fails. */
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
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const type: unknown = header.typ;
    if (type !== undefined && !(typeof type === 'string' && TYPES.test(type))) throw new errors.JWTInvalid();
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

  /** By digest, what was accepted lately: only that, so that nothing a stranger sends becomes a key. */
  let accepted = new Map<string, Principal>();
  let acceptedUntil = 0;
  return {
    async verify(token) {
      // The principal of an opaque token is a matter of the tokens file.
      if (token.split('.').length !== 3) return null;
      const digest = hash('sha256', token);
      const now = performance.now();
      const known = now < acceptedUntil && accepted.get(digest);
      if (known) return known;
      try {
        const { payload } = await jwtVerify(token, keyOf, options);
        const verdict = principalOf(payload);
        if ('refused' in verdict) return verdict;
        if (now >= acceptedUntil || accepted.size >= CACHED_MAX) {
          // Dropping all entries at once bounds both their age and their number.
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

/** Takes `scope` as RFC 8693 section 4.2 has it: names with spaces in between. */
function principalOf({ sub, scope }: JWTPayload): Principal | Refusal {
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_LENGTH_MAX || UNPRINTABLE.test(sub))
    return { refused: 'JWT: unusable subject' };
  return typeof scope === 'string' ? { name: sub, scopes: scope.split(' ').filter(Boolean) } : { name: sub };
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

/** Says why jose does not accept a token, in words of ours: those of jose can have the token's in them. */
function refusalOf(error: unknown): Refusal {
  const { code = '', claim = '', payload = {} } = error as Partial<errors.JWTExpired>;
  // jose verifies the signature before it looks at the claims, so that they are the issuer's.
  if (code === 'ERR_JWT_EXPIRED') {
    const owner = principalOf(payload);
    return 'refused' in owner ? owner : { refused: `JWT of ${owner.name}, expired`, expired: true };
  }
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return { refused: `JWT: ${CLAIMS[claim] ?? claim}` };
  return { refused: `JWT: ${REASONS[code] ?? 'its key cannot be used'}` };
}

/** Gets JSON from the issuer, and what is looked for in it. */
type Ask = <T>(url: string, read: (answer: unknown) => T) => Promise<T>;

/** A function that fails with an IssuerError, and after a failure of any kind at once, for a moment. */
function askIssuer(issuer: string, timeoutMs: number): Ask {
  let failure: { error: IssuerError; until: number } | undefined;
  return async (url, read) => {
    if (failure && performance.now() < failure.until) throw failure.error;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, { signal, redirect: 'manual', headers: { Accept: 'application/json' } });
      const text = await textOf(response);
      if (response.status !== 200) throw new Error(`expected status 200, got ${response.status}`);
      return read(JSON.parse(text));
    } catch (cause) {
      const error = new IssuerError(`the keys of ${issuer} cannot be had: ${messageOf(cause)}`, { cause });
      failure = { error, until: performance.now() + RETRY_MS };
      throw error;
    }
  };
}

/** Reads no more than it may have; throwing ends the download. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > ANSWER_BYTES_MAX) throw new Error(`expected at most ${ANSWER_BYTES_MAX} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** The address of the key set (OpenID Connect Discovery 1.0 section 4). */
function discover(issuer: string, ask: Ask): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  return ask(url, (found) => {
    // Section 4.3: otherwise it may be the document of another issuer.
    if (!isObject(found) || found.issuer !== issuer)
      throw new Error(`expected the issuer ${issuer} in the document at ${url}`);
    if (typeof found.jwks_uri !== 'string') throw new Error(`expected a jwks_uri at ${url}`);
    return new URL(found.jwks_uri);
  });
}

function keySetOf(answer: unknown): object {
  if (!isObject(answer) || !Array.isArray(answer.keys) || !answer.keys.every(isObject))
    throw new Error('expected a key set');
  return answer;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
