/** The default base of a comparison: the contract of the commit where a change has left its base branch. */
import { BUNDLE, ContractProblems } from '../../engine/reading';
import { run } from '../project/run-command';
import { type Base, revisionBase } from './base';

/** The result if there is nothing to compare with. */
export interface NoBase {
  /** The reason, and the command to type. */
  why: string;
  /** True if this is the first commit with a contract, which only a complete history shows. */
  isFirst: boolean;
}

const FILES = ['--', 'openapi.yaml', BUNDLE];

interface Branch {
  /** `origin/main` */
  name: string;
  /** `refs/remotes/origin/main` */
  ref: string;
}

/** The beginning of each reason. */
export const NOTHING = 'nothing to compare with:';
const FIRST: NoBase = {
  why: `${NOTHING} there is no earlier openapi.yaml. If this is the first, say so by --first`,
  isFirst: true,
};

/**
 * On a branch: the contract of the commit where it has left its base branch, which GitHub or GitLab names for a merge request. On the base
 * branch itself, or an earlier commit of it: the first contract of its version, and the last one before.
 */
export async function mainBases(env: NodeJS.ProcessEnv = process.env): Promise<readonly Base[] | NoBase> {
  const { ok, stdout, output } = await run(['git', 'rev-parse', '--is-shallow-repository']);
  if (!ok) return { why: `${NOTHING} ${output}`, isFirst: false };
  const isShallow = stdout.trim() === 'true';
  const target = env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME;
  const branch = await baseBranch(target);
  const missing = (what: string, name = target): NoBase => ({
    why: `${NOTHING} ${what}. Fetch it: ${fetchLine(name, isShallow)}`,
    isFirst: false,
  });
  if (!branch) {
    const isFirst = !target && !isShallow && (await basesInHistory()).length === 0;
    return isFirst ? FIRST : missing(`there is no branch ${target || 'main or master'} here`);
  }
  const isTooShort = missing(
    `the history here is too short to know what was on ${branch.name} before`,
    branch.name.replace(/^origin\//, ''),
  );
  const left = await textOf('git', 'merge-base', 'HEAD', branch.ref);
  if (left === undefined) return isTooShort;
  const isCommitted = (await run(['git', 'diff', '--quiet', left, ...FILES])).ok;
  if (!isCommitted || left !== (await textOf('git', 'rev-parse', 'HEAD'))) {
    const isTip = left === (await textOf('git', 'rev-parse', branch.ref));
    const place = isTip ? branch.name : `${left.slice(0, 7)}, where this has left ${branch.name},`;
    for await (const { contract } of contractsUpTo(left)) return [{ name: place, contract }];
    return isShallow ? isTooShort : FIRST;
  }
  const bases = await basesInHistory(isShallow);
  if (bases.length > 0) return bases.map(({ name, contract }) => ({ name: `${name} on ${branch.name}`, contract }));
  return isShallow ? isTooShort : FIRST;
}

/** The base branch: the target of the merge request if there is one, or else the default branch of origin, main or master. */
async function baseBranch(target: string | undefined): Promise<Branch | undefined> {
  const usual = target ? undefined : await textOf('git', 'symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
  const names = target ? [target] : ['main', 'master'];
  const refs = ['refs/remotes/origin', 'refs/heads'].flatMap((place) => names.map((name) => `${place}/${name}`));
  for (const ref of usual ? [usual, ...refs] : refs) {
    const isThere = (await textOf('git', 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`)) !== undefined;
    if (isThere) return { name: ref.replace(/^refs\/(?:remotes|heads)\//, ''), ref };
  }
  return undefined;
}

/**
 * The contract that was the first to have its version, unless it is that of HEAD itself, and the last one that had another: a change that
 * came without its version is still one after the next commit. None if HEAD has the first contract of all, or the history ends before.
 */
async function basesInHistory(isShallow = false): Promise<Base[]> {
  const head = await textOf('git', 'rev-parse', '--short', 'HEAD');
  let first: Base | undefined;
  for await (const base of contractsUpTo('HEAD')) {
    const ofFirst = first && first.name !== head ? [first] : [];
    if (first && versionOf(base) !== versionOf(first)) return [...ofFirst, base];
    first = base;
  }
  return first && first.name !== head && !isShallow ? [first] : [];
}

function versionOf({ contract }: Base): string {
  return contract.document.info.version;
}

/** The contracts in the history of a revision, latest first, named by their commits; without those that cannot be read. */
async function* contractsUpTo(revision: string): AsyncGenerator<Base> {
  // A merge counts as one change.
  const log = await textOf('git', 'log', '--first-parent', '--format=%h', revision, ...FILES);
  for (const commit of log?.split('\n').filter(Boolean) ?? []) {
    const base = await readableBase(commit);
    if (base) yield base;
  }
}

/** The contract of a commit; undefined if it has none, or one that cannot be read. */
async function readableBase(commit: string): Promise<Base | undefined> {
  try {
    return await revisionBase(commit);
  } catch (error) {
    if (error instanceof ContractProblems) return undefined;
    throw error;
  }
}

/** The command that fetches a branch with its history, or, without a name, all branches and the default one of origin. */
function fetchLine(name: string | undefined, isShallow: boolean): string {
  const fetch = `git fetch${isShallow ? ' --unshallow' : ''} origin`;
  if (name) return `${fetch} '+refs/heads/${name}:refs/remotes/origin/${name}'`;
  return `${fetch} '+refs/heads/*:refs/remotes/origin/*' && git remote set-head origin --auto`;
}

/** The output of a program; undefined if it fails. */
async function textOf(...command: string[]): Promise<string | undefined> {
  const { ok, stdout } = await run(command);
  return ok ? stdout.trim() : undefined;
}
