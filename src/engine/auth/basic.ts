/**
 * HTTP basic authentication (RFC 7617): the user is the NAME of an accepted token, and the password the token. A person's own
 * password does not belong there: one round of SHA-256 protects random tokens, and nothing that can be guessed.
 */
import { isUtf8 } from 'node:buffer';
import { askTokens, type TokenOptions } from './ask-tokens';
import type { Verifier } from './authenticate';
import { REALM } from './realm';
import { credentialInvalid, credentialMissing } from './refusals';
import type { TokenVerifier } from './tokens';

/** The scheme in any letter case, `1*SP`, and Base64 (RFC 4648 section 4). */
const CREDENTIALS = /^basic +(?<base64>[A-Za-z0-9+/]+={0,2})$/i;
const SCHEME = /^basic(?: |$)/i;
const CHALLENGE = `Basic realm="${REALM}", charset="UTF-8"`;

/** The verifier of an HTTP basic scheme; refuses with 401, and with 503 where the token store fails. */
export function basic(tokens: TokenVerifier, options: TokenOptions = {}): Verifier {
  const ask = askTokens(tokens, options);
  return {
    scheme: 'http basic',
    async verify({ headers: { authorization = '' } }) {
      if (!SCHEME.test(authorization)) throw credentialMissing('a user and a password', 'Authorization', CHALLENGE);
      const { user, password } = readCredentials(authorization);
      const principal = password === undefined ? null : await ask(password);
      if (principal?.name !== user || !principal) throw credentialInvalid('user and password', CHALLENGE);
      return principal;
    },
  };
}

/** What stands before and behind the first colon; nothing where there is none. */
function readCredentials(authorization: string): { user?: string; password?: string } {
  const bytes = Buffer.from(CREDENTIALS.exec(authorization)?.groups?.base64 ?? '', 'base64');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : '';
  const colon = text.indexOf(':');
  return colon < 0 ? {} : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
