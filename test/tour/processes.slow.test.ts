/** Signals that reach the server through npm, and servers that end with the process that has started them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnection } from '../support/raw';
import { ProjectCopy, type Running } from './project-copy';

const copy = new ProjectCopy();
afterAll(() => copy.discard());

/** Starts a command and resolves to it and the port that it serves on. */
async function serving(command: readonly string[]): Promise<{ running: Running; port: number }> {
  const running = copy.start(command, { PORT: '0' });
  const [, port] = await running.wrote(/ at http:\/\/localhost:(\d+)\n/);
  return { running, port: Number(port) };
}

/** Resolves when nobody listens on the port; rejects where somebody goes on. */
async function released(port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    try {
      (await RawConnection.open(port)).destroy();
    } catch {
      return;
    }
    await sleep(20);
  }
  throw new Error('the server goes on');
}

it.each(['SIGTERM', 'SIGINT'] as const)('%s to npm start ends the server, and npm with its code', async (signal) => {
  const { running, port } = await serving(['npm', 'start']);
  running.child.kill(signal);
  expect(await running.ended).toMatchObject({ code: 0, output: expect.stringContaining('"msg":"stopped"') as unknown });
  await released(port);
});

it.each(['SIGHUP', 'SIGKILL'] as const)('npm run dev takes its server with it on %s', async (signal) => {
  const { running, port } = await serving(['tsx', 'scripts/dev.ts']);
  running.child.kill(signal);
  await released(port);
  await running.ended;
});

it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('and so it does where npm itself gets %s', async (signal) => {
  const { running, port } = await serving(['npm', 'run', 'dev']);
  running.child.kill(signal);
  await released(port);
  await running.ended;
});
