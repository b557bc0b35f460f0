/** Edits a tokens file: other lines and comments stay, and the change is atomic for readers. */
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../errors/api-error';
import { copyAccess } from '../process/copy-access';
import { readRegularFile } from '../process/watch-file';
import { type AcceptedToken, parseTokens } from '../auth/tokens';

/** Adds a line; makes the file, readable by its owner alone, if there is none. */
export function addLine(file: string, line: string): void {
  edit(file, (text) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}

/** Removes every token of the name, or the one with the beginning of a digest; throws if none matches, or several match the digest. */
export function revokeTokens(file: string, wanted: { name: string | undefined; digest: string | undefined }): string {
  const { name, digest = '' } = wanted;
  let revoked: AcceptedToken[] = [];
  textOf(file); // throws if there is none
  edit(file, (text) => {
    revoked = parseTokens(text, file).filter(
      (token) => (name === undefined || token.name === name) && token.digest.startsWith(digest),
    );
    const what = `${name === undefined ? '' : ` of ${name}`}${digest === '' ? '' : ` with a digest ${digest}...`}`;
    const hint = `(token --list ${file} lists them)`;
    if (revoked.length === 0) throw new Error(`${file} has no token${what} ${hint}`);
    if (digest !== '' && revoked.length > 1) throw new Error(`${file} has ${revoked.length} tokens${what} ${hint}`);
    const lines = new Set(revoked.map(({ line }) => line));
    return text
      .split('\n')
      .filter((_line, index) => !lines.has(index + 1))
      .join('\n');
  });
  return `revoked ${revoked.length} token(s) of ${revoked[0]?.name ?? ''} in ${file}`;
}

/** A line for each token: its name, the beginning of its digest, when it expires, and its scopes. */
export function listTokens(file: string, now: number): string {
  const rows = parseTokens(textOf(file), file).map(({ name, digest, expires, scopes }) => {
    const end = `${expires <= now ? 'expired' : 'expires'} ${expires === Infinity ? 'never' : new Date(expires).toISOString()}`;
    const allowed = scopes === 'every' ? '*' : scopes?.join(',');
    return [name, digest.slice(0, 8), end, ...(allowed === undefined ? [] : [`scopes ${allowed}`])].join('\t');
  });
  return rows.length === 0 ? `${file} accepts no token` : rows.join('\n');
}

/** Replaces the file by a rename; the new file beside it is also a lock against concurrent edits. */
function edit(file: string, change: (text: string) => string): void {
  // The target of a link, which is not replaced itself.
  const target = lstatSync(file, { throwIfNoEntry: false }) ? realpathSync(file) : file;
  const draft = `${target}.new`;
  try {
    writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const advice = existsSync(draft) ? `somebody else edits it; if nobody does, remove ${draft}` : messageOf(cause);
    throw new Error(`${file} cannot be edited: ${advice}`, { cause });
  }
  try {
    const text = existsSync(target) ? textOf(target) : '';
    parseTokens(text, file);
    if (existsSync(target)) copyAccess(target, draft);
    writeFileSync(draft, change(text), { flush: true });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    // A failed write names no file: `ENOSPC: no space left on device, write`.
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new Error(`${file} was not changed: ${error.message}`, { cause: error });
  }
  syncFolder(dirname(target));
}

/** Makes a rename in a folder durable: a token that was revoked would be accepted again after a loss of power. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // which cannot sync a folder
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function textOf(file: string): string {
  try {
    const bytes = readRegularFile(file);
    if (!isUtf8(bytes)) throw new Error('bytes that are no UTF-8, which an edit would not keep');
    return bytes.toString();
  } catch (cause) {
    throw new Error(`expected a tokens file that can be read, got ${messageOf(cause)}`, { cause });
  }
}
