/** The contract to compare with: a file, or that of a git revision. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { BUNDLE, type Contract, ContractProblems, readDocument, watchedFiles } from '../../engine/reading';
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

/** The contract of a revision in a folder, as it was served from there; undefined if there is none. Throws ContractProblems if it cannot be read. */
export async function revisionBase(revision: string, name = revision, folder = './'): Promise<Base | undefined> {
  const temporary = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const copy = join(temporary, 'openapi.yaml');
    if (!(await copyFile(`${revision}:${folder}openapi.yaml`, copy))) return undefined;
    await copyFile(`${revision}:${folder}${BUNDLE}`, join(temporary, BUNDLE));
    const contract = await readBundleOrFiles(copy, (name) => `${revision}:${folder}${name}`);
    return { name, contract: { ...contract, place: (path) => `${revision}:${join(folder, contract.place(path))}` } };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** The contract in a folder, by its bundle or, if that is missing or out of date, by its files, which are copied there from a revision. */
async function readBundleOrFiles(contract: string, pathOf: (name: string) => string): Promise<Contract> {
  try {
    return readContract(contract);
  } catch (error) {
    if (!(error instanceof ContractProblems)) throw error;
    await copyFiles(contract, pathOf);
    try {
      return readContract(contract, readDocument);
    } catch {
      throw error;
    }
  }
}

/** Copies the files that a contract names in its folder, and those that these name once they are there. */
async function copyFiles(contract: string, pathOf: (name: string) => string): Promise<void> {
  const looked = new Set([contract]);
  const others = (): string[] => [...watchedFiles(contract)].filter((file) => !looked.has(file));
  for (let files = others(); files.length > 0; files = others()) {
    for (const file of files) {
      looked.add(file);
      const name = relative(dirname(contract), file);
      if (!name.startsWith('..')) await copyFile(pathOf(name), file);
    }
  }
}

/** Copies a file of a revision, symbolic links followed; returns false if it has none. */
async function copyFile(path: string, file: string): Promise<boolean> {
  const { stdout: followed } = await run(['git', 'cat-file', '--batch-check', '--follow-symlinks'], {}, `${path}\n`);
  const [, object = path] = /^([\da-f]+) blob /.exec(followed) ?? [];
  if (/^(?:symlink|dangling|loop|notdir) /.test(followed))
    throw new ContractProblems([`${path} is behind a symbolic link that leads out of its revision, or nowhere`]);
  const { ok, stdout, output } = await run(['git', 'show', object]);
  if (!ok) {
    // A partial clone asks its origin for what a file has.
    if ((await run(['git', 'rev-parse', '--verify', '--quiet', path])).ok) throw new ContractProblems([output]);
    return false;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stdout);
  return true;
}
