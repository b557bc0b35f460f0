/** Accepted tokens as lines of text, with SHA-256 digests, so that a reader of the lines cannot use the service. */
import { hash, randomBytes } from 'node:crypto';
import type { Principal } from '../contract/handler-types';

/** The refusal of a token that the store knows. */
export interface Refusal {
  /** The reason for the log; contains no bytes of the client. */
  refused: string;
  /** True if it has expired: the answer says so. */
  expired?: boolean;
}

/** The owner of a token, the reason why it is refused, or null if it is unknown. */
export type Verdict = Principal | Refusal | null;

/**
 * A token store.
 *
 * @example
 * const store: TokenVerifier = {
 *   verify: async (token) => {
 *     const owner = await database.ownerOf(token);
 *     return owner ? { name: owner.name, scopes: owner.scopes } : null;
 *   },
 * };
 */
export interface TokenVerifier {
  /** Returns or resolves to the verdict; throws or rejects if the store fails. */
  verify(token: string): Verdict | Promise<Verdict>;
}

/** A line of a tokens file. */
export interface AcceptedToken {
  name: string;
  /** SHA-256, in lower case hexadecimal. */
  digest: string;
  /** The number of the line, from 1. */
  line: number;
  /** The time when it expires, in milliseconds since 1970; Infinity if it does not. */
  expires: number;
  /** Its scopes; undefined if the line names none. */
  scopes?: readonly string[] | 'every' | undefined;
}

/** The syntax of a NAME, which is logged with every request. */
export const TOKEN_NAME = /^[\w.@-]+$/;
/** The syntax behind `scopes=`: names with commas in between, or `*` for all scopes. */
export const SCOPES = /^(?:\*|[^\s,#"\\]+(?:,[^\s,#"\\]+)*)$/;
/** The NAME of the token that is made for one run. */
export const ONE_OFF = 'one-off';
const LINE =
  /^(?<name>[\w.@-]+)[ \t]+(?<digest>[0-9a-f]{64})(?:[ \t]+(?!scopes=)(?<expires>\S+))?(?:[ \t]+scopes=(?<scopes>\S+))?$/i;
const DAY_MS = 86_400_000;
/** An alarm of a token that ends goes on for so long after its end, unless its line is removed. */
const WEEK_MS = 7 * DAY_MS;
/** The number of bad lines that are reported; those behind are not read. */
const PROBLEMS_MAX = 20;
/** The largest number of accepted tokens whose texts a list remembers. */
const REMEMBERED_MAX = 1_000;

/**
 * A new token, and its line; `expires` is as `parseExpiry` reads it, and `scopes` as `SCOPES` matches.
 *
 * @example
 * const { token, line } = makeToken('ada', '2027-12-31', 'beds:read,beds:write');
 */
export function makeToken(name: string, expires?: string, scopes?: string): { token: string; line: string } {
  // A token that begins with "-" would be an option of the command line that it is given to.
  const token = randomBytes(32).toString('base64url').replace(/^-/, '_');
  const parts = [name, hash('sha256', token), expires, scopes && `scopes=${scopes}`];
  const line = parts.filter((part) => part !== undefined).join(' ');
  return { token, line };
}

/**
 * Parses lines of `NAME SHA256-HEX-OF-TOKEN [EXPIRES] [scopes=SCOPE,...]`; `#` begins a comment. Throws with the numbers of bad lines,
 * but never their text; `source` is the name of the text in messages.
 */
export function parseTokens(text: string, source: string): AcceptedToken[] {
  const problems: string[] = [];
  const accepted = new Map<string, AcceptedToken>();
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    // The flag `s` makes a comment include a carriage return or U+2028.
    const entry = content.replace(/#.*/s, '').trim();
    if (entry === '') continue;
    if (problems.length === PROBLEMS_MAX) {
      problems.push('and perhaps others');
      break;
    }
    const line = index + 1;
    const { name, digest: hex, expires: end, scopes } = LINE.exec(entry)?.groups ?? {};
    const digest = hex?.toLowerCase() ?? '';
    const expires = end === undefined ? Infinity : parseExpiry(end);
    const sameAs = accepted.get(digest);
    const expect = (what: string): void => void problems.push(`${source}:${line} expected ${what}`);
    if (name === undefined) expect('NAME SHA256-HEX-OF-TOKEN (the command token NAME prints such a line)');
    else if (expires === undefined) expect(`the token to expire at ${EXPIRY_FORM}`);
    else if (scopes !== undefined && !SCOPES.test(scopes)) expect('scopes= and names with commas in between, or *');
    else if (sameAs) expect(`another token than that of line ${sameAs.line}`);
    else accepted.set(digest, { name, digest, line, expires, scopes: scopes === '*' ? 'every' : scopes?.split(',') });
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return [...accepted.values()];
}

export const EXPIRY_FORM = 'a date such as 2027-12-31 (to its end, UTC) or a time such as 2027-12-31T18:00:00Z';

/** A time in UTC, or the end of a date, in milliseconds since 1970; undefined for anything else. */
export function parseExpiry(text: string): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const time = isDate || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : NaN;
  // Date.parse reads February 30 as March 2.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.replace('Z', ''))) return undefined;
  return isDate ? time + DAY_MS : time;
}

export interface TokenList {
  verify(token: string): Verdict;
  /** The time when the next of them expires, or one has within a week, in milliseconds since 1970; Infinity if none does. */
  nextEnd(): number;
}

/**
 * The verifier of a list of tokens. A lookup is by digest, so that its duration reveals nothing about the token itself; the entry of an
 * accepted token is found again by its text, which V8 compares only with one of the same seeded hash.
 */
export function verifierOf(accepted: readonly AcceptedToken[]): TokenList {
  const byDigest = new Map(
    accepted.map(({ name, digest, expires, scopes }) => [
      digest,
      { expires, principal: scopes ? { name, scopes } : { name } },
    ]),
  );
  const byText: typeof byDigest = new Map(); // of this list alone, so that the next one knows nothing of it
  return {
    verify(token) {
      const known = byText.get(token);
      const found = known ?? byDigest.get(hash('sha256', token));
      if (!found) return null;
      if (Date.now() < found.expires) {
        if (!known && byText.size < REMEMBERED_MAX) byText.set(token, found);
        return found.principal;
      }
      const end = new Date(found.expires).toISOString();
      return { refused: `token of ${found.principal.name}, expired ${end}`, expired: true };
    },
    nextEnd() {
      const since = Date.now() - WEEK_MS;
      return accepted.reduce((next, { expires }) => (expires > since ? Math.min(next, expires) : next), Infinity);
    },
  };
}

/** The verifier of the tokens in a text; throws as `parseTokens` does, and if the text has none. */
export function tokens(text: string, source: string): TokenList {
  const accepted = parseTokens(text, source);
  if (accepted.length === 0) throw new Error(`${source} accepts no token (the command token NAME makes one)`);
  return verifierOf(accepted);
}
