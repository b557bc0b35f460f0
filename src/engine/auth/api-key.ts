/** API keys: accepted tokens in the header, query parameter or cookie that the contract names, and nowhere else. */
import type { IncomingMessage } from 'node:http';
import type { SecurityScheme } from '../contract/document';
import { queryOf } from '../http/target';
import { askTokens, isPrincipal } from './ask-tokens';
import type { Verifier, VerifierOptions } from './authenticate';
import { credentialInvalid, credentialMissing, quoted } from './challenges';

/** Reads all values of a name from a request. */
type Read = (req: IncomingMessage, name: string) => readonly string[];

const places: Readonly<Record<string, { what: string; read: Read }>> = {
  header: { what: 'header', read: ({ headersDistinct }, name) => headersDistinct[name.toLowerCase()] ?? [] },
  query: { what: 'query parameter', read: readQuery },
  cookie: { what: 'cookie', read: readCookies },
};

/** The verifier of an API key; refuses with 401, and with 503 if the token store fails. */
export function apiKey(
  { in: where = '', name = '' }: SecurityScheme,
  { tokens, realm, timeoutMs }: VerifierOptions,
): Verifier {
  const place = places[where];
  if (!place) throw new Error(`expected an API key in a header, a query or a cookie, got ${where}`);
  const ask = askTokens(tokens, timeoutMs);
  // A 401 needs a challenge (RFC 9110 section 15.5.2), and no registered scheme is for API keys.
  const challenge = `ApiKey realm=${quoted(realm)}, ${where}=${quoted(name)}`;
  return {
    scheme: `apiKey in ${where}`,
    async verify(req) {
      const [key = '', ...others] = place.read(req, name);
      if (key === '' && others.length === 0)
        throw credentialMissing(`an API key in the ${name} ${place.what}`, challenge);
      // Ambiguous: one recipient would take the first key, another the last.
      const verdict = others.length > 0 ? { refused: `several keys` } : await ask(key);
      if (isPrincipal(verdict)) return verdict;
      throw credentialInvalid('API key', challenge, verdict);
    },
  };
}

function readQuery({ url = '' }: IncomingMessage, name: string): readonly string[] {
  return new URLSearchParams(queryOf(url)).getAll(name);
}

/** RFC 6265 section 5.4; values are not decoded, quotes and percent signs included. */
function readCookies({ headers: { cookie = '' } }: IncomingMessage, name: string): readonly string[] {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
