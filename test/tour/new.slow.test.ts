/** `npm run new`: what it makes of contracts that are odd, that of a larger one with a handler written, and how its engine is kept. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { run } from '../../src/tools/project/run-command';
import { growContract } from './larger-contract';
import { type Ended, Project, project as ours } from './project-copy';

const fixtures = join(__dirname, 'new');
const projects: Project[] = [];
afterAll(() => Promise.all(projects.map((each) => each.discard())));

function folder(): Project {
  const made = new Project();
  projects.push(made);
  return made;
}

/** Runs a command of ours. */
async function tell(script: string, ...args: string[]): Promise<Ended> {
  const { ok, output } = await run([process.execPath, '--import', 'tsx', script, ...args], { INIT_CWD: ours });
  return { code: ok ? 0 : 1, output };
}

/** What it makes of a contract, with the packages of ours. */
async function newProject(contract: string): Promise<Project & { told: string }> {
  const made = folder();
  const options = ['--allow-folder', fixtures];
  const { code, output: told } = await tell('src/tools/cli.ts', 'new', made.folder, contract, ...options);
  if (code !== 0) throw new Error(told);
  made.link();
  return Object.assign(made, { told });
}

/** Its files, by name; what others have made is left out. */
function filesOf({ folder }: Project): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(?:node_modules|dist|coverage)\b/.test(name) && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe.each<[what: string, contract: string, operations: number, status: [request: string, status: number][]]>([
  [
    'OpenAPI 3.0 in JSON, with names and a title that are no names, and security of four kinds',
    'odd.json',
    6,
    [
      ['/v2/huts', 401],
      ['/v2/weather', 501],
    ],
  ],
  ['several files, and problems of RFC 9457', 'several/api.yaml', 1, [['/trains/trains', 501]]],
])('of %s', (_what, contract, operations, answers) => {
  let made: Awaited<ReturnType<typeof newProject>>;
  beforeAll(async () => {
    made = await newProject(join(fixtures, contract));
  });

  it('it makes a project of which every check passes, and whose lint is told', async () => {
    expect(made.told).toContain(` serves ${operations} operations`);
    const { code, output } = await made.check('drift', 'contract', 'start', 'types', 'format');
    expect([code, output]).toEqual([0, expect.stringMatching(/^all steps passed/m)]);
    expect(output).toMatch(/You have \d+ warnings: npx redocly lint/);
  });

  it('it serves, and answers what is not written yet as the contract has its errors', async () => {
    expect(await made.run(['tsc', '--build', 'src', '--noCheck'])).toEqual({ code: 0, output: '' });
    const running = made.start([process.execPath, 'dist/src/main.js'], { PORT: '0' });
    const [, address = ''] = await running.wrote(/ at (http:\/\/localhost:\d+)/);
    for (const [path, status] of answers) expect((await request(address).get(path)).status).toBe(status);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('nothing of our domain is in it, and it names the packages that it uses', () => {
    const files = Object.entries(filesOf(made));
    const naming = files.filter(([name, text]) => /plant|DATABASE_|sqlite|postgres/i.test(name + text));
    expect(naming.map(([name]) => name)).toEqual([]);
    const { dependencies, devDependencies } = JSON.parse(made.read('package.json')) as Record<string, object>;
    const imported = files
      .filter(([name]) => name.endsWith('.ts') || name.endsWith('.mjs'))
      .flatMap(([, text]) => [...text.matchAll(/(?:from |import\(|require\(|resolve\(|import )'([^'.][^']*)'/g)])
      .map(([, name = '']) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
      .filter((name) => !name.startsWith('node:'));
    const named = Object.keys({ ...dependencies, ...devDependencies });
    expect(imported.filter((name) => !named.includes(name))).toEqual([]);
  });
});

it('writes code that follows our rules and tests that pass, and fails on what its lint tells if that is asked for', async () => {
  const [odd] = projects;
  expect(await odd?.run(['jest', '--maxWorkers=1'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('not written yet') as unknown,
  });
  const strict = await odd?.run(['tsx', 'src/tools/cli.ts', 'check', '--only', 'contract', '--strict']);
  expect(strict).toMatchObject({ code: 1, output: expect.stringContaining('FAILED contract') as unknown });
  const code = ['src/*.ts', 'src/operations', 'test', 'src/tools/cli.ts'];
  expect(await odd?.run(['eslint', ...code])).toEqual({ code: 0, output: '' });
});

it('types what OpenAPI 3.0 calls nullable, and lets nobody in through a scheme that has no verifier yet', () => {
  const [odd] = projects;
  expect(odd?.read('generated/openapi.ts')).toContain('warden?: string | null;');
  expect(odd?.read('src/verifiers.ts')).toContain("scheme: 'http digest'");
});

describe('refuses, before anything is written,', () => {
  it.each<[what: string, args: (target: Project) => string[], told: RegExp]>([
    ['without arguments', () => [], /expected FOLDER and CONTRACT, got \[\]/],
    [
      'a contract that is not there',
      ({ folder }) => [join(folder, 'x'), 'nothing.yaml'],
      /nothing\.yaml, which is not there/,
    ],
    [
      'a folder that is not empty',
      (target) => (target.write('x/mine.txt', ''), [join(target.folder, 'x'), 'openapi.yaml']),
      /expected FOLDER to be empty, got \S+ with mine\.txt/,
    ],
    [
      'a contract that cannot be served, with its places',
      (target) => {
        target.write(
          'bad.yaml',
          `openapi: 3.1.0\ninfo: { title: Bad, version: 1.0.0 }\npaths:\n  /a: { $ref: '#/x' }\n`,
        );
        return [join(target.folder, 'x'), join(target.folder, 'bad.yaml')];
      },
      /openapi\.yaml:4:15 #\/x leads nowhere/,
    ],
  ])('%s', async (_what, args, told) => {
    const target = folder();
    const given = args(target);
    const before = filesOf(target);
    const { code, output } = await tell('src/tools/cli.ts', 'new', ...given);
    expect([code, output]).toEqual([1, expect.stringMatching(told)]);
    expect(filesOf(target)).toEqual(before);
    expect(existsSync(join(target.folder, 'x'))).toBe('x/mine.txt' in before);
  });
});

describe('of a larger contract', () => {
  let made: Project;
  beforeAll(async () => {
    const contract = folder();
    contract.write('openapi.yaml', readFileSync(join(ours, 'openapi.yaml'), 'utf8'));
    growContract(contract);
    made = await newProject(join(contract.folder, 'openapi.yaml'));
  });

  it('a list, a lookup and a delete are a few lines each, which its tests hold to the contract', async () => {
    for (const name of readdirSync(join(fixtures, 'allotments'), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.txt'))
        made.write(name.replace(/\.txt$/, ''), readFileSync(join(fixtures, 'allotments', name), 'utf8'));
    expect(await made.check('types')).toMatchObject({ code: 0 });
    const { code, output } = await made.run(['jest', '--maxWorkers=1']);
    expect([code, output]).toEqual([0, expect.stringMatching(/not written yet: (?!.*DELETE).*POST \/plants/)]);
  });

  it('its engine is brought up to date, and nothing else; edits are not lost unless they are to be', async () => {
    const before = filesOf(made);
    const update = (...args: string[]): Promise<Ended> => tell('src/tools/new/update.ts', made.folder, ...args);
    expect(await update()).toEqual({ code: 0, output: expect.stringMatching(/^(\S+) to \1: nothing changed$/) });
    made.write('src/engine/app.ts', '// edited');
    made.write('src/engine/added.ts', '// added');
    made.remove('src/tools/dev/watch.ts');
    const lost = ['removed src/tools/dev/watch.ts', 'added src/engine/added.ts', 'changed src/engine/app.ts'];
    const refused = await update();
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(lost.join('\n  '))]);
    expect(made.read('src/engine/app.ts')).toBe('// edited');
    expect(await update('--force')).toMatchObject({ code: 0 });
    expect(filesOf(made)).toEqual(before);
  });

  it('is told from a folder that is none of such', async () => {
    const { code, output } = await tell('src/tools/new/update.ts', ours);
    expect([code, output]).toEqual([
      1,
      `expected a project that npm run new has made, got ${ours}, which has no .engine.json`,
    ]);
  });
});
