import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messagesIn, startProcess, stopProcess } from '../../support/process';
import { temporaryFolder } from '../../support/temporary-folder';
import { rowsOf } from '../support/store';
import { PlantClient } from '../../support/plant-client';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants } from './load';
import { seeded } from '../../support/seeded';

let folder: string;
let file: string;
let env: { DATABASE_URL: string };
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'plants.db');
  env = { DATABASE_URL: `sqlite:${file}` };
});

const ids = (from: number, count: number): bigint[] =>
  Array.from({ length: count }, (_each, index) => BigInt(from + index));

// A limit of the file size simulates a full disk; prlimit (util-linux) sets it for another process.
const canLimit = spawnSync('prlimit', ['--version']).status === 0;
(canLimit ? it : it.skip)(
  'a full disk is answered with 503, loses nothing, and creates succeed again as soon as there is space',
  async () => {
    const service = await startProcess(env);
    const ledger = new Ledger();
    const clients = Array.from({ length: 10 }, () => new PlantClient(service));
    const create = async (from: number, count: number): Promise<void> => {
      const plants = ids(from, count)
        .map((id) => ({ id, name: `plant ${id} ${'x'.repeat(1_000)}` }))
        .values();
      await Promise.all(
        clients.map(async (client) => {
          for (const plant of plants) await ledger.create(client, plant);
        }),
      );
    };
    const limitFiles = (bytes: number | 'unlimited'): void => {
      const { status, stderr } = spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:`]);
      if (status !== 0) throw new Error(stderr.toString());
    };

    await create(0, 20);
    expect(ledger).toMatchObject({ acknowledgements: 20, unavailable: 0 });
    limitFiles(statSync(`${file}-wal`).size + 50_000);
    await create(100, 300);
    const { acknowledgements, unavailable } = ledger;
    expect(acknowledgements).toBeGreaterThan(20);
    expect(unavailable).toBeGreaterThan(0);
    expect(ledger.faults(rowsOf(file))).toEqual([]);

    limitFiles('unlimited');
    await create(100, 300);
    expect(ledger).toMatchObject({ acknowledgements: acknowledgements + 300, unavailable });
    expect(rowsOf(file)).toHaveLength(320);
    for (const client of clients) client.close();
    await stopProcess(service);
    expect(ledger.faults(rowsOf(file))).toEqual([]);
  },
);

it('a store file that is removed is 503, said when it happens and in the last line, and ends the process', async () => {
  const service = await startProcess(env);
  const client = new PlantClient(service);
  expect(await client.create({ id: 1n, name: 'Ficus' })).toMatchObject({ status: 200 });
  const aside = join(folder, 'aside.db');
  for (const beside of ['', '-wal', '-shm']) renameSync(file + beside, aside + beside);
  expect(await client.create({ id: 2n, name: 'Hedera' })).toMatchObject({
    status: 503,
    body: '{"error":50301,"message":"the store does not answer"}',
  });
  client.close();
  const { code, signal, stderr } = await service.exited;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  const message =
    `the store ${file}, its -wal or its -shm file was removed, renamed, replaced, emptied or cut while it was served. What was ` +
    'answered with 200 before that is in the files which were there; put them back, then start again';
  const lines = stderr.trim().split('\n');
  const ended = lines.filter((line) => line.startsWith('{"level":"fatal"'));
  expect([...ended, lines.at(-1) ?? ''].map(messagesIn)).toEqual([message, message, message]);
  expect(existsSync(file)).toBe(false);
  expect(rowsOf(aside)).toContainEqual({ id: 1n, name: 'Ficus', tag: null });
});

/** Runs a program where a file is mounted on itself, as containers mount single files. */
const withMounted = (path: string, command: readonly string[]) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount --bind "$0" "$0" && exec "$@"', path, ...command], {
    env: { ...process.env, ...env },
  });
(withMounted(__filename, ['true']).status === 0 ? it : it.skip)(
  'a store file that is mounted without its folder is refused: its log would stay behind',
  () => {
    file = join(folder, 'the plants.db');
    env = { DATABASE_URL: `sqlite:${file}` };
    writeFileSync(file, '');
    const { status, stderr } = withMounted(file, [process.execPath, String(process.env.PROGRAM)]);
    expect(status).toBe(1);
    expect(stderr.toString()).toContain(`the store ${file} cannot be opened: it is mounted without its folder`);
  },
);

it('two servers on one file start together, agree on every plant, and survive each other', async () => {
  const [one, other] = await Promise.all([startProcess(env), startProcess(env)]);
  const ledger = new Ledger();
  const plants = randomPlants(seeded(1));
  const ended = [one, other].map((service) => load(service, plants, ledger, 8));
  await acknowledged(ledger, 300);
  one.kill('SIGKILL');
  await one.exited;
  await acknowledged(ledger, ledger.acknowledgements + 150);
  await stopProcess(other);
  await Promise.all(ended);
  expect(ledger.faults(rowsOf(file))).toEqual([]);
  expect(ledger.unavailable).toBe(0);
});
