/** The contract to compare with: a file, or that of a git revision. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE } from '../../src/engine/contract/bundle';
import { run } from '../run-command';

/** Its files, of which there is the second where it is one of several. */
const CONTRACT = ['openapi.yaml', BUNDLE];

export interface Base {
  /** Its name in messages. */
  name: string;
  /** The name of its file in messages. */
  place: string;
  file: string;
  /** Removes the file if it is a temporary one. */
  discard(): void;
}

/** Rejects where the name is neither a file nor a revision with a contract. */
export async function namedBase(name: string): Promise<Base> {
  if (statSync(name, { throwIfNoEntry: false })?.isFile())
    return { name, place: name, file: name, discard: () => undefined };
  const base = await revision(name);
  if (base) return base;
  throw new Error(`expected a file, or a git revision that has an openapi.yaml, got ${JSON.stringify(name)}`);
}

/**
 * The main branch or, on that branch itself, what it had before the contract's last change; undefined where there is none, or
 * it had no contract.
 */
export async function mainBase(): Promise<Base | undefined> {
  for (const main of ['origin/main', 'main']) {
    const isThere = (await run(['git', 'rev-parse', '--verify', '--quiet', main])).ok;
    if (isThere) return revision((await isBehind(main)) ? await beforeLastChange() : main);
  }
  return undefined;
}

/** Whether all that is committed is on the main branch, and the contract is as it was committed. */
async function isBehind(main: string): Promise<boolean> {
  const isCommitted = (await run(['git', 'diff', '--quiet', 'HEAD', '--', ...CONTRACT])).ok;
  return isCommitted && (await run(['git', 'merge-base', '--is-ancestor', 'HEAD', main])).ok;
}

/** A merge counts as one change. */
async function beforeLastChange(): Promise<string> {
  const { stdout } = await run(['git', 'log', '-1', '--first-parent', '--format=%h', '--', ...CONTRACT]);
  return `${stdout.trim()}^`;
}

async function revision(name: string): Promise<Base | undefined> {
  if (name.startsWith('-')) return undefined;
  const { ok, stdout } = await run(['git', 'show', `${name}:./openapi.yaml`]);
  if (!ok) return undefined;
  // There where it is a contract of several files.
  const bundle = await run(['git', 'show', `${name}:./${BUNDLE}`]);
  const [place, text] = bundle.ok ? [BUNDLE, bundle.stdout] : ['openapi.yaml', stdout];
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, text);
  return { name, place: `${name}:${place}`, file, discard: () => rmSync(folder, { recursive: true }) };
}
