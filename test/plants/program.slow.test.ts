/** The program with our contract and a store, started in this process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Running } from '../../src/engine/serve';
import { start } from '../../src/main';
import { createAll } from '../support/plant-client';
import { freePort, withPortInUse } from '../support/ports';
import { interruptedStart } from '../support/process';
import { temporaryFolder } from '../support/temporary-folder';
import { rowsOf } from './support/store';

let folder: string;
let file: string;
let service: Running | undefined;
let logged: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'plants.db');
  logged = '';
});
afterEach(stop);

/** Starts the program with a token of its own; it is closed when the test has ended. */
async function started(env: NodeJS.ProcessEnv = {}): Promise<{ baseUrl: string; token: string }> {
  let printed = '';
  const variables = { DATABASE_URL: `sqlite:${file}`, PORT: '0', LOG_LEVEL: 'silent', ...env };
  service = await start(variables, {
    print: (text) => (printed += text),
    logTo: { write: (line) => (logged += line) },
  });
  return { baseUrl: service.baseUrl, token: /^Token, .*: (\S+)$/m.exec(printed)?.[1] ?? '' };
}

async function stop(): Promise<void> {
  await service?.close();
  service = undefined;
}

it('keeps plants, but not the token, over a restart', async () => {
  const plant = { id: 9223372036854775807n, name: 'Ficus' };
  const first = await started();
  expect(await createAll(first, [plant])).toMatchObject([{ status: 200 }]);
  await stop();

  const second = await started();
  expect(rowsOf(file)).toEqual([{ ...plant, tag: null }]);
  expect(await createAll(second, [plant])).toMatchObject([{ status: 200 }]);
  expect(await createAll(second, [{ ...plant, name: 'Aloe' }])).toMatchObject([{ status: 409 }]);
  expect(await createAll({ ...second, token: first.token }, [plant])).toMatchObject([{ status: 401 }]);
  await stop();
  expect(rowsOf(file)).toEqual([{ ...plant, tag: null }]);
});

it('says in the line `listening` which store it is, and whether it was made', async () => {
  for (const made of [true, false]) {
    await started({ LOG_LEVEL: 'info' });
    await stop();
    const lines = logged
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const listening = { msg: 'listening', store: file, made, schemaVersion: 1 };
    expect(lines).toContainEqual(expect.objectContaining(listening));
    logged = '';
  }
});

it('makes no folder for its store in production', async () => {
  const typo = { DATABASE_URL: `sqlite:${folder}/dta/plants.db`, NODE_ENV: 'production' };
  writeFileSync(join(folder, 'tokens'), `someone ${'0'.repeat(64)}\n`);
  await expect(started({ ...typo, AUTH_TOKENS_FILE: join(folder, 'tokens') })).rejects.toThrow(
    `there is no folder ${folder}/dta. Make it, or name another file in DATABASE_URL`,
  );
});

it('ends at once when it is asked while it waits for a database', () =>
  withPortInUse(async (port, connected) => {
    const waiting = { DATABASE_URL: `postgres://127.0.0.1:${port}/plants` };
    expect(await interruptedStart(waiting, 'SIGTERM', connected)).toMatchObject({ code: 0, signal: null, stdout: '' });
  }));

it('counts what is stored, in batches', async () => {
  const port = await freePort();
  const there = await started({ ADMIN_PORT: String(port) });
  await createAll(there, [{ id: 1n, name: 'Ficus' }]);
  await createAll(there, [{ id: 1n, name: 'Aloe' }]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  for (const line of [
    'http_server_errors_total{code="40901"} 1',
    'store_batch_size_sum 2',
    'store_commit_duration_seconds_count{outcome="stored"} 2',
    'store_queue_length 0',
  ])
    expect(metrics.split('\n')).toContain(line);
});
