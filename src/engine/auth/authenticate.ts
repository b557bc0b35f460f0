/** Who may come in: the contract's `security`, evaluated before a byte of the body is read. */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/api-error';
import type { Principal } from '../contract/handler-types';
import type { SecurityRequirement, SecurityScheme } from '../contract/document';
import { asApiError } from '../http/errors';
import { isPrincipal } from './ask-tokens';
import { hasScopes, insufficientScope } from './scopes';

/** Decides on one security scheme. */
export interface Verifier {
  /** What it verifies, as `schemeKind` says it of the contract's scheme: `http bearer`, `apiKey in header`. */
  readonly scheme: string;
  /** Returns or resolves to who sent the request; fails with an ApiError of 401 for whom it does not know. */
  verify(req: Request, declared: SecurityScheme): Principal | Promise<Principal>;
}

type Schemes = Readonly<Record<string, SecurityScheme>>;

const CHALLENGE = 'WWW-Authenticate';

export type Verifiers = Readonly<Record<string, Verifier>>;

/** A stage that lets a matched request pass if one alternative of its operation's `security` is satisfied as a whole. */
export function authenticate(verifiers: Verifiers, schemes: Schemes = {}): RequestHandler {
  return function authenticateRequest(req, _res, next) {
    if (!req.operation) throw new Error('a request is authenticated after it is matched');
    const { security } = req.operation;
    if (security.length === 0) {
      next();
      return;
    }
    const enter = (principal: Principal | undefined): void => {
      if (principal) req.principal = principal;
      next();
    };
    const refuse = (error: unknown): void => next(asApiError(error)); // next() takes falsy values, 'route' and 'router' for control flow
    try {
      const admitted = verifySole(req, security, verifiers, schemes) ?? admit(req, security, verifiers, schemes);
      if (isPrincipal(admitted)) enter(admitted);
      else Promise.resolve(admitted).then(enter, refuse);
    } catch (error) {
      refuse(error);
    }
  };
}

/** Fast path, which costs no promise for a credential that its verifier knows; undefined unless one scheme is all that is asked for. */
function verifySole(
  req: Request,
  [alternative, ...others]: readonly SecurityRequirement[],
  verifiers: Verifiers,
  schemes: Schemes,
): Principal | Promise<Principal> | undefined {
  if (!alternative || others.length > 0) return undefined;
  const [name = '', ...further] = Object.keys(alternative);
  if (further.length > 0 || alternative[name]?.length !== 0) return undefined;
  const declared = schemes[name];
  return declared && verifiers[name]?.verify(req, declared);
}

/** All schemes of one alternative must be satisfied; one that names none lets everyone in. */
async function admit(
  req: Request,
  alternatives: readonly SecurityRequirement[],
  verifiers: Verifiers,
  schemes: Schemes,
): Promise<Principal | undefined> {
  const refusals: ApiError[] = [];
  for (const alternative of alternatives) {
    try {
      let principal: Principal | undefined;
      let forbidden: ApiError | undefined;
      for (const name of Object.keys(alternative)) {
        const verifier = verifiers[name];
        const declared = schemes[name];
        if (!verifier || !declared) throw new Error(`security scheme ${name} has no verifier`);
        principal = await verifier.verify(req, declared);
        const scopes = alternative[name] ?? [];
        if (scopes.length > 0 && !hasScopes(principal, scopes))
          forbidden ??= insufficientScope(verifier.scheme, scopes);
      }
      if (forbidden) throw forbidden; // only after every credential of this alternative has been verified
      return principal;
    } catch (error) {
      // Only 401 and 403 fall through to the next alternative.
      if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error;
      refusals.push(error);
    }
  }
  throw nearestOf(refusals);
}

/** What the client was nearest to: 403 rather than 401, a wrong credential rather than none; a 401 has all challenges. */
function nearestOf(refusals: readonly ApiError[]): unknown {
  const [first, ...others] = refusals;
  const nearest = others.reduce((best, each) => (best && each.code > best.code ? each : best), first);
  if (nearest?.status !== 401 || others.length === 0) return nearest;
  // RFC 9110 section 11.6.1
  const challenges = new Set(refusals.flatMap(({ headers }) => headers[CHALLENGE] ?? []));
  const headers = { ...nearest.headers, ...(challenges.size > 0 && { [CHALLENGE]: [...challenges].join(', ') }) };
  return new ApiError(nearest.code, nearest.message, { headers, cause: nearest });
}
