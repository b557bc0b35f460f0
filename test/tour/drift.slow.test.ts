/** Drift between contract, generated files, code and documents, made in a copy of the project: each step of the check tells its own. */
import { type Ended, ProjectCopy } from './project-copy';

const CREATE = ['paths', '/plants', 'post'];
const copy = new ProjectCopy();
afterAll(() => copy.discard());

it('is told with its place and how to fix it, all at once', async () => {
  const responses = [...CREATE, 'responses'];
  copy.setVersion('1.0.0');
  await copy.commit('openapi.yaml');
  copy.setVersion('1.0.1');
  copy.write('coverage/answers.ndjson', '{"operation":"createPlant","status":409,"error":40901}\n');
  copy.editContract((contract) => {
    contract.deleteIn([...responses, '409']);
    contract.deleteIn(['components', 'responses', 'Conflict']);
    contract.set('security', contract.createNode([{}, { bearerAuth: [] }]));
    contract.setIn(['info', 'title'], 'OpenAPI Garden Store');
  });
  copy.write('generated/old.ts', '');
  copy.replace('README.md', '| `npm run types` |', '| `npm run typecheck` |');
  copy.write('scripts/ci/README.md', `${copy.read('scripts/ci/README.md')}\nnpm run chekc\n`);
  copy.write('README.md', `${copy.read('README.md')}\n\`src/nowhere.ts\` answers at http://localhost:8080.\n`);

  const { code, output } = await copy.check('contract', 'drift', 'diff', 'docs', 'answers');
  copy.remove('generated/old.ts');
  const place = String.raw`openapi\.yaml:\d+:\d+`;
  const title = `README\\.md:1 says OpenAPI Plant Store, but ${place} has OpenAPI Garden Store`;
  const told = [
    'generated/openapi\\.ts does not match openapi\\.yaml\\. Fix it with: (?:npm run|openapi-in-charge) generate',
    'generated/old\\.ts is not generated from openapi\\.yaml: remove it',
    `the changes since main \\(1\\.0\\.0\\) call for 2\\.0\\.0, and openapi\\.yaml says 1\\.0\\.1`,
    `^README\\.md:\\d+ names npm run typecheck, which is no script of package\\.json$`,
    `^README\\.md has no row for npm run types, a script of package\\.json$`,
    `^scripts/ci/README\\.md:\\d+ names npm run chekc, which is no script of package\\.json$`,
    `^README\\.md:\\d+ names src/nowhere\\.ts, which is not there$`,
    `^README\\.md:\\d+ says http://localhost:8080, but the default is http://localhost:3000$`,
    `^${title}$`,
    `^${place} createPlant declares 400, which no test produces$`,
    `^${place} createPlant \\(POST /plants\\) answered 409, which is not declared$`,
    `^To fix it: npm run generate$`,
    `^failed: drift, diff, docs, answers `,
  ];
  expect(told.filter((says) => !new RegExp(says, 'm').test(output))).toEqual([]);
  expect(code).toBe(1);
});

it('a wrong word in the contract is one message', async () => {
  copy.restore('openapi.yaml');
  copy.editContract((contract) => contract.setIn([...CREATE, 'sumary'], 'Create a plant'));
  const { code, output } = await copy.check('contract', 'drift', 'start', 'diff');
  expect(output.match(/sumary/g)).toHaveLength(1);
  expect(output).toMatch(/^openapi\.yaml:\d+:\d+ .*sumary/m);
  expect(output).toMatch(/^failed: contract /m);
  expect(code).toBe(1);
});

it('what the start warns of is a warning about the contract, which fails with --strict alone', async () => {
  copy.restore('openapi.yaml');
  copy.editContract((contract) => {
    const tag = ['components', 'schemas', 'Plant', 'properties', 'tag'];
    contract.setIn([...tag, 'format'], 'datetime');
    contract.setIn([...tag, 'examples'], contract.createNode(['yes']));
  });
  const lint = (...args: string[]): Promise<Ended> => copy.run(['tsx', 'src/tools/cli.ts', 'lint', ...args]);
  const says =
    /^warning: openapi\.yaml:\d+:\d+ \(datetime\) an unknown format of text is ignored: expected date-time\nwarning: openapi\.yaml:\d+:\d+ yes is text, and a boolean .*\n$/;
  const output: unknown = expect.stringMatching(says);
  expect([await lint(), await lint('--strict')]).toEqual([
    { code: 0, output },
    { code: 1, output },
  ]);
});

it.each([
  [['--only', 'types,nonsense'], 'expected names of steps, got nonsense\n'],
  [['--only', ''], 'expected names of steps, got \n'],
  [['--only', 'types', '--all'], 'expected --all or --only, got both\n'],
])('the check runs nothing with %j', async (args, says) => {
  const { code, output } = await copy.run(['tsx', 'src/tools/cli.ts', 'check', ...args]);
  expect([code, output.startsWith(says)]).toEqual([1, true]);
});

it('a step whose script is not there fails', async () => {
  copy.remove('scripts/check/docs.ts');
  const { code, output } = await copy.check('docs');
  expect(output).toMatch(/^failed: docs /m);
  expect(code).toBe(1);
});

it.each([
  ['src/main.ts, or what it imports, ends the process while it is loaded', 'process.exit(0);'],
  ['the program ends the process while it starts, or stops', 'setImmediate(() => process.exit(0));'],
])('a start fails where %s, whatever its code', async (says, line) => {
  for (const name of ['openapi.yaml', 'src/service.ts']) copy.restore(name);
  copy.write('src/service.ts', `${copy.read('src/service.ts')}\n${line}\n`);
  const { code, output } = await copy.check('start');
  expect(output.split('\n').map((each) => each.trim())).toContain(says);
  expect(code).toBe(1);
});
