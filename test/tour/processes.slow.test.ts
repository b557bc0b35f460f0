/** What reaches a command through npm: signals and options; and servers that end with the process that has started them. */
import { stopsAccepting } from '../support/raw';
import { ProjectCopy, type Running } from './project-copy';

const copy = new ProjectCopy();
afterAll(() => copy.discard());

/** Starts a command and resolves to it and the port that it serves on. */
async function serving(command: readonly string[]): Promise<{ running: Running; port: number }> {
  const running = copy.start(command, { PORT: '0' });
  const [, port] = await running.wrote(/ at http:\/\/localhost:(\d+)\D/);
  return { running, port: Number(port) };
}

it('SIGTERM to npm start ends the server, and npm with its code', async () => {
  const { running, port } = await serving(['npm', 'start']);
  running.child.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('"msg":"stopped"') as unknown });
  await stopsAccepting(port);
});

it.each<[NodeJS.Signals, ...command: string[]]>([
  ['SIGHUP', 'tsx', 'src/tools/cli.ts', 'dev'],
  ['SIGKILL', 'tsx', 'src/tools/cli.ts', 'dev'],
  ['SIGKILL', 'npm', 'run', 'dev'],
])('%s to %s %s takes the development server with it', async (signal, ...command) => {
  const { running, port } = await serving(command);
  running.child.kill(signal);
  await stopsAccepting(port);
  await running.ended;
});

it.each([
  ['generate --check', 'npm run generate -- --check ...'],
  ['check --all', 'npm run check -- --all ...'],
  ['contract:diff --main', 'npm run contract:diff -- --main ...'],
  ['mock openapi.yaml --port 1', 'npm run mock -- --port ...'],
  ['conformance --url=http://localhost:1 --write', 'npm run conformance -- --url --write ...'],
  ['token gardener --add tokens', 'npm run token -- --add ...'],
])('npm run %s is refused, because npm keeps the options', async (command, line) => {
  const { code, output } = await copy.run(['npm', 'run', '--silent', ...command.split(' ')]);
  expect(output).toContain(`write -- first: ${line}\n`);
  expect(code).not.toBe(0);
});
