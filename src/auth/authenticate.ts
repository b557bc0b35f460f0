/** Who may come in: the contract's `security`, evaluated before a byte of the body is read. */
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../api-error';
import type { Principal } from '../contract/handler-types';
import type { SecurityRequirement } from '../contract/document';
import { asApiError } from '../http/errors';

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
  let refusal: unknown;
  for (const alternative of alternatives) {
    try {
      let principal: Principal | undefined;
      for (const scheme of Object.keys(alternative)) {
        const verifier = verifiers[scheme];
        if (!verifier) throw new Error(`security scheme ${scheme} has no verifier`);
        principal = await verifier.verify(req);
      }
      return principal;
    } catch (error) {
      // Only "I do not know you" leaves room for another way in.
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}
