/**
 * HTTP bearer authentication (RFC 6750) with passport-http-bearer. The strategy would also take a token from the body or the
 * query, so it is given the Authorization header and nothing else.
 */
import { Passport } from 'passport';
import { Strategy, type VerifyFunctionWithRequest } from 'passport-http-bearer';
import type { Principal } from '../contract/handler-types';
import { type Ask, askTokens, isPrincipal } from './ask-tokens';
import type { Verifier, VerifierOptions } from './authenticate';
import { credentialInvalid, credentialMissing, quoted } from './challenges';
import type { Verdict } from './tokens';

/** RFC 6750 section 2.1: the scheme in any letter case, `1*SP`, a `b64token`. */
const CREDENTIALS = /^bearer +(?<token>[\w.~+/-]+=*)$/i;
const SCHEME = /^bearer(?: |$)/i;

/** What passport gets in place of a request: the header, with the token store's verdict on its token. */
interface Attempt {
  headers: { authorization: string };
  verdict: Verdict;
}
/** Passport's middleware as it is used here. */
type Authenticate = (attempt: Attempt, res: object, next: (error?: unknown) => void) => void;

/** The verifier of an HTTP bearer scheme; refuses with 401, and with 503 if the token store fails. */
export function bearer({ tokens, realm, timeoutMs }: VerifierOptions): Verifier {
  const ask = throughPassport(askTokens(tokens, timeoutMs));
  const challenge = `Bearer realm=${quoted(realm)}`;
  const admit = (verdict: Verdict): Principal => {
    if (isPrincipal(verdict)) return verdict;
    // The one reason that clients are given (RFC 6750 section 3.1), so that they get another token.
    const description = verdict?.expired ? ', error_description="The access token expired"' : '';
    throw credentialInvalid('bearer token', `${challenge}, error="invalid_token"${description}`, verdict);
  };
  return {
    scheme: 'http bearer',
    challenge,
    verify({ headers: { authorization = '' } }) {
      if (!SCHEME.test(authorization)) throw credentialMissing('a bearer token in the Authorization header', challenge);
      const token = CREDENTIALS.exec(authorization)?.groups?.token;
      const verdict = token === undefined ? { refused: 'malformed credential' } : ask(token);
      return verdict instanceof Promise ? verdict.then(admit) : admit(verdict);
    },
  };
}

/** Lets passport decide by the token store's verdict; at once if the store answers at once. */
function throughPassport(ask: Ask): Ask {
  const passport = new Passport();
  const verify = (attempt: unknown, _token: string, done: (error: unknown, principal?: unknown) => void): void => {
    const { verdict } = attempt as Attempt;
    done(null, isPrincipal(verdict) && verdict);
  };
  passport.use(new Strategy({ passReqToCallback: true }, verify as VerifyFunctionWithRequest));
  // The store is asked for every request, but passport once for each principal: the objects it makes take 1 us.
  const admitted = new WeakSet<Principal>();
  const decide = (token: string, verdict: Verdict): Verdict => {
    if (isPrincipal(verdict) && admitted.has(verdict)) return verdict;
    let principal: unknown;
    const answer = (_error: unknown, found?: unknown): void => {
      principal = found;
    };
    const authenticate = passport.authenticate('bearer', { session: false }, answer) as Authenticate;
    authenticate({ headers: { authorization: `Bearer ${token}` }, verdict }, {}, answer);
    if (!isPrincipal(principal)) return isPrincipal(verdict) ? null : verdict;
    admitted.add(principal);
    return principal;
  };
  return (token) => {
    const verdict = ask(token);
    return verdict instanceof Promise ? verdict.then((found) => decide(token, found)) : decide(token, verdict);
  };
}
