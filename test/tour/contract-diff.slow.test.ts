/** `npm run contract:diff`: the changes it lists, the version number that they call for, and what it can compare with. */
import type { YAMLMap } from 'yaml';
import { namedBase } from '../../src/tools/diff/base';
import { type Impact, verdictOn } from '../../src/tools/diff/verdict';
import { type Ended, ProjectCopy } from './project-copy';

const CODES = ['components', 'schemas', 'ErrorCode'];
const CREATE = ['paths', '/plants', 'post'];

describe('the command', () => {
  const copy = new ProjectCopy();
  const diff = (...args: string[]): Promise<Ended> => copy.run(['tsx', 'src/tools/cli.ts', 'diff', ...args]);
  const commit = (): Promise<void> => copy.commit('openapi.yaml');
  const addProperty = (name: string): void =>
    copy.editContract((contract) => {
      contract.setIn(['components', 'schemas', 'Plant', 'properties', name], contract.createNode({ type: 'string' }));
    });
  afterAll(() => copy.discard());

  it('says so where there is no main branch to compare with', async () => {
    expect(await diff('--main')).toEqual({
      code: 0,
      output: 'nothing to compare with: there is no main branch here with an earlier openapi.yaml\n',
    });
  });

  it('lists what breaks and what is new, and fails where the version number does not say so', async () => {
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
      `  POST /plants security: added\n {4}${place}\n`,
      `Adds:\n`,
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

  it('finds on the main branch itself what was committed without its version', async () => {
    await commit();
    expect(await diff('--main')).toMatchObject({ code: 0, output: expect.stringContaining('2.0.0') as unknown });
    addProperty('height');
    await commit();
    expect(await diff('--main')).toEqual({
      code: 1,
      output: expect.stringMatching(
        /height: added[^]*the changes since \w+\^ \(2\.0\.0\) call for 2\.1\.0, and openapi\.yaml says 2\.0\.0/,
      ) as unknown,
    });
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

it('compares with a file, or with a revision that has a contract', async () => {
  await expect(namedBase('openapi.yaml')).resolves.toMatchObject({ name: 'openapi.yaml' });
  for (const name of ['nowhere', '--all', 'test']) {
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
])('the verdict on %j from %s to %s', (impacts, before, now, ok, text) => {
  expect(verdictOn(impacts, { base: 'main', before, now })).toEqual({
    ok,
    text: expect.stringContaining(text) as string,
  });
});

it('a version is three numbers', () => {
  expect(() => verdictOn([], { base: 'main', before: '1.0.0', now: '1.0' })).toThrow(
    'expected a version of three numbers such as 1.0.0, got "1.0"',
  );
});
