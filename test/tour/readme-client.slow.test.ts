/** The client in README.md, unchanged: it compiles, runs, and handles errors by their codes. */
import { type OurService, startOurService } from '../plants/support/our-service';
import { type Ended, ProjectCopy } from './project-copy';

const copy = new ProjectCopy();
const [, client = ''] = /^## A client\n[^]*?^```ts\n([^]*?)^```$/m.exec(copy.read('README.md')) ?? [];
let service: OurService;

beforeAll(async () => {
  service = await startOurService();
});
afterAll(async () => {
  await service.close();
  await copy.discard();
});

function runClient(text: string, token: string): Promise<Ended> {
  copy.write('client.mts', text);
  return copy.run(['tsx', 'client.mts'], { BASE_URL: `http://127.0.0.1:${service.port}`, TOKEN: token });
}

it('exists, and compiles', async () => {
  expect(client).toContain("from './generated/openapi'");
  copy.write('client.mts', client);
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'preserve',
    '--types',
    'node',
    '--skipLibCheck',
  ];
  expect(await copy.run(['tsc', ...options, 'client.mts'])).toEqual({ code: 0, output: '' });
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
