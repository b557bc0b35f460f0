/** The default base of a comparison: the contract of the commit where a change has left its base branch. */
import { BUNDLE } from '../../engine/reading';
import { run } from '../project/run-command';
import { type Base, revisionBase } from './base';

/** The result if there is nothing to compare with. */
export interface NoBase {
  /** The reason, and the command to type. */
  why: string;
  /** True if this is the first commit with a contract, which only a complete history shows. */
  isFirst: boolean;
}

interface Branch {
  /** `origin/main` */
  name: string;
  /** `refs/remotes/origin/main` */
  ref: string;
}

const FILES = ['--', 'openapi.yaml', BUNDLE];
/** The beginning of each reason. */
export const NOTHING = 'nothing to compare with:';
const FIRST: NoBase = {
  why: `${NOTHING} there is no earlier openapi.yaml. If this is the first, say so by --first`,
  isFirst: true,
};

/**
 * On a branch: the contract of the commit where it has left its base branch, which GitHub or GitLab names for a merge request. On the base
 * branch itself, or an earlier commit of it: the contract before its last change.
 */
export async function mainBase(env: NodeJS.ProcessEnv = process.env): Promise<Base | NoBase> {
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
    const isFirst = !target && !isShallow && (await isFirstCommit());
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
    return (await revisionBase(left, place)) ?? (isShallow ? isTooShort : FIRST);
  }
  return (await beforeLastChange(branch)) ?? (isShallow ? isTooShort : ((await firstContract()) ?? FIRST));
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

/** The contract before its last change up to HEAD; undefined if it was never changed, or the earlier commit is not available. */
async function beforeLastChange({ name }: Branch): Promise<Base | undefined> {
  // A merge counts as one change.
  const last = await textOf('git', 'log', '-1', '--first-parent', '--format=%h', 'HEAD', ...FILES);
  return revisionBase(`${last}^`, `${last}^ on ${name}`);
}

/** The first version of the contract, if an earlier commit than HEAD has added it. */
async function firstContract(): Promise<Base | undefined> {
  const first = await textOf('git', 'log', '-1', '--first-parent', '--format=%h', 'HEAD', ...FILES);
  return first && !(await isFirstCommit()) ? revisionBase(first, `${first}, its first commit`) : undefined;
}

async function isFirstCommit(): Promise<boolean> {
  const head = await textOf('git', 'rev-parse', 'HEAD');
  const commits = await textOf('git', 'rev-list', 'HEAD', ...FILES);
  return commits === '' || (commits !== undefined && commits === head);
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
