/**
 * HTTP basic authentication (RFC 7617): the user is the NAME of an accepted token, and the password the token. It is not for passwords
 * of people: one round of SHA-256 protects random tokens, but nothing that can be guessed.
 */
import { isUtf8 } from 'node:buffer';
import { askTokens, isPrincipal } from './ask-tokens';
import type { Verifier, VerifierOptions } from './authenticate';
import { credentialInvalid, credentialMissing, quoted } from './challenges';

/** The scheme in any letter case, `1*SP`, and Base64 (RFC 4648 section 4). */
const CREDENTIALS = /^basic +(?<base64>[A-Za-z0-9+/]+={0,2})$/i;
const SCHEME = /^basic(?: |$)/i;

/** The verifier of an HTTP basic scheme; refuses with 401, and with 503 if the token store fails. */
export function basic({ tokens, realm, timeoutMs }: VerifierOptions): Verifier {
  const ask = askTokens(tokens, timeoutMs);
  const challenge = `Basic realm=${quoted(realm)}, charset="UTF-8"`;
  return {
    scheme: 'http basic',
    async verify({ headers: { authorization = '' } }) {
      if (!SCHEME.test(authorization))
        throw credentialMissing('a user and a password in the Authorization header', challenge);
      const { user, password } = readCredentials(authorization);
      const verdict = password === undefined ? { refused: 'malformed credential' } : await ask(password);
      if (isPrincipal(verdict) && verdict.name === user) return verdict;
      const refusal = isPrincipal(verdict) ? { refused: `the password of ${verdict.name} with another user` } : verdict;
      throw credentialInvalid('user and password', challenge, refusal);
    },
  };
}

/** The texts before and after the first colon; neither if there is none. */
function readCredentials(authorization: string): { user?: string; password?: string } {
  const bytes = Buffer.from(CREDENTIALS.exec(authorization)?.groups?.base64 ?? '', 'base64');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = text.indexOf(':');
  return colon < 0 ? {} : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
