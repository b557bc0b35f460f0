/** `npm run contract:diff`: what breaks, what is new, what version number that calls for, and what it is compared with. */
import { namedBase } from '../../scripts/contract-diff/base';
import { verdict } from '../../scripts/contract-diff/verdict';
import { bumped, type Impact, isAtLeast } from '../../scripts/contract-diff/version';
import { type Ended, ProjectCopy } from './project-copy';

jest.setTimeout(120_000);

const TAKEN = "        '409':\n          $ref: '#/components/responses/Conflict'\n";
const TAG = '        tag:\n          type: string\n';

describe('the command', () => {
  const copy = new ProjectCopy();
  const diff = (...args: string[]): Promise<Ended> => copy.run(['tsx', 'scripts/contract-diff.ts', ...args]);
  const git = (...args: string[]): Promise<Ended> =>
    copy.run(['git', '-c', 'user.name=x', '-c', 'user.email=x@localhost', '-c', 'commit.gpgsign=false', ...args]);
  afterAll(() => copy.discard());

  it('says so where there is no main branch to compare with', async () => {
    expect(await diff('--main')).toEqual({
      code: 0,
      output: 'nothing to compare with: there is no main branch here with an openapi.yaml\n',
    });
  });

  it('lists what breaks and what is new, and fails where the version number does not say so', async () => {
    copy.setVersion('1.0.0');
    await git('init', '--quiet', '--initial-branch=main');
    await git('add', 'openapi.yaml');
    await git('commit', '--quiet', '--no-verify', '--message=before');
    copy.replace('openapi.yaml', TAKEN, '');
    copy.replace('openapi.yaml', TAG, `        colour:\n          type: string\n${TAG}`);
    copy.replace('openapi.yaml', '      tags: [plants]\n', '      tags: [plants]\n      security: []\n');
    const { code, output } = await diff('HEAD');
    const place = String.raw`openapi\.yaml:\d+:\d+`;
    for (const line of [
      `Breaks clients:\n`,
      `  POST /plants responses/409: Response \`409\` was removed\\.\n {4}HEAD:${place}\n`,
      `  POST /plants: is open to everyone, and was not\n {4}${place}\n`,
      `Is new:\n`,
      `  POST /plants requestBody.*/properties/colour: added\n {4}${place}\n`,
      `${place} the changes since HEAD \\(1\\.0\\.0\\) call for 2\\.0\\.0, and openapi\\.yaml says 1\\.0\\.0\\.`,
    ]) {
      expect(output).toMatch(new RegExp(`^${line}`, 'm'));
    }
    expect(code).toBe(1);
  });

  it('lets a break pass that is said by the version number', async () => {
    copy.setVersion('2.0.0');
    const { code, output } = await diff('--main');
    expect(output).toContain('the changes since main (1.0.0) call for 2.0.0, and openapi.yaml says 2.0.0');
    expect(code).toBe(0);
  });
});

it('is compared with a file, or with a revision that has a contract', async () => {
  await expect(namedBase('package.json')).resolves.toMatchObject({ file: 'package.json' });
  for (const name of ['nowhere', '--all', 'test']) {
    await expect(namedBase(name)).rejects.toThrow(
      `expected a file, or a git revision that has an openapi.yaml, got "${name}"`,
    );
  }
});

describe('the version number', () => {
  const changes = (...impacts: Impact[]) => impacts.map((impact) => ({ impact, text: '', place: '' }));
  it.each([
    [changes(), '1.0.0', true, 'nothing has changed since main (1.0.0)'],
    [changes('patch'), '1.0.0', true, 'call for 1.0.1, and openapi.yaml says 1.0.0'],
    [changes('patch', 'minor'), '1.0.0', true, 'call for 1.1.0, and openapi.yaml says 1.0.0'],
    [changes('minor', 'major'), '1.9.0', false, 'call for 2.0.0, and openapi.yaml says 1.9.0'],
    [changes('major'), '2.0.0', true, 'call for 2.0.0, and openapi.yaml says 2.0.0'],
    [changes('patch'), '0.9.0', false, 'call for 1.0.1, and openapi.yaml says 0.9.0'],
  ])('%# is fit for the changes, or not', (all, now, isFit, text) => {
    expect(verdict(all, { base: 'main', before: '1.0.0', now })).toEqual({
      isFit,
      text: expect.stringContaining(text) as string,
    });
  });

  it('counts up by the impact of a change', () => {
    expect((['major', 'minor', 'patch'] as const).map((impact) => bumped('1.2.3', impact))).toEqual([
      '2.0.0',
      '1.3.0',
      '1.2.4',
    ]);
  });

  it('is compared number by number', () => {
    expect(isAtLeast('1.10.0', '1.9.1')).toBe(true);
    expect(isAtLeast('1.0.9', '1.1.0')).toBe(false);
    expect(() => isAtLeast('1.0', '1.0.0')).toThrow(
      'expected info.version to be three numbers such as 1.0.0, got "1.0"',
    );
  });
});
