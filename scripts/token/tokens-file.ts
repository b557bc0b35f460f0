/** Edits a tokens file: its other lines and comments stay, and whoever reads it sees it before or after, never in between. */
import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { messageOf } from '../../src/engine/http/api-error';
import { parseTokens } from '../../src/engine/auth/tokens';

/** Adds a line; makes the file, readable by its owner alone, where there is none. */
export function addLine(file: string, line: string): void {
  edit(file, (text) => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
}

/** Removes every line of the name; returns how many, and throws where there is none. */
export function revokeTokens(file: string, name: string): number {
  let count = 0;
  textOf(file); // which throws where there is none
  edit(file, (text) => {
    const lines = text.split('\n');
    const kept = lines.filter((line) => line.trim().split(/\s/)[0] !== name);
    count = lines.length - kept.length;
    if (count === 0) throw new Error(`${file} has no token of ${name} (npm run token -- --list ${file} lists them)`);
    return kept.join('\n');
  });
  return count;
}

/** A line for each token: whose it is, until when, and the beginning of its digest, which tells it from others. */
export function listTokens(file: string, now: number): string {
  const rows = parseTokens(textOf(file), file).map(({ name, digest, expires, scopes }) => [
    name,
    endOf(expires, now),
    digest.toString('hex').slice(0, 8),
    ...(scopes ? [`scopes ${scopes === 'every' ? '*' : scopes.join(',')}`] : []),
  ]);
  if (rows.length === 0) return `${file} accepts no token`;
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(width(column)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function endOf(expires: number, now: number): string {
  if (expires === Infinity) return 'does not expire';
  return `${expires <= now ? 'expired' : 'expires'} ${new Date(expires).toISOString()}`;
}

/** Replaces the file by a rename; the new file beside it also keeps two edits from happening at once. */
function edit(file: string, change: (text: string) => string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const draft = `${target}.new`;
  try {
    writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const isTaken = existsSync(draft);
    const advice = isTaken ? `somebody else edits it; if nobody does, remove ${draft}` : messageOf(cause);
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
    throw error;
  }
}

/** Owner and mode: the service may run as another user than the one who edits. */
function copyAccess(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  chmodSync(to, mode);
  if (process.getuid?.() === 0) chownSync(to, uid, gid);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`expected a tokens file that can be read, got ${messageOf(cause)}`, { cause });
  }
}
