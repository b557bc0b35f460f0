/** A log, or an output, that cannot be written: the process serves, and ends when it is asked to. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToken } from '../../../src/engine/auth/tokens';
import { RawConnection } from '../../support/raw';
import { freePort } from '../../support/ports';
import { createAll } from '../../support/plant-client';
import { temporaryFolder } from '../../support/temporary-folder';

const mount = (disk: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]).status === 0;
const canMount = ((): boolean => {
  const disk = temporaryFolder();
  const can = mount(disk);
  if (can) spawnSync('umount', [disk]);
  return can;
})();

let folder: string;
let child: ChildProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const { token, line } = makeToken('tester');

/** Starts the program with these variables and its output on a descriptor. */
function spawnWith(output: number | 'pipe', env: NodeJS.ProcessEnv): ChildProcess {
  writeFileSync(join(folder, 'tokens'), line);
  return spawn(process.execPath, [process.env.ENGINE_PROGRAM ?? ''], {
    env: { ...env, PATH: process.env.PATH, AUTH_TOKENS_FILE: join(folder, 'tokens') },
    stdio: ['ignore', output, output],
  });
}

/** Starts it on a free port; resolves when it accepts connections. */
async function startWith(output: number | 'pipe'): Promise<number> {
  const port = await freePort();
  child = spawnWith(output, { PORT: String(port) });
  for (;;) {
    try {
      (await RawConnection.open(port)).destroy();
      return port;
    } catch {
      if (child.exitCode !== null) throw new Error(`the program has ended with ${child.exitCode}`);
      await sleep(20);
    }
  }
}

/** Sends requests, for each of which there is a line in the log. */
async function request(port: number, count: number): Promise<void> {
  const connection = await RawConnection.open(port);
  for (let left = count; left > 0; left -= 100) {
    connection.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    for (let each = 0; each < 100; each++) expect(await connection.answer()).toMatchObject({ status: 404 });
  }
  connection.destroy();
}

async function exitCode(): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function servesAndEnds(output: number | 'pipe'): Promise<void> {
  const port = await startWith(output);
  await request(port, 1_000);
  const there = { baseUrl: `http://127.0.0.1:${port}`, token };
  expect(await createAll(there, [{ id: 1n, name: 'Ficus' }])).toMatchObject([{ status: 200 }]);
  child.kill('SIGTERM');
  expect(await exitCode()).toBe(0);

  child = spawnWith(output, { PORT: 'http' });
  expect(await exitCode()).toBe(1);
}

describe('a process whose output nobody takes serves, and ends when it is asked to:', () => {
  it('/dev/full', async () => {
    const full = openSync('/dev/full', 'w');
    await servesAndEnds(full);
    closeSync(full);
  });

  (canMount ? it : it.skip)('a full disk (skipped where nothing can be mounted)', async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    mount(disk);
    const file = openSync(join(disk, 'log'), 'a');
    try {
      await servesAndEnds(file);
    } finally {
      closeSync(file);
      spawnSync('umount', [disk]);
    }
  });

  it('a pipe that is full', async () => {
    const path = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [path])).toMatchObject({ status: 0 });
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    expect(() => {
      for (;;) writeSync(pipe, 'x'.repeat(4096));
    }).toThrow('EAGAIN');
    // The program is given an end that would block.
    const end = openSync(path, 'w');
    await servesAndEnds(end);
    for (const each of [end, pipe]) closeSync(each);
  });

  it('a socket', () => servesAndEnds('pipe'));
});

it('lines that could not be written are counted, and the count is written once there is room', async () => {
  const port = await startWith('pipe');
  const requests = 30_000;
  await request(port, requests);
  let written = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (written += text));
  for (let attempt = 0; attempt < 1_000 && !written.includes('"lost"'); attempt++) await sleep(10);
  await request(port, 100);
  child.kill('SIGTERM');
  if (child.stderr) await once(child.stderr, 'close');
  const lines = written
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { msg: string; lost?: number });
  const count = (message: string): number => lines.filter(({ msg }) => msg === message).length;
  const [lost = 0] = lines.flatMap((each) => each.lost ?? []);
  expect(lost).toBeGreaterThan(0);
  expect(count('lines of the log could not be written and are lost')).toBe(1);
  expect(count('request') + lost).toBe(requests + 100);
  expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['listening', 'stopped']));
});
