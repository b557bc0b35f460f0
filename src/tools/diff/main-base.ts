/** The default base of a comparison: the contract of the commit where a change has left its base branch. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { BUNDLE, ContractProblems, lookUp } from '../../engine/reading';
import { run } from '../project/run-command';
import { type Base, revisionBase } from './base';

/** The result if there is nothing to compare with. */
export interface NoBase {
  /** The reason, and the command to type. */
  why: string;
  /** True if this is the first commit with a contract, which only a complete history shows. */
  isFirst: boolean;
}

/** The folder of the contract, from this one. */
const HERE = './';

/** The variables with the target of a merge request: of GitHub, GitLab, Azure, Bitbucket and Jenkins; and the default branch of GitLab. */
const TARGETS = [
  'GITHUB_BASE_REF',
  'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  'SYSTEM_PULLREQUEST_TARGETBRANCH',
  'BITBUCKET_PR_DESTINATION_BRANCH',
  'CHANGE_TARGET',
  'CI_DEFAULT_BRANCH',
];

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
 * On a branch: the contract of the commit where it has left its base branch, which a variable names. On the base
 * branch itself, an earlier commit of it, or what a queue makes of it: that before the push, the first contract of its version, and the first and the last one of
 * the version before.
 */
export async function mainBases(env: NodeJS.ProcessEnv = process.env): Promise<readonly Base[] | NoBase> {
  const { ok, stdout, output } = await run(['git', 'rev-parse', '--is-shallow-repository']);
  if (!ok) return { why: `${NOTHING} ${output}`, isFirst: false };
  const isShallow = stdout.trim() === 'true';
  const event = eventIn(env.GITHUB_EVENT_PATH);
  const target = [...TARGETS.map((name) => env[name]), event.target].find(Boolean)?.replace(/^refs\/heads\//, '');
  const branch = await baseBranch(target);
  const missing = (what: string, name = target): NoBase => ({
    why: `${NOTHING} ${what}. Fetch it: ${fetchLine(name, isShallow)}`,
    isFirst: false,
  });
  const unread: string[] = [];
  if (!branch) {
    const isFirst = !target && !isShallow && (await basesInHistory(unread)).length === 0 && unread.length === 0;
    return isFirst ? FIRST : missing(`there is no branch ${target || 'main or master'} here`);
  }
  const isTooShort = missing(
    `the history here is too short to know what was on ${branch.name} before`,
    branch.name.replace(/^origin\//, ''),
  );
  const notFirst = (why: string): NoBase => ({ why: `${NOTHING} ${why}`, isFirst: false });
  const none = async (before: string, after?: string): Promise<NoBase> => {
    const [why = await removedBy(before, after)] = unread;
    if (why !== undefined) return notFirst(why);
    return isShallow ? isTooShort : FIRST;
  };
  // Several where each side has merged the other.
  const [left, ...alsoLeft] = (await textOf('git', 'merge-base', '--all', 'HEAD', branch.ref))?.split('\n') ?? [];
  if (left === undefined) return isTooShort;
  const isCommitted = (await run(['git', 'diff', '--quiet', left, ...filesIn(HERE)])).ok;
  const isOnBranch = !isCommitted || left !== (await textOf('git', 'rev-parse', 'HEAD'));
  // What a merge queue of GitHub or a merge train of GitLab tries is what the base branch will be, with what is ahead of it there.
  if (isOnBranch && !event.isQueued && env.CI_MERGE_REQUEST_EVENT_TYPE !== 'merge_train') {
    const isTip = left === (await textOf('git', 'rev-parse', branch.ref));
    const place = isTip ? branch.name : `${left.slice(0, 7)}, where this has left ${branch.name},`;
    const base = await lastBase(unread, left);
    if (!base) return none(left);
    // The pipeline of a fork has its own branches, which may be old.
    const others = await knownBases(unread, [...alsoLeft, env.CI_MERGE_REQUEST_DIFF_BASE_SHA]);
    return [{ ...base, name: place }, ...others];
  }
  // Of several commits that are pushed at once, CI runs for the last alone.
  const beforePush = env.CI_COMMIT_BEFORE_SHA ?? event.before ?? '';
  const pushed = await knownBases(unread, [beforePush]);
  const why = pushed.length === 0 && COMMIT.test(beforePush) ? await removedBy(beforePush, 'HEAD') : undefined;
  if (why !== undefined) return notFirst(why);
  const bases = [...pushed, ...(await basesInHistory(unread, isShallow))];
  if (bases.length > 0) return bases.map((base) => ({ ...base, name: `${base.name} on ${branch.name}` }));
  const first = (await textOf('git', 'log', '--first-parent', '--format=%h', ...filesIn(HERE)))?.split('\n').at(-1);
  return none(`${first}^`, first);
}

/** The base branch: the one that a variable names, or else the default branch of origin, main or master. */
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
 * The contract that was the first to have its version, unless it is that of HEAD itself, and the first and the last one of the version
 * before: a change that came without its version is still one after the next commit, and after the next version. None if HEAD has the first
 * contract of all, or the history ends before.
 */
async function basesInHistory(unread: string[], isShallow = false): Promise<Base[]> {
  const head = await textOf('git', 'rev-parse', '--short', 'HEAD');
  if (head === undefined) return [];
  const versions: { first: Base; last: Base }[] = [];
  let isComplete = !isShallow;
  for await (const base of contractsUpTo(unread, 'HEAD')) {
    const version = versions.at(-1);
    if (version && versionOf(base) === versionOf(version.last)) version.first = base;
    else if (versions.length < 2) versions.push({ first: base, last: base });
    else {
      isComplete = true;
      break;
    }
  }
  const [own, before] = versions;
  if (!own || !isComplete) return [];
  const bases = [own.first, before?.first, before?.last].filter((base) => base !== undefined);
  const earlier = [...new Set(bases)].filter(({ name }) => name !== head);
  const [first = head] = (before ?? own).first.name.split(':');
  return [...(await mergedBases(unread, first)), ...earlier];
}

/** A commit as CI names it, where there is one. */
const COMMIT = /^(?!0+$)[\da-f]{40,64}$/;

/** The contracts of commits, of those that are here: a push that was forced may have removed one that CI names. */
async function knownBases(unread: string[], commits: readonly (string | undefined)[]): Promise<Base[]> {
  const bases: Base[] = [];
  for (const commit of commits) {
    if (commit === undefined || !COMMIT.test(commit)) continue;
    const isThere = (await textOf('git', 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`)) !== undefined;
    const base = isThere ? await lastBase(unread, commit, 'HEAD') : undefined;
    if (base) bases.push(base);
  }
  return bases;
}

/** What the file says in which GitHub describes an event: the commit before a push, whether it is of a merge queue, and the branch that this merges into, or else the default one. */
function eventIn(file: string | undefined): {
  before: string | undefined;
  isQueued: boolean;
  target: string | undefined;
} {
  const event: unknown = file === undefined || !existsSync(file) ? undefined : JSON.parse(readFileSync(file, 'utf8'));
  const textAt = (...path: string[]): string | undefined => {
    const text = lookUp(event, path);
    return typeof text === 'string' ? text : undefined;
  };
  const queue = textAt('merge_group', 'base_ref');
  return {
    before: textAt('before'),
    isQueued: queue !== undefined,
    target: queue ?? textAt('repository', 'default_branch'),
  };
}

/** The contracts that merges have brought to the main branch, the first one included: by `git pull`, that is what it had before. */
async function mergedBases(unread: string[], first: string): Promise<Base[]> {
  const log = ['git', 'log', '--first-parent', '--min-parents=2', '--format=%p', 'HEAD', '--not', `${first}^@`];
  const merges = (await textOf(...log))?.split('\n').filter(Boolean) ?? [];
  const bases = new Map<string, Base>();
  for (const parents of merges) {
    const [own = '', ...merged] = parents.split(' ');
    for (const parent of merged) {
      if (!(await textOf('git', 'log', '-1', '--format=%h', parent, `^${own}`, ...filesIn(HERE), CONTRACTS))) continue;
      const base = await lastBase(unread, parent, 'HEAD');
      if (base) bases.set(base.name, { ...base, isMerged: true });
    }
  }
  return [...bases.values()];
}

function versionOf({ contract }: Base): string {
  return contract.document.info.version;
}

/**
 * The last contract up to a revision, of the project as another has it, or the files here; undefined if the revision has one that cannot be
 * read: an earlier one lacks what has come since.
 */
async function lastBase(unread: string[], revision: string, after?: string): Promise<Base | undefined> {
  const folder = await folderBefore(unread, revision, after);
  const commit = await textOf('git', 'rev-parse', '--short', revision);
  const known = unread.length;
  const own = commit === undefined ? undefined : await readableBase(unread, commit, folder);
  if (own ?? unread.length > known) return own;
  for await (const base of contractsUpTo(unread, revision, folder)) return base;
  return undefined;
}

/** The contracts in the history of a revision, latest first, named by their commits, also where their folder was another; notes why others cannot be read. */
async function* contractsUpTo(unread: string[], revision: string, folder = HERE): AsyncGenerator<Base> {
  // A merge counts as one change.
  const log = await run(['git', 'log', '--first-parent', '--format=%h', revision, ...filesIn(folder)]);
  if (!log.ok) unread.push(unreadable(revision, log.output));
  const commits = log.stdout.split('\n').filter(Boolean);
  for (const commit of commits) {
    const base = await readableBase(unread, commit, folder);
    if (base) yield base;
  }
  const first = commits.at(-1);
  if (first === undefined) return;
  const before = await folderBefore(unread, `${first}^`, first, folder);
  if (before !== folder) yield* contractsUpTo(unread, `${first}^`, before);
}

/** The contract of a commit; undefined if it has none there, or one that cannot be read. */
async function readableBase(unread: string[], commit: string, folder: string): Promise<Base | undefined> {
  try {
    return await revisionBase(commit, folder === HERE ? commit : `${commit}:${join(folder, 'openapi.yaml')}`, folder);
  } catch (error) {
    if (!(error instanceof ContractProblems)) throw error;
    unread.push(unreadable(commit, error.problems.join('\n')));
    return undefined;
  }
}

function unreadable(revision: string, why: string): string {
  return `the contract of ${revision} cannot be read: ${why}`;
}

/** The folder from which a contract has come between a commit and another, or the files here; its own if it was not moved. */
async function folderBefore(unread: string[], before: string, after?: string, folder = HERE): Promise<string> {
  const prefix = (await textOf('git', 'rev-parse', '--show-prefix')) ?? '';
  // A contract that was changed much while it was moved is the same contract.
  const options = ['-z', '--name-status', '--no-relative', '--diff-filter=R', '-M10%'];
  const moved = await run(['git', 'diff', ...options, before, ...(after ? [after] : []), '--', CONTRACTS]);
  // Nothing is before the first commit.
  if (!moved.ok && (await textOf('git', 'rev-parse', '--verify', '--quiet', before)))
    unread.push(unreadable(before, moved.output));
  // Status, earlier name and name, one after the other.
  const words = moved.stdout.split('\0');
  const sources = new Map(words.flatMap((from, at) => (at % 3 === 1 ? [[words[at + 1], from]] : [])));
  const sourceOf = (name: string): string | undefined => sources.get(join(prefix, folder, name));
  const isThere = async (): Promise<boolean> =>
    (await run(['git', 'cat-file', '-e', `${before}:${folder}openapi.yaml`])).ok;
  // A contract that was split while it was moved is more like its bundle.
  const from = sourceOf('openapi.yaml') ?? ((await isThere()) ? undefined : sourceOf(BUNDLE));
  if (from === undefined) return folder;
  const folderOfBundle = join('/', from).endsWith(`/${BUNDLE}`) ? dirname(dirname(from)) : undefined;
  return `./${relative(prefix, folderOfBundle ?? dirname(from))}/`;
}

/** The reason why a contract may not be the first: one was removed by the same change, and may be it, too different for git to tell. */
async function removedBy(before: string, after?: string): Promise<string | undefined> {
  const namesOf = async (likeness: string, ...files: string[]): Promise<string[]> => {
    const options = ['--name-only', '--diff-filter=D', `-M${likeness}`];
    const removed = await textOf('git', 'diff', ...options, before, ...(after ? [after] : []), '--', ...files);
    return removed?.split('\n').filter(Boolean) ?? [];
  };
  const contracts = await namesOf('10%', CONTRACTS);
  // One of another name is not looked for by other commands: what it says must have come unchanged.
  const others = await namesOf('100%', CONTRACTS, ...OTHER_NAMES);
  const isOther = (each: string): boolean => basename(each) !== 'openapi.yaml';
  const [name] = [...contracts.filter((each) => !join('/', each).endsWith(`/${BUNDLE}`)), ...others.filter(isOther)];
  if (name === undefined) return undefined;
  return `${name} was removed, and may be the contract that has come. Move it without changing it first; remove another one in a change of its own`;
}

/** Every openapi.yaml, for git, and so every bundle. */
const CONTRACTS = ':(top,glob)**/openapi.yaml';

/** Names of contracts elsewhere, for git. */
const OTHER_NAMES = ['openapi.yml', 'openapi.json', 'swagger.yaml', 'swagger.yml', 'swagger.json'].map(
  (name) => `:(top,glob)**/${name}`,
);

/** A contract and its bundle, for git; also what a symbolic link here leads to. */
function filesIn(folder: string): string[] {
  const linked = existsSync('openapi.yaml') ? [`./${relative(realpathSync('.'), realpathSync('openapi.yaml'))}`] : [];
  return ['--', `${folder}openapi.yaml`, folder + BUNDLE, ...linked];
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
