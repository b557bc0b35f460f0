/** API keys in a header: accepted tokens, in the header that the contract names. */
import { askTokens, type TokenOptions } from './ask-tokens';
import type { Verifier } from './authenticate';
import { REALM } from './realm';
import { credentialInvalid, credentialMissing } from './refusals';
import type { TokenVerifier } from './tokens';

/** The verifier of an API key in a header; refuses with 401, and with 503 where the token store fails. */
export function apiKey(tokens: TokenVerifier, options: TokenOptions = {}): Verifier {
  const ask = askTokens(tokens, options);
  return {
    scheme: 'apiKey in header',
    async verify({ headers }, { name = '' }) {
      // A 401 has to have a challenge (RFC 9110 section 15.5.2), and no registered scheme is of keys.
      const challenge = `ApiKey realm="${REALM}", header="${name}"`;
      const key = headers[name.toLowerCase()];
      if (typeof key !== 'string' || key === '') throw credentialMissing('an API key', name, challenge);
      const principal = await ask(key);
      if (!principal) throw credentialInvalid('API key', challenge);
      return principal;
    },
  };
}
