/**
 * The files of CI: their steps, as a runner would run them for a change of the contract that breaks clients. In a fresh clone, at a commit
 * without a branch, as a user with no rights and with a home that cannot be written.
 */
import { chmodSync, chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { discardAll, emptyFolder, fixtures, makePackages, npx, succeed } from './npx';
import { type Ended, type Project, project as ours } from './project-copy';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const [origin, garden] = [emptyFolder(), emptyFolder()];
/** The packages that the first runner has installed. */
let installed = '';

beforeAll(async () => {
  await makePackages();
  await succeed(npx(emptyFolder(), 'new', garden.folder, join(fixtures, 'garden.yaml'), '--ci', 'github'));
  garden.write('.gitlab-ci.yml', readFileSync(join(ours, 'scripts/ci/gitlab.yml'), 'utf8'));
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git('commit', '--quiet', '--message=first');
  await git('checkout', '--quiet', '-b', 'change');
  const contract = garden.read('openapi.yaml');
  garden.write('openapi.yaml', contract.replace('maximum: 100', 'maximum: 50'));
  await succeed(npx(garden, 'generate'));
  await git('commit', '--quiet', '--all', '--message=break');
  await git('init', '--quiet', '--bare', join(origin.folder, 'origin.git'));
  await git(
    'push',
    '--quiet',
    join(origin.folder, 'origin.git'),
    'main',
    'change',
    'change:refs/merge-requests/1/head',
  );
  if (isRoot) await succeed(garden.run(['chown', '-R', `${NOBODY}:${NOBODY}`, origin.folder]));
});
afterAll(discardAll);

async function git(...args: string[]): Promise<void> {
  await succeed(garden.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args]));
}

/** A runner: its work folder, its home that nobody can write, and a program `gh` that keeps what it is told. */
function runner(): { work: Project; step: (lines: string, env: NodeJS.ProcessEnv) => Promise<Ended> } {
  const [work, home] = [emptyFolder(), emptyFolder()];
  home.write('gh', '#!/bin/sh\nwhile [ "$1" != --body-file ]; do shift; done; cat "$2" > "$SAID"\n');
  chmodSync(join(home.folder, 'gh'), 0o755);
  if (isRoot) chownSync(work.folder, NOBODY, NOBODY);
  chmodSync(home.folder, 0o555);
  const user = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const own = { HOME: home.folder, PATH: `${home.folder}:${process.env.PATH}`, CI: 'true' };
  return {
    work,
    step: (lines, env) => work.run([...user, 'bash', '-eo', 'pipefail', '-c', lines], { ...own, ...env }),
  };
}

const broken = expect.stringMatching(
  /Breaks clients[^]*the earlier contract takes this request[^]*limit: \d+/,
) as unknown;
const verdict = 'call for 2.0.0, and openapi.yaml says 1.0.0';

it('those of GitHub Actions report a break at its line, as JUnit and as a comment', async () => {
  const { work, step } = runner();
  const env = {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_BASE_REF: 'main', npm_config_cache: join(work.folder, '.npm') },
    ...{ GITHUB_STEP_SUMMARY: join(work.folder, 'summary.md'), SAID: join(work.folder, 'comment.md') },
  };
  // As actions/checkout does with fetch-depth: 0.
  const fetch = `git init --quiet . && git remote add origin '${origin.folder}/origin.git' && git fetch --quiet origin '+refs/heads/*:refs/remotes/origin/*'`;
  await succeed(step(`${fetch} && git checkout --quiet --detach origin/change`, env));
  installed = join(work.folder, 'node_modules');
  const { jobs } = parse(work.read('.github/workflows/check.yml')) as { jobs: { check: { steps: Step[] } } };
  const codes: Record<string, number | null> = {};
  let output = '';
  for (const { run, if: when = '' } of jobs.check.steps) {
    const hasFailed = Object.values(codes).some((code) => code !== 0);
    if (run === undefined || (hasFailed && !when.startsWith('always()'))) continue;
    const ended = await step(run.replaceAll(/\$\{\{ [\w.]+ \}\}/g, '1'), env);
    codes[run.split('\n')[0] ?? ''] = ended.code;
    output += ended.output;
  }
  expect(Object.values(codes)).toEqual([0, 0, 1, 0, 0]);
  expect(output).toMatch(/^failed: diff \(/m);
  expect(output).toMatch(new RegExp(`^::error file=openapi\\.yaml,line=\\d+,col=\\d+,title=diff::.*${verdict}`, 'm'));
  expect(work.read('report/check.xml')).toContain('failures="1"');
  expect([work.read('summary.md'), work.read('comment.md')]).toEqual([broken, broken]);
});

interface Step {
  run?: string;
  if?: string;
}

it('those of GitLab fetch the base branch, and keep the report', async () => {
  const { work, step } = runner();
  // As a runner does for a merge request with GIT_DEPTH: 0.
  const fetch = `git init --quiet . && git remote add origin '${origin.folder}/origin.git' && git fetch --quiet origin refs/merge-requests/1/head`;
  const env = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main', npm_config_cache: join(work.folder, '.npm') };
  await succeed(step(`${fetch} && git checkout --quiet --detach FETCH_HEAD`, env));
  const { check } = parse(work.read('.gitlab-ci.yml')) as { check: Record<string, string[]> };
  const lines = [...(check.before_script ?? []), ...(check.script ?? [])].join('\n');
  // Packages may be mounted for reading alone; those of the other runner are, where it has come first.
  const install = existsSync(installed) ? `cp -al ${installed} .` : 'npm ci';
  const { code, output } = await step(lines.replace('npm ci\n', `${install}\nchmod -R a-w node_modules\n`), env);
  expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`${verdict}[^]*failed: diff \\(`))]);
  expect((await step((check.after_script ?? []).join('\n'), env)).code).toBe(1);
  expect(work.read('report/check.xml')).toContain('failures="1"');
  expect(work.read('report/contract.md')).toEqual(broken);
});
