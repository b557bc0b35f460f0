/**
 * HTTP bearer authentication (RFC 6750) with passport-http-bearer. The strategy would also accept a token in the body or the query, so that
 * it is given the Authorization header alone.
 */
import { Passport } from 'passport';
import { Strategy, type VerifyFunctionWithRequest } from 'passport-http-bearer';
import { type Ask, askTokens, isPrincipal } from './ask-tokens';
import type { Verifier, VerifierOptions } from './authenticate';
import { credentialInvalid, credentialMissing, quoted } from './challenges';
import type { Principal } from '../contract/handler-types';
import type { Verdict } from './tokens';

/** RFC 6750 section 2.1: the scheme in any letter case, `1*SP`, a `b64token`. */
const CREDENTIALS = /^bearer +(?<token>[\w.~+/-]+=*)$/i;
const SCHEME = /^bearer(?: |$)/i;

/** The part of a request that passport is given, and the verdict of the token store on its token. */
interface Attempt {
  headers: { authorization: string };
  verdict: Verdict;
}

/** Passport's middleware as it is used here. */
type Middleware = (attempt: Attempt, res: object, next: (error: unknown) => void) => void;

/** The largest number of credentials whose tokens are remembered. */
const REMEMBERED_MAX = 1_000;

/** The verifier of an HTTP bearer scheme; refuses with 401, and with 503 if the token store fails. */
export function bearer({ tokens, realm, timeoutMs }: VerifierOptions): Verifier {
  const ask = askTokens(tokens, timeoutMs);
  const askFirst = throughPassport(ask);
  const challenge = `Bearer realm=${quoted(realm)}`;
  /** The tokens in credentials that passport has let in once. The store is asked about them for every request. */
  const remembered = new Map<string, string>();

  async function introduce(authorization: string, hasKey: boolean, url: string): Promise<Principal> {
    if (!SCHEME.test(authorization)) {
      const got = gotInstead(authorization, hasKey, url);
      throw credentialMissing(`a bearer token in the Authorization header${got}`, challenge);
    }
    const token = CREDENTIALS.exec(authorization)?.groups?.token;
    if (token === undefined) return principalOf({ refused: 'malformed credential' }, malformation(authorization));
    const principal = principalOf(await askFirst(token));
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (authorization === `Bearer ${token}`) remembered.set(authorization, token); // one spelling of each
    return principal;
  }

  function principalOf(verdict: Verdict, got = ''): Principal {
    if (isPrincipal(verdict)) return verdict;
    // Expiry is the only reason that clients get (RFC 6750 section 3.1), so that they fetch another token.
    const description = verdict?.expired ? ', error_description="The access token expired"' : '';
    throw credentialInvalid(`bearer token${got}`, `${challenge}, error="invalid_token"${description}`, verdict);
  }

  return {
    scheme: 'http bearer',
    challenge,
    verify({ headers, url = '' }) {
      const { authorization = '' } = headers;
      const token = remembered.get(authorization);
      if (token === undefined) return introduce(authorization, 'x-api-key' in headers, url);
      const verdict = ask(token);
      return verdict instanceof Promise ? verdict.then((each) => principalOf(each)) : principalOf(verdict);
    },
  };
}

/** Schemes that messages name; any other first word may be a token. */
const OTHER_SCHEME = /^(?<scheme>basic|digest|token|apikey|api-key|jwt|key|hawk|oauth|negotiate|ntlm|bot) /i;

/** The kind of credential that came in place of a bearer token, for messages; never the credential itself. */
function gotInstead(authorization: string, hasKey: boolean, url: string): string {
  const form = ', as "Bearer TOKEN", got ';
  const scheme = OTHER_SCHEME.exec(authorization)?.groups?.scheme;
  if (scheme !== undefined) return `${form}the scheme ${scheme}`;
  if (authorization !== '') return `${form}${authorization.includes(' ') ? 'another scheme' : 'one word'}`;
  if (hasKey) return `${form}an X-API-Key header`;
  return /[?&](?:access_|auth_?)?(?:token|key|api_?key)=/i.test(url) ? `${form}one in the query` : '';
}

/** The mistake in a credential that is no token, for messages. */
function malformation(authorization: string): string {
  const rest = authorization.slice('bearer'.length).trim();
  if (rest === '') return ', got none behind Bearer';
  if (/^["'].*["']$/.test(rest)) return ', got one in quotes';
  if (/^\$|^[<{].*[>}]$|^%\w+%$/.test(rest)) return ', got a placeholder';
  return /\s/.test(rest) ? ', got several words' : ', got characters that no token has';
}

/** Asks the token store from within passport's strategy, and follows the decision of passport. */
function throughPassport(ask: Ask): Ask {
  const passport = new Passport();
  const verify: VerifyFunctionWithRequest = (attempt, token, done) =>
    void (async () => ask(token))().then((verdict) => {
      Object.assign(attempt, { verdict } satisfies Partial<Attempt>);
      done(null, isPrincipal(verdict) && verdict);
    }, done);
  passport.use(new Strategy({ passReqToCallback: true }, verify));
  return (token) =>
    new Promise((resolve, reject) => {
      const attempt: Attempt = { headers: { authorization: `Bearer ${token}` }, verdict: null };
      const decided = (error: unknown, principal: unknown): void => {
        if (error instanceof Error) reject(error);
        else if (isPrincipal(principal)) resolve(principal);
        else resolve(isPrincipal(attempt.verdict) ? null : attempt.verdict);
      };
      const authenticate = passport.authenticate('bearer', { session: false }, decided) as Middleware;
      authenticate(attempt, {}, reject);
    });
}
