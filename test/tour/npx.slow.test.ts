/** The tools from their file, in an empty folder: every command, and what is made of a contract by them. */
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { discardAll, emptyFolder, fixtures, makePackages, npx, startNpx } from './npx';
import { Project, project as ours } from './project-copy';
import { run } from '../../src/tools/project/run-command';
import { readFileSync } from 'node:fs';
import { listening } from '../support/ports';

let folder: Project;
let web: Server;
let host = '';

beforeAll(async () => {
  await makePackages();
  folder = emptyFolder();
  folder.write('garden.yaml', readFileSync(join(fixtures, 'garden.yaml'), 'utf8'));
  web = createServer((req, res) => {
    if (req.url === '/moved.yaml') res.writeHead(302, { Location: '/garden.yaml' });
    const text = folder.read('garden.yaml');
    res.end(req.url === '/parts.yaml' ? text.replace("'#/components/schemas/Bed'", '/etc/bed.yaml') : text);
  });
  host = `http://127.0.0.1:${await listening(web)}`;
});
afterAll(async () => {
  web.close();
  await discardAll();
});

it('is packed into a folder, and not into one with the name of an option', async () => {
  const ended = await run(['npm', 'run', '--silent', '--prefix', ours, 'package', '--', '--foo']);
  expect(ended).toMatchObject({ ok: false, output: expect.stringContaining("Unknown option '--foo'") as unknown });
});

it('lists its commands, and names them in messages as they were typed', async () => {
  expect(await npx(folder, '--help')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^ {2}new /m) as unknown,
  });
  expect((await npx(folder, 'diff')).output).toContain('openapi-in-charge diff BASE');
});

it('makes a token', async () => {
  expect((await npx(folder, 'token', 'ann')).output).toMatch(/^ann [0-9a-f]{64}$/m);
});

it('mocks a contract of a URL, which conformance holds to the contract that it serves itself', async () => {
  const mock = startNpx(folder, 'mock', `${host}/garden.yaml`, '--port', '0', '--token', 'x');
  const [, url = ''] = await mock.wrote(/ at (http:\S+)\n/);
  const { code, output } = await npx(folder, 'conformance', '--url', url, '--token', 'x', '--requests', '20');
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/^0 findings in \d+ requests to 1 operations at http:\S+\/v1 /m),
  ]);
});

it.each([
  ['moved.yaml', 'expected 200, got 302; redirects are not followed'],
  ['parts.yaml', 'parts.yaml:14:80 /etc/bed.yaml leads out of the document'],
])('reads of a URL only what that answers itself: %s', async (name, why) => {
  const { code, output } = await npx(folder, 'mock', `${host}/${name}`);
  expect([code, output]).toEqual([1, expect.stringContaining(why)]);
});

it('makes a project, and generates and compares contracts in it before anything is installed there', async () => {
  expect((await npx(folder, 'new', 'garden', 'garden.yaml')).output).toContain('garden serves 1 operations');
  const garden = new Project(join(folder.folder, 'garden'));
  expect(await npx(garden, 'generate', '--check')).toEqual({ code: 0, output: '' });
  expect((await npx(garden, 'diff', '../garden.yaml')).output).toContain('nothing has changed');
});
