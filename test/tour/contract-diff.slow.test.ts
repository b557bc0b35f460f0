/** `npm run contract:diff`: the changes it lists, the version number that they call for, and what it compares with. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, type YAMLMap } from 'yaml';
import type { Contract } from '../../src/engine/reading';
import { namedBase } from '../../src/tools/diff/base';
import { changesBetween } from '../../src/tools/diff/changes';
import { type Impact, verdictOn } from '../../src/tools/diff/verdict';
import { readContract } from '../../src/tools/project/read-contract';
import { contractOf } from '../support/contracts';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, ProjectCopy } from './project-copy';

/** The command, compiled: it is run often. */
const DIFF = ['node', join(process.env.PROGRAM ?? '', '../tools/cli.js'), 'diff'];
const CODES = ['components', 'schemas', 'ErrorCode'];
const CREATE = ['paths', '/plants', 'post'];

describe('the command', () => {
  const copy = new ProjectCopy();
  const diff = (...args: string[]): Promise<Ended> => copy.run([...DIFF, ...args]);
  const commit = (): Promise<void> => copy.commit('openapi.yaml');
  const addProperty = (name: string): void =>
    copy.editContract((contract) => {
      contract.setIn(['components', 'schemas', 'Plant', 'properties', name], contract.createNode({ type: 'string' }));
    });
  afterAll(() => copy.discard());

  it('lists what breaks and what is new, and fails where the version number does not say so, whatever the rules of lint', async () => {
    copy.write('redocly.yaml', 'extends: [minimal]\n');
    copy.setVersion('1.0.0');
    await commit();
    copy.editContract((contract) => {
      contract.deleteIn([...CREATE, 'responses', '409']);
      contract.setIn([...CREATE, 'security'], contract.createNode([]));
    });
    addProperty('colour');
    const { code, output } = await diff('HEAD');
    const place = String.raw`openapi\.yaml:\d+:\d+`;
    for (const line of [
      `Breaks clients:\n`,
      `  POST /plants responses/409: Response \`409\` was removed\\.\n {4}HEAD:${place}\n`,
      `  POST /plants security: removed\n {4}HEAD:${place}\n`,
      `Adds:\n`,
      `  POST /plants requestBody.*/properties/colour: added\n {4}${place}\n`,
      `${place} the changes since HEAD \\(1\\.0\\.0\\) call for 2\\.0\\.0, and openapi\\.yaml says 1\\.0\\.0\\.`,
    ]) {
      expect(output).toMatch(new RegExp(`^${line}`, 'm'));
    }
    expect(code).toBe(1);
  });

  it('shows a break by what one contract takes and the other refuses, for a comment on the change and at its lines', async () => {
    copy.editContract((contract) => {
      contract.setIn(['components', 'schemas', 'Plant', 'properties', 'name', 'maxLength'], 3);
      contract.setIn(['components', 'schemas', 'Plant', 'required'], contract.createNode(['name', 'tag']));
    });
    copy.editContract((contract) => contract.deleteIn(['components', 'schemas', 'Plant', 'properties', 'colour']));
    const command = [...DIFF, 'HEAD', '--format', 'markdown', '--output', 'report/diff.md'];
    const { code, output } = await copy.run(command, { GITHUB_ACTIONS: 'true' });
    expect(code).toBe(1);
    const report = copy.read('report/diff.md');
    const takes = 'the earlier contract takes this request, the new one refuses it:\n  POST /plants';
    const bodies = report.split(takes).map((text) => /^  (\{.*)$/m.exec(text)?.[1]);
    expect(bodies).toEqual([
      undefined,
      expect.stringMatching(/^\{"name":"\w+","id":\d+\}$/), // without the tag that is required now
      expect.stringMatching(/^\{"name":"\w{4,}",.*\}$/), // a name of more than 3 letters
    ]);
    expect(output).toMatch(/^::error file=openapi\.yaml,line=\d+,col=\d+,title=version::the changes since HEAD/m);
    expect(output).toMatch(
      /^::warning file=openapi\.yaml,line=\d+,col=\d+,title=Breaks clients::POST \/plants request/m,
    );
    copy.restore('openapi.yaml');
    copy.setVersion('1.0.0');
    copy.editContract((contract) => {
      contract.deleteIn([...CREATE, 'responses', '409']);
      contract.setIn([...CREATE, 'security'], contract.createNode([]));
    });
  });

  it('lets a break pass that is said by the version number', async () => {
    copy.setVersion('2.0.0');
    const { code, output } = await diff('--main');
    expect(output).toContain('the changes since main (1.0.0) call for 2.0.0, and openapi.yaml says 2.0.0');
    expect(code).toBe(0);
  });

  it('finds on the main branch itself what was committed without its version, also after the next commit', async () => {
    await commit();
    expect(await diff('--main')).toMatchObject({ code: 0, output: expect.stringContaining('2.0.0') as unknown });
    addProperty('height');
    await commit();
    const failed = {
      code: 1,
      output: expect.stringMatching(
        /height: added[^]*the changes since \w+ on main \(2\.0\.0\) call for 2\.1\.0, and openapi\.yaml says 2\.0\.0/,
      ) as unknown,
    };
    expect(await diff('--main')).toEqual(failed);
    copy.editContract((contract) => contract.setIn(['info', 'description'], 'Plants.'));
    await commit();
    expect(await diff('--main')).toEqual(failed);
  });

  it('takes a new error code for an addition, because the list of them is open, whichever way it is written', async () => {
    copy.editContract((contract) => {
      contract.setIn(['info', 'version'], '2.1.0');
      const { oneOf } = (contract.getIn(CODES) as YAMLMap).toJS(contract) as { oneOf: { const: number }[] };
      contract.deleteIn([...CODES, 'oneOf']);
      contract.setIn([...CODES, 'enum'], contract.createNode([...oneOf.map((each) => each.const), 42201]));
    });
    const { code, output } = await diff('--main');
    expect(output).toMatch(/^Adds:\n {2}.*gained values: '42201'/m);
    expect(output).not.toContain('Breaks clients');
    expect(code).toBe(0);
  });
});

describe('a change of a keyword that redocly has no rule for', () => {
  /** The contract of a list of names by key. */
  const contract = (names: string, schema: string): Contract =>
    readContract(
      contractOf(`openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
paths:
  /names:
    post:
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: Taken. } }
components: { schemas: { Names: ${names} } }
`),
    );
  const NAMES = '{ type: array, contains: { const: a }, minContains: 1, maxContains: 9, not: { maxItems: 1 } }';
  const BODY =
    '{ properties: { not: { $ref: "#/components/schemas/Names" } }, dependentRequired: { a: [b] }, patternProperties: { ^x: {} } }';

  it.each([
    ['breaks clients: not', 'not: { maxItems: 1', 'not: { maxItems: 2', 'major'],
    ['breaks clients: minContains', 'minContains: 1', 'minContains: 2', 'major'],
    ['breaks clients: maxContains', 'maxContains: 9', 'maxContains: 8', 'major'],
    ['breaks clients: dependentRequired', '{ a: [b] }', '{ a: [b, c] }', 'major'],
    ['breaks clients: patternProperties', '{ ^x: {} }', '{ ^x: {}, ^y: { type: string } }', 'major'],
    ['is none where a property has its name', 'type: array', 'type: array, description: Names.', 'patch'],
  ])('%s', async (_what, old, renewed, impact) => {
    const changed = contract(NAMES.replace(old, renewed), BODY.replace(old, renewed));
    expect((await changesBetween(contract(NAMES, BODY), changed)).map((change) => change.impact)).toEqual([impact]);
  });
});

describe('the base', () => {
  const copy = new ProjectCopy();
  const ours = copy.read('openapi.yaml');
  const origin = temporaryFolder();
  afterAll(() => copy.discard());

  /** Runs lines of a shell in the copy, all of which have to succeed; resolves to what they print. */
  const shell = async (...lines: string[]): Promise<string> => {
    const variables = {
      origin,
      GIT_AUTHOR_NAME: 'x',
      GIT_AUTHOR_EMAIL: 'x',
      GIT_COMMITTER_NAME: 'x',
      GIT_COMMITTER_EMAIL: 'x',
    };
    const { code, output } = await copy.run(['sh', '-ec', lines.join('\n')], variables);
    if (code !== 0) throw new Error(output);
    return output.trim();
  };
  /** Makes the copy a new repository. */
  const checkOut = (...lines: string[]): Promise<string> => {
    rmSync(join(copy.folder, '.git'), { recursive: true, force: true });
    return shell('git init --quiet --initial-branch=none', 'git remote add origin "$origin"', ...lines);
  };
  const diff = (env: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Ended> =>
    copy.run([...DIFF, '--main', ...args], { CI: 'true', ...env });
  /** The line that a failure says to type. */
  const fetchLine = ({ output }: Ended): string => /Fetch it: (git fetch .*)/.exec(output)?.[1] ?? output;
  const fails = (says: string): object => ({ code: 1, output: expect.stringContaining(says) as unknown });
  const passes = (says: string): object => ({ code: 0, output: expect.stringContaining(says) as unknown });

  /** Commits the contract of a version, with more properties of a plant. */
  const commit = async (version: string, ...properties: string[]): Promise<string> => {
    copy.write('openapi.yaml', ours);
    copy.setVersion(version);
    copy.editContract((contract) => {
      for (const name of properties)
        contract.setIn(['components', 'schemas', 'Plant', 'properties', name], contract.createNode({ type: 'string' }));
    });
    return shell(
      'git add openapi.yaml',
      'git commit --quiet --allow-empty --no-gpg-sign -m change',
      'git rev-parse HEAD',
    );
  };

  /** Takes an answer away from the contract, and splits it into files. */
  const split = async (status: string): Promise<void> => {
    copy.editContract((contract) => contract.deleteIn([...CREATE, 'responses', status]));
    copy.moveSchemas('schemas.yaml');
    await copy.run(['tsx', 'src/tools/cli.ts', 'generate']);
  };
  afterEach(() => ['schemas.yaml', 'generated/openapi.yaml'].forEach((name) => copy.remove(name)));

  const merge = (commit: string): string => `git merge --quiet --no-gpg-sign --strategy=ours -m merge ${commit}`;

  /** The file in which GitHub describes an event. */
  const eventOf = (event: object): string => {
    const file = join(temporaryFolder(), 'event.json');
    writeFileSync(file, JSON.stringify(event));
    return file;
  };

  /** Adds a property, says nothing of it, and leaves the default branch at 1.0.0. */
  let change = '';
  beforeAll(async () => {
    await shell('git init --quiet --bare "$origin"', 'git -C "$origin" symbolic-ref HEAD refs/heads/trunk');
    await checkOut();
    await commit('0.9.0');
    await commit('1.0.0', 'height');
    await shell('git push --quiet origin HEAD:main HEAD:trunk');
    change = await commit('1.0.0', 'height', 'colour');
    await shell('git push --quiet origin HEAD:refs/pull/1', 'git checkout --quiet --detach HEAD^');
    await commit('1.1.0', 'height', 'depth');
    await shell('git push --quiet origin HEAD:main');
  });

  it.each([
    ['GitHub', { GITHUB_BASE_REF: 'main' }, "+refs/heads/main:refs/remotes/origin/main'"],
    ['GitLab', { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }, "+refs/heads/main:refs/remotes/origin/main'"],
    ['no variable', {}, "+refs/heads/*:refs/remotes/origin/*' && git remote set-head origin --auto"],
  ])('fails in the checkout of one commit with the line that mends it: %s', async (_what, env, line) => {
    await checkOut(`git fetch --quiet --depth=1 origin ${change}`, 'git checkout --quiet --force FETCH_HEAD');
    const failed = await diff(env);
    expect([failed.code, fetchLine(failed)]).toEqual([1, `git fetch --unshallow origin '${line}`]);
    expect(await diff({ ...env, CI: 'false' })).toEqual({ ...failed, code: 0 });
    expect(await diff(env, '--first')).toEqual(failed);
    await shell(fetchLine(failed));
    const place = 'GITHUB_BASE_REF' in env ? ', where this has left origin/main,' : '';
    expect(await diff(env)).toEqual(fails(`${place} (1.0.0) call for 1.1.0, and openapi.yaml says 1.0.0`));
  });

  it('fails on a default branch without its history, and compares there with the last version before', async () => {
    await checkOut(
      'git fetch --quiet --depth=1 origin +main:refs/remotes/origin/main',
      'git checkout --quiet -f -B main origin/main',
    );
    const failed = await diff();
    expect([failed.code, fetchLine(failed)]).toEqual([
      1,
      "git fetch --unshallow origin '+refs/heads/main:refs/remotes/origin/main'",
    ]);
    await shell(fetchLine(failed));
    expect(await diff()).toEqual(passes(' on origin/main (1.0.0) call for 1.1.0, and openapi.yaml says 1.1.0'));
  });

  it('fails where the target of a merge request is not here, whatever else is', async () => {
    await checkOut(
      'git fetch --quiet origin +main:refs/remotes/origin/main',
      'git checkout --quiet -f -B main origin/main',
    );
    for (const env of [
      { GITHUB_BASE_REF: 'release' },
      { SYSTEM_PULLREQUEST_TARGETBRANCH: 'refs/heads/release' },
      { BITBUCKET_PR_DESTINATION_BRANCH: 'release' },
      { CHANGE_TARGET: 'release' },
    ])
      expect(await diff(env)).toEqual(
        fails("no branch release here. Fetch it: git fetch origin '+refs/heads/release:refs/remotes/origin/release'"),
      );
  });

  it('is the default branch in a clone, also where HEAD is at an earlier commit, or has not touched the contract', async () => {
    await checkOut(
      "git fetch --quiet origin '+refs/heads/*:refs/remotes/origin/*'",
      'git remote set-head origin trunk',
      'git checkout --quiet -f origin/trunk',
    );
    expect(await diff()).toEqual(passes(' on origin/trunk (0.9.0) call for 0.10.0, and openapi.yaml says 1.0.0'));
    await shell('git commit --quiet --allow-empty --no-gpg-sign -m other');
    const unchanged = passes('nothing has changed since origin/trunk (1.0.0)');
    expect(await diff()).toEqual(unchanged);
    await shell('git remote set-head origin --delete');
    const ofPush = eventOf({ repository: { default_branch: 'trunk' } });
    const ofQueue = eventOf({ merge_group: { base_ref: 'refs/heads/trunk' }, repository: { default_branch: 'main' } });
    for (const env of [{ CI_DEFAULT_BRANCH: 'trunk' }, { GITHUB_EVENT_PATH: ofPush }])
      expect(await diff(env)).toEqual(unchanged);
    expect(await diff({ GITHUB_EVENT_PATH: ofQueue })).toEqual(
      passes(' on origin/trunk (0.9.0) call for 0.10.0, and openapi.yaml says 1.0.0'),
    );
  });

  it.each(['main', 'master'])('is a local branch %s where there is no origin', async (name) => {
    await checkOut(`git symbolic-ref HEAD refs/heads/${name}`);
    await commit('1.0.0');
    await shell('git checkout --quiet -b change');
    await commit('1.0.0', 'colour');
    expect(await diff()).toEqual(
      fails(`the changes since ${name} (1.0.0) call for 1.1.0, and openapi.yaml says 1.0.0`),
    );
  });

  it('is of the repository around the project, whatever git says to a hook', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0', 'height');
    await shell('git checkout --quiet -b change');
    await commit('1.0.0', 'height', 'colour');
    const ofHook = { GIT_DIR: origin, GIT_INDEX_FILE: join(origin, 'index'), GIT_PREFIX: '' };
    expect(await diff(ofHook)).toEqual(fails('the changes since main (1.0.0) call for 1.1.0'));
  });

  it('is an earlier version on the main branch, whose break is one until it is said or taken back', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0', 'height');
    const { output } = await diff({}, '--first');
    expect(output).toContain('nothing to compare with');
    await commit('1.0.0');
    expect(await diff()).toEqual(
      fails(' on main (1.0.0) call for 2.0.0, and openapi.yaml says 1.0.0. A deliberate break'),
    );
    await commit('1.0.0', 'height');
    expect(await diff()).toEqual(passes(' on main (1.0.0)'));
    await commit('1.1.0');
    const failed = fails(' on main (1.0.0) call for 2.0.0, and openapi.yaml says 1.1.0. A deliberate break');
    expect(await diff()).toEqual(failed);
    copy.editContract((contract) => contract.setIn(['info', 'description'], 'Plants.'));
    await shell('git commit --quiet --all --no-gpg-sign -m description');
    expect(await diff()).toEqual(failed);
    await commit('1.2.0', 'height');
    expect(await diff()).toEqual(passes(' on main (1.1.0) call for 1.2.0, and openapi.yaml says 1.2.0'));
  });

  it('is the first contract of the version before, too, where a break came without its version', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0', 'height');
    await commit('1.0.0');
    await commit('1.0.1');
    expect(await diff()).toEqual(fails(' on main (1.0.0) call for 2.0.0, and openapi.yaml says 1.0.1'));
  });

  it('is the contract before the push, too, of which CI sees the last commit alone', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    const before = await commit('1.0.0', 'height');
    await commit('1.1.0');
    await commit('1.2.0', 'colour');
    expect(await diff()).toEqual(passes(' on main (1.1.0) call for 1.2.0, and openapi.yaml says 1.2.0'));
    for (const env of [{ GITHUB_EVENT_PATH: eventOf({ before }) }, { CI_COMMIT_BEFORE_SHA: before }])
      expect(await diff(env)).toEqual(fails(' on main (1.0.0) call for 2.0.0, and openapi.yaml says 1.2.0'));
  });

  it('is what GitLab says a merge request begins at, too, where a fork has an old main', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0');
    await shell('git checkout --quiet --detach');
    const start = await commit('1.1.0', 'height');
    await commit('1.1.0', 'colour');
    const env = { CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' };
    expect(await diff(env)).toEqual(passes('(1.0.0) call for 1.1.0, and openapi.yaml says 1.1.0'));
    expect(await diff({ ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: start })).toEqual(
      fails('(1.1.0) call for 2.0.0, and openapi.yaml says 1.1.0'),
    );
  });

  it.each(['height', 'colour'])(
    'is of each side where a branch and main have merged each other: without %s',
    async (lost) => {
      await checkOut('git symbolic-ref HEAD refs/heads/main');
      const first = await commit('1.0.0');
      const ours = await commit('1.1.0', 'height');
      await shell(`git checkout --quiet -B change ${first}`);
      const theirs = await commit('1.1.0', 'colour');
      await shell(merge(ours), 'git checkout --quiet main', merge(theirs));
      await shell('git checkout --quiet change');
      await commit('1.2.0', ...['height', 'colour'].filter((name) => name !== lost));
      expect(await diff()).toEqual(fails('(1.1.0) call for 2.0.0, and openapi.yaml says 1.2.0'));
    },
  );

  it.each([
    ['merged', (change: string) => [merge(change), 'git checkout --quiet change -- openapi.yaml']],
    ['put on each other', (change: string) => [`git checkout --quiet ${change} -- openapi.yaml`]],
  ])('is that of a base branch with what is ahead in its merge queue, where changes are %s', async (_how, add) => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    const first = await commit('1.0.0', 'height', 'colour');
    await shell('git branch queue');
    const enqueue = async (version: string, ...properties: string[]): Promise<void> => {
      await shell(`git checkout --quiet -B change ${first}`);
      const change = await commit(version, ...properties);
      await shell('git checkout --quiet queue', ...add(change));
      await shell('git commit --quiet --no-gpg-sign -m queued');
    };
    await enqueue('2.0.0', 'height');
    await enqueue('2.0.0');
    const ofQueue = eventOf({ merge_group: { base_ref: 'refs/heads/main' } });
    for (const env of [{ GITHUB_EVENT_PATH: ofQueue }, { CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' }])
      expect(await diff(env)).toEqual(fails('(2.0.0) call for 3.0.0, and openapi.yaml says 2.0.0'));
    expect(await diff()).toEqual(passes('(1.0.0) call for 2.0.0, and openapi.yaml says 2.0.0'));
  });

  it('is what a merge has merged, too, to which it may add, and which it may not break', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    const first = await commit('1.0.0');
    const pushed = await commit('1.1.0', 'height');
    await shell(`git checkout --quiet -B main ${first}`);
    await commit('1.1.0', 'colour');
    await shell(merge(pushed));
    const failed = fails(' on main (1.1.0) call for 2.0.0, and openapi.yaml says 1.1.0');
    expect(await diff()).toEqual(failed);
    await shell('git commit --quiet --allow-empty --no-gpg-sign -m other');
    expect(await diff()).toEqual(failed);
    await shell(`git checkout --quiet -B main ${first}`);
    await commit('1.1.0', 'colour', 'height');
    await shell(merge(pushed));
    expect(await diff()).toEqual(passes(' on main (1.0.0) call for 1.1.0, and openapi.yaml says 1.1.0'));
  });

  it.each([
    ['a repository', 'true'],
    ['a folder of one', 'git config core.worktree ../.. && git config diff.relative true'],
  ])('is the contract of the folder that a project in %s was moved from, on a branch and on main', async (_in, set) => {
    await checkOut('git symbolic-ref HEAD refs/heads/main', set);
    copy.write('openapi.yaml', ours);
    copy.setVersion('1.0.0');
    await shell(
      'mkdir -p old && mv openapi.yaml old && git add old && git commit --quiet --no-gpg-sign -m first',
      'git checkout --quiet -b change && git mv old/openapi.yaml .',
    );
    copy.editContract((contract) => contract.deleteIn([...CREATE, 'responses', '409']));
    await shell('git commit --quiet --all --no-gpg-sign -m back');
    expect(await diff({}, '--first')).toEqual(fails('the changes since main (1.0.0) call for 2.0.0'));
    await shell('git branch --quiet --force main', 'git checkout --quiet main');
    expect(await diff({}, '--first')).toEqual(fails(':old/openapi.yaml on main (1.0.0) call for 2.0.0'));
  });

  it('is what a symbolic link leads to, as the start follows it', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0');
    const link =
      'mkdir -p api && mv openapi.yaml api && ln -s api/openapi.yaml openapi.yaml && git add openapi.yaml api';
    copy.setVersion('1.1.0');
    copy.editContract((contract) =>
      contract.setIn(
        ['components', 'schemas', 'Plant', 'properties', 'height'],
        contract.createNode({ type: 'string' }),
      ),
    );
    await shell(link, 'git commit --quiet --no-gpg-sign -m moved', 'git checkout --quiet -b change');
    copy.setVersion('1.1.1');
    copy.editContract((contract) => contract.deleteIn(['components', 'schemas', 'Plant', 'properties', 'height']));
    await shell('git commit --quiet --all --no-gpg-sign -m lost');
    expect(await diff()).toEqual(fails('the changes since main (1.1.0) call for 2.0.0, and openapi.yaml says 1.1.1'));
    await shell('rm -rf openapi.yaml api');
  });

  it('is the contract that a change has moved and split into files', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    copy.write('openapi.yaml', ours);
    copy.setVersion('1.0.0');
    await shell(
      'mkdir -p old && mv openapi.yaml old && git add old && git commit --quiet --no-gpg-sign -m first',
      'git checkout --quiet -b change && git mv old/openapi.yaml .',
    );
    await split('409');
    await shell('git add openapi.yaml schemas.yaml generated && git commit --quiet --all --no-gpg-sign -m split');
    expect(await diff({}, '--first')).toEqual(fails('the changes since main (1.0.0) call for 2.0.0'));
  });

  it.each([
    ['a repository', 'true'],
    ['a folder of one', 'git config core.worktree ../..'],
  ])('is read of its files where these were committed without their bundle, in %s', async (_in, set) => {
    await checkOut('git symbolic-ref HEAD refs/heads/main', set);
    await commit('1.0.0');
    for (const [version, lost] of [
      ['1.1.0', ''],
      ['1.2.0', '409'],
    ] as const) {
      copy.write('openapi.yaml', ours);
      copy.setVersion(version);
      await split(lost);
      await shell(
        'git add openapi.yaml schemas.yaml && git commit --quiet --no-gpg-sign -m split',
        'git checkout --quiet -B change',
      );
    }
    expect(await diff()).toEqual(fails('the changes since main (1.1.0) call for 2.0.0'));
  });

  it('is missed where a contract was removed that nobody can tell from the new one, on a branch and on main', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    copy.write('openapi.yaml', ours);
    await shell(
      'mkdir -p old && mv openapi.yaml old && git add old && git commit --quiet --no-gpg-sign -m first',
      'git checkout --quiet -b change && git rm --quiet --cached old/openapi.yaml',
      'rm -r old',
    );
    copy.write('openapi.yaml', parseDocument(ours).toString({ indent: 4, lineWidth: 0 }));
    await shell('git add openapi.yaml && git commit --quiet --no-gpg-sign -m moved');
    const removed = 'nothing to compare with: old/openapi.yaml was removed, and may be the contract that has come.';
    expect(await diff({}, '--first')).toEqual(fails(removed));
    await shell('git branch --quiet --force main', 'git checkout --quiet main');
    expect(await diff({}, '--first')).toEqual(fails(removed));
    const before = await shell(
      'touch another && git add another && git commit --quiet --no-gpg-sign -m another',
      'git rev-parse HEAD~2',
    );
    expect(await diff({ CI_COMMIT_BEFORE_SHA: before }, '--first')).toEqual(fails(removed));
  });

  it.each([
    ['is missed', 'is changed', '1.0.1', fails('nothing to compare with: openapi.yml was removed, and may be')],
    ['is not there yet', 'is the same', '1.0.0', passes('there is no earlier openapi.yaml')],
  ])('%s where a contract that had another name %s', async (_is, _changed, version, expected) => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    copy.write('openapi.yaml', ours);
    copy.setVersion('1.0.0');
    await shell(
      'mv openapi.yaml openapi.yml && git add openapi.yml && git commit --quiet --no-gpg-sign -m first',
      'git checkout --quiet -b change && git mv openapi.yml openapi.yaml',
    );
    copy.setVersion(version);
    await shell('git commit --quiet --all --no-gpg-sign -m renamed');
    expect(await diff({}, '--first')).toEqual(expected);
  });

  it('is the contract that was there, where it is split and another one removed', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    copy.write('openapi.yaml', ours);
    copy.setVersion('1.0.0');
    await shell(
      'mkdir -p old && sed "/^  .plants/,/^components/d" openapi.yaml > old/openapi.yaml',
      'git add openapi.yaml old && git commit --quiet --no-gpg-sign -m first && git checkout --quiet -b change',
    );
    await split('409');
    await shell(
      'git rm --quiet old/openapi.yaml && git add openapi.yaml schemas.yaml generated',
      'git commit --quiet --all --no-gpg-sign -m split',
    );
    expect(await diff()).toEqual(fails('the changes since main (1.0.0) call for 2.0.0'));
  });

  it.each([
    [
      'is a link to what it has not',
      'openapi.yaml is behind a symbolic link that leads out of its revision, or nowhere',
      ['rm openapi.yaml', 'ln -s ../api/openapi.yaml', 'git add openapi.yaml'],
    ],
    [
      'has several files, and no bundle',
      'openapi.yaml:1:1 it names other files, and there is no generated/openapi.yaml beside it',
      ["sed -i.bak 's,^paths:,paths:\\n  /more: { $ref: more.yaml },' openapi.yaml", 'git add openapi.yaml'],
    ],
    [
      'has not been fetched',
      'could not fetch',
      [
        'git add openapi.yaml && git commit --quiet --no-gpg-sign -m first',
        'rm -rf "$origin/partial" && git clone --quiet --bare --filter=blob:none "file://$PWD/.git" "$origin/partial"',
        'rm -rf .git/objects && mv "$origin/partial/objects" .git/',
        'git config remote.origin.promisor true',
        'git config remote.origin.url file:///nowhere',
      ],
    ],
  ])('fails where the contract of the base %s', async (_what, why, lines) => {
    await checkOut('git symbolic-ref HEAD refs/heads/main', 'git config uploadpack.allowFilter true');
    copy.write('openapi.yaml', ours);
    await shell(
      ...lines,
      'git diff --cached --quiet || git commit --quiet --no-gpg-sign -m first',
      'git checkout --quiet -b change',
      'rm openapi.yaml',
    );
    copy.write('openapi.yaml', ours);
    const failed = await diff({}, '--first');
    expect(failed).toEqual(fails('nothing to compare with: the contract of '));
    expect(failed.output).toContain(why);
  });

  it('is the file itself where it names no others, whatever bundle lies beside it', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    copy.write('generated/openapi.yaml', ours);
    await shell('git add generated/openapi.yaml');
    await commit('1.0.0', 'height');
    await shell('git checkout --quiet -b change', 'git rm --quiet generated/openapi.yaml');
    await commit('1.0.0');
    expect(await diff()).toEqual(fails('the changes since main (1.0.0) call for 2.0.0'));
  });

  it('may be missing for the first commit alone, if that is said, and outside of CI', async () => {
    await checkOut('git symbolic-ref HEAD refs/heads/main');
    await commit('1.0.0');
    const first =
      'nothing to compare with: there is no earlier openapi.yaml. If this is the first, say so by --first\n';
    expect(await diff()).toEqual({ code: 1, output: first });
    expect(await diff({}, '--first')).toEqual({ code: 0, output: first });
    expect(await diff({ CI: 'false' })).toEqual({ code: 0, output: first });
    expect(await diff({ CI: '', TF_BUILD: 'True' })).toEqual({ code: 1, output: first });
    const junit = ['--format', 'junit', '--output', 'report/check.xml'];
    const check = copy.run(['tsx', 'src/tools/cli.ts', 'check', '--only', 'diff', '--first', ...junit], {
      CI: 'true',
      NODE_EXTRA_CA_CERTS: '/nowhere', // of which Node warns
    });
    expect(await check).toEqual(
      passes('all steps passed; not run: contract, tests, lint, types, format, build, drift, start, diff, '),
    );
    expect(copy.read('report/check.xml')).toContain(`<skipped message="${first.trim()}"/>`);
    await shell('git commit --quiet --allow-empty --no-gpg-sign -m other');
    expect(await diff()).toEqual(passes(' on main (1.0.0)'));
    rmSync(join(copy.folder, '.git'), { recursive: true });
    expect(await diff({ GIT_CEILING_DIRECTORIES: copy.folder, LC_ALL: 'C' }, '--first')).toEqual(
      fails('not a git repository'),
    );
    await shell('rm openapi.yaml');
    expect(await diff({ CI: 'false' }, '--first')).toMatchObject({ code: 1 });
  });
});

