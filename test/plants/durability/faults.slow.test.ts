import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/plants/sqlite/driver';
import { messagesIn, refusal, type ServiceProcess, startProcess } from '../../support/process';
import { rowsOf } from '../support/store';
import { createAll, PlantClient } from '../../support/plant-client';
import { Ledger } from './ledger';
import { acknowledged, load, randomPlants } from './load';
import { seeded } from '../../support/seeded';

let folder: string;
let file: string;
let env: { DATABASE_URL: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  file = join(folder, 'plants.db');
  env = { DATABASE_URL: `sqlite:${file}` };
});
afterEach(() => rmSync(folder, { recursive: true }));

const ids = (from: number, count: number): bigint[] =>
  Array.from({ length: count }, (_each, index) => BigInt(from + index));

const UNAVAILABLE = {
  status: 503,
  headers: expect.objectContaining({ 'content-type': 'application/json', 'retry-after': '1' }) as unknown,
  body: '{"error":50301,"message":"the store does not answer"}',
};
const created = (name: string): object => ({
  status: 200,
  headers: expect.objectContaining({ 'content-type': 'application/json' }) as unknown,
  body: JSON.stringify({ name }),
});

/** Stops the service, and returns its log. */
async function stop(service: ServiceProcess): Promise<string> {
  service.kill('SIGTERM');
  const { code, signal, stderr } = await service.exited;
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  return stderr;
}

it('answers 200 only when other processes can read the plant', async () => {
  const service = await startProcess(env);
  const reader = openDatabase(file);
  const read = reader.prepare('SELECT name FROM plants WHERE id = ?');
  await Promise.all(
    ids(0, 8).map(async (connection) => {
      const client = new PlantClient(service);
      for (const id of ids(Number(connection) * 100, 25)) {
        expect(await client.create({ id, name: `plant ${id}` })).toEqual(created(`plant ${id}`));
        expect(read.get(id)).toEqual({ name: `plant ${id}` });
      }
      client.close();
    }),
  );
  reader.close();
  await stop(service);
});

it('waits some time for a file that another process has locked, then answers 503 until it is released', async () => {
  const service = await startProcess(env);
  const other = openDatabase(file);
  other.exec('BEGIN IMMEDIATE');
  const waiting = createAll(service, [{ id: 1n, name: 'Ficus' }]);
  // Requests that need no store are not delayed.
  expect(await createAll({ ...service, token: 'wrong' }, [{ id: 2n, name: 'Hedera' }])).toMatchObject([
    { status: 401 },
  ]);
  expect(rowsOf(file)).toEqual([]);
  other.exec('ROLLBACK');
  expect(await waiting).toEqual([created('Ficus')]);

  other.exec('BEGIN IMMEDIATE');
  expect(await createAll(service, [{ id: 2n, name: 'Hedera' }])).toEqual([UNAVAILABLE]);
  other.exec('ROLLBACK');
  expect(await createAll(service, [{ id: 2n, name: 'Aloe' }])).toEqual([created('Aloe')]);
  expect(rowsOf(file)).toEqual([
    { id: 1n, name: 'Ficus', tag: null },
    { id: 2n, name: 'Aloe', tag: null },
  ]);
  other.close();
  expect(await stop(service)).toContain('database is locked');
});

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
    await create(100, 900);
    const { acknowledgements, unavailable } = ledger;
    expect(acknowledgements).toBeGreaterThan(20);
    expect(unavailable).toBeGreaterThan(0);
    expect(ledger.faults(rowsOf(file))).toEqual([]);

    limitFiles('unlimited');
    await create(100, 900);
    expect(ledger).toMatchObject({ acknowledgements: acknowledgements + 900, unavailable });
    expect(rowsOf(file)).toHaveLength(920);
    for (const client of clients) client.close();
    await stop(service);
    expect(ledger.faults(rowsOf(file))).toEqual([]);
  },
);

