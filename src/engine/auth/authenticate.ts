/** Authenticates requests by the contract's `security`, before a byte of the body is read. */
import type { IncomingMessage } from 'node:http';
import type { TokenVerifier } from './tokens';
import { ApiError } from '../errors/api-error';
import { ErrorCode } from '../errors/error-codes';
import type { Principal } from '../contract/handler-types';
import type { SecurityRequirement } from '../contract/document';
import { insufficientScope } from './challenges';

/**
 * Verifies the credential of one security scheme.
 *
 * @example
 * const signature: Verifier = {
 *   scheme: 'apiKey in header',
 *   async verify({ headers }) {
 *     const sender = await partners.find(headers['x-signature']);
 *     if (!sender) throw new ApiError(ErrorCode.TokenInvalid, 'expected the signature of a partner');
 *     return { name: sender.name };
 *   },
 * };
 */
export interface Verifier {
  /** The kind of the scheme, as `schemeKind` has it: `http bearer`, `apiKey in header`. */
  readonly scheme: string;
  /** The challenge of a bearer scheme; a 403 adds the scopes to it. */
  readonly challenge?: string;
  /**
   * Returns or resolves to the principal of the request; fails with an ApiError of 401 if the credential is missing
   * (`TokenMissing`) or not accepted (any other code).
   */
  verify(req: IncomingMessage): Principal | Promise<Principal>;
}

/** Options of the engine's own verifiers. */
export interface VerifierOptions {
  /** The accepted tokens: bearer tokens, passwords and API keys. */
  tokens: TokenVerifier;
  /** The realm of challenges (RFC 9110 section 11.5). */
  realm: string;
  /** The time in milliseconds after which the token store counts as not answering. */
  timeoutMs?: number | undefined;
}

/**
 * Verifiers by the names of security schemes.
 *
 * @example
 * const verifiersOn = (): Verifiers => ({ partnerSignature: signature });
 */
export type Verifiers = Readonly<Record<string, Verifier>>;

/** The senders of a request by security scheme, and the one that counts as its principal: that of the last scheme. */
export interface Admission {
  readonly principal: Principal;
  readonly principals: Readonly<Record<string, Principal>>;
}

/**
 * Returns or resolves to the admission of a request, undefined if the operation is open to everyone; fails with an
 * ApiError of 401, 403 or 503. Any other error is a fault of a verifier.
 */
export type Authenticate = (req: IncomingMessage) => Admission | undefined | Promise<Admission | undefined>;

/** Schemes that must all be satisfied, each with the scopes that its principal must have. */
type Alternative = readonly {
  readonly name: string;
  readonly verifier: Verifier;
  readonly scopes: readonly string[];
}[];

const CHALLENGE = 'WWW-Authenticate';

/**
 * Returns a function that accepts a request if it satisfies all schemes of one alternative of an operation's
 * `security`. An alternative without schemes is tried last, wherever it stands, and accepts requests without any
 * credential; one that was sent and admits nobody is refused there, too. Throws if a scheme has no verifier.
 */
export function createAuthenticate(verifiers: Verifiers, security: readonly SecurityRequirement[]): Authenticate {
  if (security.length === 0) return () => undefined;
  const all = security.map((requirement): Alternative =>
    Object.entries(requirement).map(([name, scopes]) => {
      const verifier = verifiers[name];
      if (!verifier) throw new Error(`security scheme ${name} has no verifier`);
      return { name, verifier, scopes };
    }),
  );
  const alternatives = all.filter(({ length }) => length > 0);
  const isOptional = alternatives.length < all.length;
  const [[only, ...beside] = [], ...others] = all;
  if (only && beside.length + others.length === 0) return admitBy(only);

  return async function authenticateRequest(req) {
    const refusals: ApiError[] = [];
    for (const alternative of alternatives) {
      try {
        return await admit(req, alternative);
      } catch (error) {
        refusals.push(refusalOf(error)); // only these fall through to the next alternative
      }
    }
    if (isOptional && refusals.every(isMissing) && (await isAnonymous(req, alternatives.flat()))) return undefined;
    throw nearestOf(refusals);
  };
}

/** The error itself if it refuses a credential; throws any other. */
function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return error;
  throw error;
}

function isMissing({ code }: ApiError): boolean {
  return code === ErrorCode.TokenMissing;
}

/**
 * True if the request has a credential for none of the schemes, not even one of several that an alternative needs together. An Authorization
 * header of any other scheme counts as one where a scheme reads that header.
 */
async function isAnonymous(req: IncomingMessage, schemes: Alternative): Promise<boolean> {
  for (const { verifier } of schemes) {
    if (req.headers.authorization && verifier.scheme.startsWith('http ')) return false;
    try {
      await verifier.verify(req);
      return false;
    } catch (error) {
      if (!isMissing(refusalOf(error))) return false;
    }
  }
  return true;
}

/** The most frequent `security`, a single scheme: what is synchronous in it makes no promise. */
function admitBy({ name, verifier, scopes }: Alternative[number]): Authenticate {
  const admitted = (principal: Principal): Admission => {
    if (hasScopes(principal, scopes)) return { principal, principals: { [name]: principal } };
    throw insufficientScope(principal, scopes, verifier.challenge);
  };
  return function authenticateRequest(req) {
    const answer = verifier.verify(req);
    return 'then' in answer ? Promise.resolve(answer).then(admitted) : admitted(answer);
  };
}

/** Resolves to the admission if all schemes are satisfied. */
async function admit(req: IncomingMessage, alternative: Alternative): Promise<Admission | undefined> {
  let admission: Admission | undefined;
  let forbidden: ApiError | undefined;
  for (const { name, verifier, scopes } of alternative) {
    const principal = await verifier.verify(req);
    admission = { principal, principals: { ...admission?.principals, [name]: principal } };
    if (!hasScopes(principal, scopes)) forbidden ??= insufficientScope(principal, scopes, verifier.challenge);
  }
  if (forbidden) throw forbidden; // only after every credential of this alternative has been verified
  return admission;
}

/** True if the principal has all of the scopes. */
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
