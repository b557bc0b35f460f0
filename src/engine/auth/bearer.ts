/**
 * HTTP bearer authentication (RFC 6750) with passport-http-bearer. The strategy would also take a token from the body or the
 * query, so it is given the Authorization header and nothing else.
 */
import type { Request } from 'express';
import { Passport } from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal } from '../contract/handler-types';
import { asApiError } from '../http/errors';
import { type Ask, askTokens, isPrincipal, type TokenOptions } from './ask-tokens';
import type { Verifier } from './authenticate';
import { REALM } from './realm';
import { credentialInvalid, credentialMissing } from './refusals';
import type { TokenVerifier } from './tokens';

/** RFC 6750 section 2.1: the scheme in any letter case, `1*SP`, a `b64token`. */
const CREDENTIALS = /^bearer +(?<token>[\w.~+/-]+=*)$/i;
const SCHEME = /^bearer(?: |$)/i;
const CHALLENGE = `Bearer realm="${REALM}"`;

/** Passport's middleware as it is used here: the header is all that it gets of a request. */
type Authenticate = (req: { headers: { authorization: string } }, res: object, next: (error?: unknown) => void) => void;

/** The verifier of an HTTP bearer scheme; refuses with 401, and with 503 where the token store fails. */
export function bearer(tokens: TokenVerifier, options: TokenOptions = {}) {
  const ask = askTokens(tokens, options, throughPassport);
  return {
    scheme: 'http bearer',
    verify({ headers: { authorization = '' } }: Request): Principal | Promise<Principal> {
      if (!SCHEME.test(authorization)) throw credentialMissing('a bearer token', 'Authorization', CHALLENGE);
      const token = CREDENTIALS.exec(authorization)?.groups?.token;
      const principal = token === undefined ? null : ask(token);
      return principal instanceof Promise ? principal.then(accepted) : accepted(principal);
    },
  } satisfies Verifier;
}

function accepted(principal: Principal | null): Principal {
  if (principal) return principal;
  throw credentialInvalid('bearer token', `${CHALLENGE}, error="invalid_token"`);
}

function throughPassport(decide: Ask): Ask {
  const passport = new Passport();
  const verify: VerifyFunction = (token, done) => {
    decide(token).then((principal) => done(null, principal ?? false), done);
  };
  passport.use(new Strategy({ realm: REALM }, verify));

  return (token) =>
    new Promise((resolve, reject) => {
      const answer = (error: unknown, principal?: unknown): void => {
        if (error) reject(asApiError(error));
        else resolve(isPrincipal(principal) ? principal : null);
      };
      const authenticate = passport.authenticate('bearer', { session: false }, answer) as Authenticate;
      authenticate({ headers: { authorization: `Bearer ${token}` } }, {}, answer);
    });
}
