/** `npm run dev`: what it does on changes, good and bad ones, each going on where the one before has left off. */
import { ProjectCopy, type Running } from './project-copy';

const copy = new ProjectCopy();
let dev: Running;
let token = '';
let baseUrl = '';

beforeAll(async () => {
  dev = copy.start(['tsx', 'scripts/dev.ts'], { PORT: '0', LOG_LEVEL: 'warn' });
  [, baseUrl = ''] = await dev.wrote(/ at (http:\S+)\n/);
  [, token = ''] = await dev.wrote(/curl .*"Authorization: Bearer (\S+)"/);
});
afterAll(async () => {
  dev.child.kill('SIGINT');
  await dev.ended;
  await copy.discard();
});

async function create(id: number): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ id, name: 'Ficus' });
  const answer = await fetch(`${baseUrl}/plants`, { method: 'POST', headers, body });
  return answer.status;
}

jest.setTimeout(120_000);

it('serves, and has printed a token that is accepted', async () => {
  expect(await create(1)).toBe(200);
});

it('tells where the contract breaks its rules, and goes on serving', async () => {
  copy.replace('openapi.yaml', '      required: [name]\n', '      requried: [name]\n');
  const [message] = await dev.wrote(/openapi\.yaml:\d+:7 [^]*requried[^]*The server from before goes on/);
  expect(message).toContain('Correct openapi.yaml there, and save.');
  expect(await create(2)).toBe(200);
});

it('tells where the code does not fit the contract, and goes on serving', async () => {
  copy.replace('openapi.yaml', '      requried: [name]\n', '      required: [name]\n');
  copy.replace('src/plants/create-plant.ts', 'status: 200', 'status: 201');
  const [message] = await dev.wrote(/src\/plants\/create-plant\.ts\(7,3\): error [^]*The server from before goes on/);
  expect(message).toContain("Type '201' is not assignable to type '200'.");
  expect(message).toContain('Correct these places, and save');
  expect(await create(3)).toBe(200);
});

it('restarts once all is well, and accepts the same token', async () => {
  copy.setVersion('99.0.0');
  copy.replace('src/plants/create-plant.ts', 'status: 201', 'status: 200');
  [, baseUrl = ''] = await dev.wrote(/Restarted: .* 99\.0\.0 at (http:\S+)\n/);
  expect(await create(3)).toBe(200);
  expect(copy.read('generated/openapi.ts')).toContain('Generated from openapi.yaml');
});

it('goes on serving where the new program would not start', async () => {
  copy.replace('src/main.ts', '{ bearerAuth: bearer(', '{ otherAuth: bearer(');
  const [message] = await dev.wrote(/The server does not start[^]*The server from before goes on/);
  expect(message).not.toContain('Restarted');
  expect(dev.output()).toMatch(/openapi\.yaml:\d+:\d+ security scheme bearerAuth has no verifier/);
  expect(await create(4)).toBe(200);
});

it('ends with everything that it has started', async () => {
  dev.child.kill('SIGINT');
  dev.child.kill('SIGINT');
  expect(await dev.ended).toMatchObject({ code: 0 });
  await expect(create(5)).rejects.toThrow('fetch failed');
});
