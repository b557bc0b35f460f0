/** Accepted tokens as lines of text: SHA-256 digests, so that whoever reads the lines cannot use the service. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal } from '../contract/handler-types';

/** Decides on a token. */
export interface TokenVerifier {
  /** Resolves to who the token belongs to, or to null where it is not accepted; rejects when that cannot be found out. */
  verify(token: string): Principal | null | Promise<Principal | null>;
  /** Calls the listener whenever a token that was accepted may no longer be, so that nobody relies on an earlier answer. */
  onChange?(listener: () => void): void;
}

/** A line of a tokens file. */
export interface AcceptedToken {
  name: string;
  digest: Buffer;
  /** The time from which on it is not accepted, in milliseconds since 1970; Infinity where it has no end. */
  expires: number;
  /** What the token allows; undefined where the line names no scopes. */
  scopes?: readonly string[] | 'every' | undefined;
}

/** What a NAME may be: it is logged with every request. */
export const TOKEN_NAME = /^[\w.@-]+$/;
/** What `scopes=` may be followed by: names with commas in between, or `*` for every scope there is. */
export const SCOPES = /^(?:\*|[^\s,#"\\]+(?:,[^\s,#"\\]+)*)$/;
/** Whose the token is that is made for one run. */
export const ONE_OFF = 'one-off';
const LINE =
  /^(?<name>[\w.@-]+)\s+(?<digest>[0-9a-f]{64})(?:\s+(?!scopes=)(?<expires>\S+))?(?:\s+scopes=(?<scopes>\S+))?$/i;
const DAY_MS = 86_400_000;

/**
 * A new token, with the line that makes it an accepted one; `expires` is a date as `parseExpiry` reads it, `scopes` what
 * `SCOPES` matches.
 */
export function makeToken(name: string, expires?: string, scopes?: string): { token: string; line: string } {
  const token = randomBytes(32).toString('base64url');
  const parts = [name, sha256(token).toString('hex'), expires, scopes && `scopes=${scopes}`];
  const line = parts.filter((part) => part !== undefined).join(' ');
  return { token, line };
}

/**
 * Reads lines of `NAME SHA256-HEX-OF-TOKEN [EXPIRES] [scopes=SCOPE,...]`; `#` begins a comment. Throws naming every bad line by its number, and
 * nothing of its text; `source` is what messages call the text.
 */
export function parseTokens(text: string, source: string): AcceptedToken[] {
  const problems: string[] = [];
  const accepted: AcceptedToken[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*/, '').trim();
    if (content === '') continue;
    const { name, digest, expires: end, scopes } = LINE.exec(content)?.groups ?? {};
    const expires = end === undefined ? Infinity : parseExpiry(end);
    if (name === undefined || digest === undefined) {
      problems.push(
        `${source}:${index + 1} expected NAME SHA256-HEX-OF-TOKEN (npm run token -- NAME prints such a line)`,
      );
    } else if (expires === undefined) {
      problems.push(`${source}:${index + 1} expected the token to expire at ${EXPIRY_FORM}`);
    } else if (scopes !== undefined && !SCOPES.test(scopes)) {
      problems.push(`${source}:${index + 1} expected scopes= and names with commas in between, or *`);
    } else {
      const granted = scopes === '*' ? 'every' : scopes?.split(',');
      accepted.push({ name, digest: Buffer.from(digest, 'hex'), expires, scopes: granted });
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return accepted;
}

export const EXPIRY_FORM = 'a date such as 2027-12-31 (to its end, UTC) or a time such as 2027-12-31T18:00:00Z';

/** The time that a date or a time of UTC names, for a date its end; undefined for anything else. */
export function parseExpiry(text: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = isDate || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : NaN;
  // Date.parse takes February 30 for March 2.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.replace('Z', ''))) return undefined;
  return isDate ? time + DAY_MS : time;
}

/** The verifier of a list of tokens. */
export function verifierOf(accepted: readonly AcceptedToken[]): TokenVerifier {
  return {
    verify(token) {
      const digest = sha256(token);
      // Compares with every token, each in constant time, so that the time taken says nothing of which was near.
      const found = accepted.reduce<AcceptedToken | undefined>(
        (match, each) => (timingSafeEqual(each.digest, digest) ? each : match),
        undefined,
      );
      if (!found || Date.now() >= found.expires) return null;
      return found.scopes ? { name: found.name, scopes: found.scopes } : { name: found.name };
    },
  };
}

/** The verifier of a text that must accept somebody; throws as `parseTokens` does, and where it accepts nobody. */
export function tokens(text: string, source: string): TokenVerifier {
  const accepted = parseTokens(text, source);
  if (accepted.length === 0) throw new Error(`${source} accepts no token (npm run token -- NAME makes one)`);
  return verifierOf(accepted);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