it('a store file that is removed is 503, said in one line, and ends the process', async () => {
  const service = await startProcess(env);
  const client = new PlantClient(service);
  expect(await client.create({ id: 1n, name: 'Ficus' })).toEqual(created('Ficus'));
  const aside = join(folder, 'aside.db');
  for (const beside of ['', '-wal', '-shm']) renameSync(file + beside, aside + beside);
  expect(await client.create({ id: 2n, name: 'Hedera' })).toEqual(UNAVAILABLE);
  client.close();
  const { code, signal, stderr } = await service.exited;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  const message =
    `the store ${file}, its -wal or its -shm file was removed, renamed, replaced or emptied while it was served. What was ` +
    'answered with 200 before that is in the files which were there; put them back, then start again';
  const ended = stderr.split('\n').filter((line) => line.startsWith('{"level":"fatal"'));
  expect(ended.map(messagesIn)).toEqual([message]);
  expect(existsSync(file)).toBe(false);
  expect(rowsOf(aside)).toContainEqual({ id: 1n, name: 'Ficus', tag: null });
});

describe('a corrupt file', () => {
  const ADVICE =
    'Restore it from a backup, without its -wal and -shm files; or move all three away to begin with an empty store';

  it('that becomes corrupt under a running server is answered with 503, and the next start refuses it', async () => {
    makeLargeFile();
    const service = await startProcess(env);
    expect(await createAll(service, [{ id: 1_001n, name: 'Ficus' }])).toEqual([created('Ficus')]);
    overwriteFromPage(3);
    const plants = ids(1, 20).map((id) => ({ id: id * 100_000n + 1n, name: 'Hedera' }));
    expect(await createAll(service, plants)).toEqual(plants.map(() => UNAVAILABLE));
    expect(await createAll({ ...service, token: 'wrong' }, [{ id: 2n, name: 'Hedera' }])).toMatchObject([
      { status: 401 },
    ]);
    expect(await stop(service)).toContain('database disk image is malformed');

    const { code, stdout, stderr } = await refusal(env, [], process.env.PROGRAM);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`the store ${file} cannot be opened: it is no sound SQLite database (`);
    expect(stderr).toContain(`). ${ADVICE}\n`);
  });

  /** A store of some 1,700 pages, more than SQLite's page cache holds. */
  function makeLargeFile(): void {
    const database = openDatabase(file);
    database.exec(`
      CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT;
      PRAGMA user_version = 1;
      WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers)
      INSERT INTO plants SELECT id * 1000, hex(zeroblob(500)), NULL FROM numbers LIMIT 5000;
    `);
    database.close();
  }

  function overwriteFromPage(page: number): void {
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(statSync(file).size - page * 4096, 0xa5), 0, undefined, page * 4096);
    closeSync(descriptor);
  }
});

describe('two servers on one file', () => {
  it('can start together, agree on the one plant that is stored for an id, and survive each other', async () => {
    const [one, other] = await Promise.all([startProcess(env), startProcess(env)]);
    const ledger = new Ledger();
    await Promise.all(
      ids(0, 8).map(async (connection) => {
        const clients = [one, other].map((service) => new PlantClient(service));
        for (const id of ids(Number(connection) * 40, 40)) {
          await Promise.all(
            clients.map((client, server) => ledger.create(client, { id, name: `from server ${server}` })),
          );
        }
        for (const client of clients) client.close();
      }),
    );
    expect(ledger.faults(rowsOf(file))).toEqual([]);
    expect(ledger).toMatchObject({ acknowledgements: 320, unavailable: 0 });

    const plants = randomPlants(seeded(1));
    const ended = [one, other].map((service) => load(service, plants, ledger, 8));
    await acknowledged(ledger, 600);
    one.kill('SIGKILL');
    await one.exited;
    await acknowledged(ledger, ledger.acknowledgements + 300);
    await stop(other);
    await Promise.all(ended);
    expect(ledger.faults(rowsOf(file))).toEqual([]);
    expect(ledger.unavailable).toBe(0);
  });
});
