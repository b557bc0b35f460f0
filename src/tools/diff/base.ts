/** The contract to compare with: a file, or that of a git revision. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLE, type Contract, ContractProblems } from '../../engine/reading';
import { readContract } from '../project/read-contract';
import { run } from '../project/run-command';

export interface Base {
  /** Its name in messages. */
  name: string;
  contract: Contract;
  /** True for a side of a merge, to which the other side adds what it lacks. */
  isMerged?: boolean;
}

/** The contract of a file or a git revision; rejects if the name is neither. */
export async function namedBase(name: string): Promise<Base> {
  if (statSync(name, { throwIfNoEntry: false })?.isFile()) {
    const contract = readContract(name);
    return { name, contract: { ...contract, place: (path) => join(dirname(name), contract.place(path)) } };
  }
  // `git show :./openapi.yaml` is the index: what an empty variable of CI would compare with, and find unchanged.
  const isRevision = name !== '' && !name.startsWith('-');
  const base = isRevision ? await revisionBase(name) : undefined;
  if (base) return base;
  throw new Error(`expected a file, or a git revision that has an openapi.yaml, got ${JSON.stringify(name)}`);
}

/** The contract of a revision in a folder, read from its bundle if it has several files; undefined if there is none. Throws ContractProblems if it cannot be read. */
export async function revisionBase(revision: string, name = revision, folder = './'): Promise<Base | undefined> {
  for (const file of [BUNDLE, 'openapi.yaml']) {
    const path = `${revision}:${folder}${file}`;
    const { ok, stdout, output } = await run(['git', 'show', path]);
    // A partial clone asks its origin for what a file has.
    const isThere = ok || (await run(['git', 'rev-parse', '--verify', '--quiet', path])).ok;
    if (!isThere) continue;
    if (!ok) throw new ContractProblems([output]);
    const temporary = mkdtempSync(join(tmpdir(), 'contract-'));
    try {
      const copy = join(temporary, 'openapi.yaml');
      writeFileSync(copy, stdout);
      const contract = readContract(copy);
      const place: Contract['place'] = (path) => `${revision}:${join(folder, dirname(file), contract.place(path))}`;
      return { name, contract: { ...contract, place } };
    } finally {
      rmSync(temporary, { recursive: true });
    }
  }
  return undefined;
}
