/** Accepted tokens: a file of SHA-256 digests, so that whoever reads the file cannot use the service. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf } from '../api-error';
import type { Principal } from '../contract/handler-types';

/** Decides on a token: resolves to who it belongs to, or to null; rejects when that cannot be found out. */
export interface TokenVerifier {
  verify(token: string): Principal | null | Promise<Principal | null>;
}

interface AcceptedToken {
  principal: Principal;
  digest: Buffer;
}

/** A new token, with the line that makes it an accepted one. */
export function makeToken(name: string): { token: string; line: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, line: `${name} ${sha256(token).toString('hex')}` };
}

/** Reads a tokens file: a line each, `NAME SHA256-HEX-OF-TOKEN`, `#` begins a comment. Throws naming every bad line. */
export function readTokens(file: string): TokenVerifier {
  return tokens(textOf(file), file);
}

/** The same from the text of such a file; `source` is what messages call it. */
export function tokens(text: string, source: string): TokenVerifier {
  const problems: string[] = [];
  const accepted: AcceptedToken[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*/, '').trim();
    if (content === '') continue;
    const match = /^(?<name>[\w.@-]+)\s+(?<digest>[0-9a-f]{64})$/i.exec(content);
    if (match?.groups?.name === undefined || match.groups.digest === undefined) {
      problems.push(
        `${source}:${index + 1} expected NAME SHA256-HEX-OF-TOKEN (npm run token -- NAME prints such a line)`,
      );
    } else {
      accepted.push({ principal: { name: match.groups.name }, digest: Buffer.from(match.groups.digest, 'hex') });
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (accepted.length === 0) throw new Error(`${source} accepts no token (npm run token -- NAME makes one)`);
  return {
    verify(token) {
      const digest = sha256(token);
      // All are compared, each in constant time: how long it takes says nothing of which was near.
      return accepted.reduce<Principal | null>(
        (found, each) => (timingSafeEqual(each.digest, digest) ? each.principal : found),
        null,
      );
    },
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`AUTH_TOKENS_FILE: expected a file that can be read, got ${messageOf(cause)}`, { cause });
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
