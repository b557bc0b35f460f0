/**
 * Other contracts than ours in a copy of the project: the given specification as it was written down, and one of a domain of
 * its own. Each is served by the program after `npm run generate`, and held to by the conformance suite.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '../../src/engine/auth/tokens';
import { columns } from '../../src/plants/columns';
import { readContract } from '../../src/tools/conformance/contract';
import { report } from '../../src/tools/conformance/report/report';
import { seedOfRun } from '../support/seed';
import { checkConformance } from '../../src/tools/conformance/suite';
import type { Verdict } from '../../src/tools/conformance/verdict';
import { ProjectCopy, type Running } from './project-copy';

const copy = new ProjectCopy();
const { token, line } = makeToken('tester');
const seed = seedOfRun();
let served: Running | undefined;

beforeAll(() => copy.write('tokens', line));
afterEach(async () => {
  served?.child.kill('SIGKILL');
  await served?.ended;
});
afterAll(() => copy.discard());

const fixture = (...path: string[]): string => readFileSync(join(__dirname, ...path), 'utf8');

/** The files that do not compile of the engine and of what the program consists of: handlers of other operations may be anywhere. */
async function uncompiled(): Promise<string[]> {
  const project = {
    extends: './src/tsconfig.json',
    compilerOptions: { noEmit: true, composite: false, rootDir: '.' },
    include: ['src/main.ts', 'src/engine'],
  };
  copy.write('tsconfig.program.json', JSON.stringify(project));
  const { output } = await copy.run(['tsc', '--project', 'tsconfig.program.json']);
  return [...new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))];
}
/** Whether a plant of our contract has just what one of the given specification has. */
const plantsAreAsGiven = columns.join() === 'id,name,tag';

/** Generates and starts; resolves to the address. */
async function serve(): Promise<string> {
  expect(await copy.run(['tsx', 'src/tools/cli.ts', 'generate'])).toMatchObject({ code: 0 });
  const env = { NODE_ENV: 'production', AUTH_TOKENS_FILE: 'tokens', DATABASE_URL: 'sqlite:plants.db' };
  const { running, baseUrl } = await copy.serve(env);
  served = running;
  return baseUrl;
}

function check(baseUrl: string): Promise<Verdict> {
  const contract = readContract(join(copy.folder, 'openapi.yaml'));
  return checkConformance(contract, { url: baseUrl, credentials: { token } }, { seed, write: true });
}

it(`the given specification compiles and is served with its one handler and nothing edited, and what it leaves out is said (CONFORMANCE_SEED=${seed})`, async () => {
  copy.write('openapi.yaml', fixture('literal-contract', 'openapi.yaml'));
  copy.write('src/handlers.ts', fixture('literal-contract', 'handlers.ts.txt'));
  const baseUrl = await serve();
  const left = /openapi\.yaml:\d+:\d+ \(createPlant\) 401, 408, 413, .* are not declared/;
  expect(served?.output()).toMatch(left);
  expect((await copy.check('start')).output).toMatch(left);
  const create = async (body: string): Promise<[status: number, text: string]> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}/plants`, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };
  expect(await create('{"id":9007199254740993,"name":"Ficus"}')).toEqual([200, '{"name":"Ficus"}']);
  expect(await create('{"name":"Ficus"}')).toEqual([
    400,
    '{"error":40002,"message":"/body/id: expected a value, got nothing"}',
  ]);
  expect(await create('{"id":9007199254740993,"name":"Aloe"}')).toEqual([409, expect.any(String)]);
  // Our plants may have more by now than those of the specification.
  const files = await uncompiled();
  expect(files.filter((file) => plantsAreAsGiven || !file.startsWith('src/plants/'))).toEqual([]);
  // That an id is taken it leaves out, and its texts may have U+0000, which no store keeps and ours refuse.
  const verdict = await check(baseUrl);
  const findings = verdict.findings.filter(({ answer }) => answer?.status !== 409 && !answer?.body.includes('U+0000'));
  expect(report({ ...verdict, findings })).toBe('');
});

describe('a contract of another domain, for which openapi.yaml is edited and what stands in src beside engine/', () => {
  beforeAll(() => {
    copy.write('openapi.yaml', fixture('foreign-contract', 'openapi.yaml'));
    for (const name of ['handlers', 'service', 'config', 'cli'])
      copy.write(`src/${name}.ts`, fixture('foreign-contract', `${name}.ts.txt`));
    for (const name of ['src/plants', 'src/error-body.ts', 'data']) copy.remove(name);
  });

  it(`is served as it says, and without a store (CONFORMANCE_SEED=${seed})`, async () => {
    expect(report(await check(await serve()))).toBe('');
    expect(existsSync(join(copy.folder, 'data'))).toBe(false);
  });

  it('needs no line of the engine', async () => {
    expect(await uncompiled()).toEqual([]);
  });

  it('has its documents checked, whatever of ours is gone', async () => {
    const { output } = await copy.run(['tsx', 'scripts/check/docs.ts']);
    expect(output).toMatch(/^README\.md:1 says OpenAPI Plant Store, but openapi\.yaml:\d+:\d+ has /m);
  });
});