it('compares with a file, or with a revision that has a contract', async () => {
  await expect(namedBase('openapi.yaml')).resolves.toMatchObject({ name: 'openapi.yaml' });
  await expect(namedBase(contractOf('\npaths: { /a: { $ref: b.yaml } }\n'))).rejects.toThrow(
    'openapi.yaml:1:1 it names other files, and there is no generated/openapi.yaml beside it: ',
  );
  for (const name of ['nowhere', '--all', 'test', '']) {
    await expect(namedBase(name)).rejects.toThrow(
      `expected a file, or a git revision that has an openapi.yaml, got "${name}"`,
    );
  }
});

it.each<[Impact[], before: string, now: string, ok: boolean, text: string]>([
  [[], '1.0.0', '1.0.0', true, 'nothing has changed since main (1.0.0)'],
  [['patch'], '1.0.0', '1.0.0', true, 'call for 1.0.1, and openapi.yaml says 1.0.0'],
  [['minor'], '1.0.0', '1.0.1', false, 'call for 1.1.0, and openapi.yaml says 1.0.1'],
  [['patch', 'minor'], '1.9.1', '1.10.0', true, 'call for 1.10.0, and openapi.yaml says 1.10.0'],
  [['minor', 'major'], '1.0.0', '1.9.0', false, 'call for 2.0.0, and openapi.yaml says 1.9.0'],
  [['major'], '1.2.3', '2.0.0', true, 'call for 2.0.0, and openapi.yaml says 2.0.0'],
  [['patch'], '1.0.0', '0.9.0', false, 'call for 1.0.1, and openapi.yaml says 0.9.0'],
  [[], '1.0.0', '0.9.0', false, 'call for 1.0.0, and openapi.yaml says 0.9.0'],
  [['major'], '1.2.3', '2.0.0-rc.1', true, 'call for 2.0.0, and openapi.yaml says 2.0.0-rc.1'],
  [['major'], '2.0.0-rc.9', '2.0.0-rc.10', true, 'call for 2.0.0, and openapi.yaml says 2.0.0-rc.10'],
  [['minor'], '2.0.0-rc.1', '2.0.0-rc.1', false, 'call for 2.0.0, and openapi.yaml says 2.0.0-rc.1'],
  [['major'], '1.3.0-rc.1', '1.3.0', false, 'call for 2.0.0, and openapi.yaml says 1.3.0'],
  [['minor'], '1.3.0-rc.1', '1.3.0', true, 'call for 1.3.0, and openapi.yaml says 1.3.0'],
  [[], '1.0.0', '1.0.0-rc.1', false, 'call for 1.0.0, and openapi.yaml says 1.0.0-rc.1'],
  [['minor'], '2.1.0+build5', '2.1.0+build6', false, 'call for 2.2.0, and openapi.yaml says 2.1.0+build6'],
  [[], 'v1', 'v1', true, 'nothing has changed since main (v1)'],
  [['patch'], '1.0', '1.0', true, 'call for another version, and openapi.yaml says 1.0: '],
  [['minor'], '2024-05-01', '2024-05-01', false, 'call for another version, and openapi.yaml says 2024-05-01: '],
  [['major'], '2024-05-01', '2024-06-01', true, 'call for another version, and openapi.yaml says 2024-06-01: '],
  [['major'], 'v1', '1.0.0', true, 'call for another version, and openapi.yaml says 1.0.0: '],
])('the verdict on %j from %s to %s', (impacts, before, now, ok, text) => {
  expect(verdictOn(impacts, { base: 'main', before, now })).toEqual({
    ok,
    text: expect.stringContaining(text) as string,
  });
});
