/** Who may come in: the contract's `security`, evaluated before a byte of the body is read. */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../api-error';
import type { Principal } from '../contract/handler-types';
import type { SecurityRequirement } from '../contract/document';
import { asApiError } from '../http/errors';
import { hasScopes, insufficientScope } from './scopes';

/** Decides on one security scheme. */
export interface Verifier {
  /** What it verifies, as the contract says it: the scheme's type, and for HTTP the name of the scheme. */
  readonly scheme: string;
  /** Resolves to who sent the request; rejects with an ApiError of 401 for whom it does not know. */
  verify(req: Request): Promise<Principal>;
}

export type Verifiers = Readonly<Record<string, Verifier>>;

/** A stage that lets a matched request pass if one alternative of its operation's `security` is satisfied as a whole. */
export function authenticate(verifiers: Verifiers): RequestHandler {
  return function authenticateRequest(req, _res, next) {
    if (!req.operation) throw new Error('a request is authenticated after it is matched');
    const { security } = req.operation;
    if (security.length === 0) {
      next();
      return;
    }
    admit(req, security, verifiers).then(
      (principal) => {
        if (principal) req.principal = principal;
        next();
      },
      (error: unknown) => next(asApiError(error)), // to Express some of what can be thrown is no error
    );
  };
}

/** All schemes of one alternative must be satisfied; one that names none lets everyone in. */
async function admit(
  req: Request,
  alternatives: readonly SecurityRequirement[],
  verifiers: Verifiers,
): Promise<Principal | undefined> {
  let refusal: ApiError | undefined;
  for (const alternative of alternatives) {
    try {
      return await satisfy(req, alternative, verifiers);
    } catch (error) {
      // Only "I do not know you" and "you may not do this" leave room for another way in.
      if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error;
      // What is said in the end is what the client was nearest to: 403 rather than 401, a wrong credential rather than none.
      if (!refusal || error.code > refusal.code) refusal = error;
    }
  }
  throw refusal ?? new Error('security has no alternative');
}

async function satisfy(
  req: Request,
  alternative: SecurityRequirement,
  verifiers: Verifiers,
): Promise<Principal | undefined> {
  let principal: Principal | undefined;
  let forbidden: ApiError | undefined;
  for (const name of Object.keys(alternative)) {
    const verifier = verifiers[name];
    if (!verifier) throw new Error(`security scheme ${name} has no verifier`);
    principal = await verifier.verify(req);
    const scopes = alternative[name] ?? [];
    if (scopes.length > 0 && !hasScopes(principal, scopes)) forbidden ??= insufficientScope(verifier.scheme, scopes);
  }
  if (forbidden) throw forbidden; // not before all that is asked for is known to be there
  return principal;
}
