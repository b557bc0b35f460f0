/** Authenticates requests by the contract's `security`, before a byte of the body is read. */
import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from './tokens';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import type { Principal } from '../contract/handler-types';
import type { SecurityRequirement } from '../contract/document';
import { insufficientScope } from './challenges';

/** Verifies the credential of one security scheme. */
export interface Verifier {
  /** The kind of the scheme, as `schemeKind` has it: `http bearer`, `apiKey in header`. */
  readonly scheme: string;
  /** The challenge of a bearer scheme; a 403 adds the scopes to it. */
  readonly challenge?: string;
  /**
   * Returns or resolves to who sent the request; fails with an ApiError of 401 if the credential is missing (`TokenMissing`) or not
   * accepted (any other code).
   */
  verify(req: IncomingMessage): Principal | Promise<Principal>;
}

/** Options of the engine's own verifiers. */
export interface VerifierOptions {
  /** The accepted tokens: bearer tokens, passwords and API keys. */
  tokens: TokenVerifier;
  /** The realm of challenges (RFC 9110 section 11.5). */
  realm: string;
  /** How long the token store may take before it counts as not answering. */
  timeoutMs?: number | undefined;
}

/** Verifiers by the names of security schemes. */
export type Verifiers = Readonly<Record<string, Verifier>>;

/**
 * Resolves to who sent the request, undefined if the operation is open to everyone; rejects with an ApiError of 401, 403 or 503.
 * Anything else that comes out of it is a fault of a verifier.
 */
export type Authenticate = (
  operation: { readonly security: readonly SecurityRequirement[] },
  req: IncomingMessage,
) => Promise<Principal | undefined>;

const CHALLENGE = 'WWW-Authenticate';

/** A function that accepts a request if it satisfies all of one alternative of its operation's `security`. */
export function createAuthenticate(verifiers: Verifiers): Authenticate {
  return async function authenticateRequest({ security }, req) {
    return security.length === 0 ? undefined : admit(req, security, verifiers);
  };
}

/**
 * Accepts a request that satisfies all schemes of one alternative. One without schemes is tried last, wherever it stands, and accepts who
 * sends no credential: one that is sent and not accepted is refused there, too.
 */
async function admit(
  req: IncomingMessage,
  alternatives: readonly SecurityRequirement[],
  verifiers: Verifiers,
): Promise<Principal | undefined> {
  const refusals: ApiError[] = [];
  const isEmpty = (alternative: SecurityRequirement): boolean => Object.keys(alternative).length === 0;
  for (const alternative of alternatives) {
    if (isEmpty(alternative)) continue;
    try {
      let principal: Principal | undefined;
      let forbidden: ApiError | undefined;
      for (const [name, scopes] of Object.entries(alternative)) {
        const verifier = verifiers[name];
        if (!verifier) throw new Error(`security scheme ${name} has no verifier`);
        principal = await verifier.verify(req);
        if (!hasScopes(principal, scopes)) forbidden ??= insufficientScope(principal, scopes, verifier.challenge);
      }
      if (forbidden) throw forbidden; // only after every credential of this alternative has been verified
      return principal;
    } catch (error) {
      // Only 401 and 403 fall through to the next alternative.
      if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error;
      refusals.push(error);
    }
  }
  if (alternatives.some(isEmpty) && refusals.every(({ code }) => code === ErrorCode.TokenMissing)) return undefined;
  throw nearestOf(refusals);
}

/** Whether the principal has all of the scopes. */
export function hasScopes({ scopes: granted = [] }: Principal, scopes: readonly string[]): boolean {
  return granted === 'every' || scopes.every((scope) => granted.includes(scope));
}

/** The refusal nearest to success: 403 rather than 401, a wrong credential rather than none. A 401 gets all challenges. */
function nearestOf(refusals: readonly ApiError[]): unknown {
  const [first, ...others] = refusals;
  const nearest = others.reduce((best, each) => (best && each.code > best.code ? each : best), first);
  if (nearest?.status !== 401 || others.length === 0) return nearest;
  // RFC 9110 section 11.6.1
  const challenges = new Set(refusals.flatMap(({ headers }) => headers[CHALLENGE] ?? []));
  const headers = { ...nearest.headers, ...(challenges.size > 0 && { [CHALLENGE]: [...challenges].join(', ') }) };
  return new ApiError(nearest.code, nearest.message, { headers, reason: nearest.reason });
}
