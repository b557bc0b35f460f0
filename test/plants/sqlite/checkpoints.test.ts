import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { PlantStore } from '../../../src/plants/store';
import type { NewPlant } from '../../../src/plants/repository';
import * as sqlite from '../../../src/plants/sqlite/driver';
import { temporaryFolder } from '../../support/temporary-folder';
import { type Row, rowsOf } from '../support/store';
import { openSqliteStore } from './files';

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), 'plants.db');
});

/** Plants of about half a kilobyte; a batch of them lies scattered over the file. */
const BATCH = 10;
const plant = (number: number): Pick<NewPlant, 'id' | 'name'> => ({
  id: (BigInt(number) * 1_000_003n) % 2n ** 30n,
  name: `plant ${number} `.repeat(40),
});
const batch = (number: number): NewPlant[] =>
  Array.from({ length: BATCH }, (_each, index) => plant(number * BATCH + index));
/** What the store has after so many batches. */
const rowsAfter = (batches: number): Row[] =>
  Array.from({ length: batches * BATCH }, (_each, number) => ({ ...plant(number), tag: null })).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );

it('begins the log anew again and again, so that it stays small, and loses nothing', async () => {
  const store = openSqliteStore(file, { logPages: 50 });
  const added = await addUntil(store, 0, () => timesBegunAnew() >= 20);
  expect(statSync(`${file}-wal`).size).toBeLessThan(500 * 4_120);
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  await store.close();
  expect(rowsOf(file)).toEqual(rowsAfter(added));
});

it('keeps the log small also where small plants are followed by large ones', async () => {
  const store = openSqliteStore(file);
  const small = Array.from({ length: 1_000 }, (_each, index) => ({ id: BigInt(index), name: 'Ficus' }));
  for (let times = 0n; times < 20n; times++)
    await store.addAll(small.map(({ id, name }) => ({ id: id + times * 1_000n, name })));
  const large = 'x'.repeat(100_000);
  for (let id = 20_000n; id < 20_100n; id++) await store.addAll([{ id, name: large }]);
  expect(statSync(`${file}-wal`).size).toBeLessThan(20 * large.length);
  await store.close();
});

it('keeps the log small also after batches that were not stored', async () => {
  const store = openSqliteStore(file, { logPages: 50, lockWaitMs: 0 });
  const added = await addUntil(store, 0, () => timesBegunAnew() >= 2);
  const other = sqlite.openDatabase(file);
  other.exec('BEGIN IMMEDIATE');
  for (let failed = 0; failed < 1_000; failed++) await expect(store.addAll(batch(added))).rejects.toThrow('locked');
  other.exec('ROLLBACK');
  other.close();
  await addUntil(store, added, () => timesBegunAnew() >= 5);
  expect(statSync(`${file}-wal`).size).toBeLessThan(500 * 4_120);
  await store.close();
});

it('says that the log grows, refuses plants from a bound on, and works again once the reader has ended', async () => {
  const told: string[] = [];
  const logBytesMax = 2 ** 23;
  const store = openSqliteStore(file, { logPages: 50, logBytesMax, warn: (each) => told.push(each) });
  await store.addAll(batch(0));
  const reader = sqlite.openDatabase(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM plants').get();
  let added = 1;
  const refused = `the log of the store ${file} has 8 MB: expected the process that reads it for long to end`;
  await expect(async () => {
    for (; added < 10_000; added++) await store.addAll(batch(added));
  }).rejects.toThrow(refused);
  await expect(store.addAll(batch(added))).rejects.toThrow(refused);
  expect(statSync(`${file}-wal`).size).toBeLessThan(1.1 * logBytesMax);
  expect(told).toEqual([
    `the log of the store ${file} has 1 MB and grows while another process reads it without an end; ` +
      'from 8 MB on plants are refused until that has ended',
  ]);
  expect(rowsOf(file)).toEqual(rowsAfter(added));

  reader.exec('COMMIT');
  reader.close();
  const begun = timesBegunAnew();
  added = await addUntil(store, added, () => timesBegunAnew() > begun);
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(logBytesMax / 8);
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  await store.close();
});

it('warns at its end that plants are left in the log, which another process reads', async () => {
  const told: string[] = [];
  const store = openSqliteStore(file, { warn: (each) => told.push(each) });
  await store.addAll(batch(0));
  const reader = sqlite.openDatabase(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM plants').get();
  await store.addAll(batch(1));
  await store.close();
  reader.exec('COMMIT');
  expect(told).toEqual([
    `the log of the store ${file} still has the latest plants, as another process uses it: a copy needs the file and its -wal`,
  ]);
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  reader.close();
  expect(rowsOf(file)).toEqual(rowsAfter(2));
});

it('does so for two stores on one file', async () => {
  const stores = [0, 1].map(() => openSqliteStore(file, { logPages: 50 }));
  let added = 0;
  while (timesBegunAnew() < 20) {
    await Promise.all(stores.map((store, index) => store.addAll(batch(added + index))));
    added += stores.length;
    await setImmediate();
  }
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  for (const store of stores) await store.close();
});

const unused = (): never => {
  throw new Error('not expected');
};
const UNUSED = { run: unused, all: unused, setReadBigInts: unused };

// Either is SQLITE_IOERR_FSYNC, as strace's `inject=fdatasync:error=EIO` makes it.
it.each(['PASSIVE', 'TRUNCATE'])('refuses everything once a sync failed in a %s checkpoint', async (mode) => {
  let works = true;
  const failIf = (sql: string): void => {
    if (!works && sql.includes(mode)) throw Object.assign(new Error('disk I/O error'), { errcode: 1_034 });
  };
  const real = sqlite.openDatabase(file);
  jest.spyOn(sqlite, 'openDatabase').mockReturnValueOnce({
    exec(sql) {
      failIf(sql);
      real.exec(sql);
    },
    prepare(sql) {
      const statement = real.prepare(sql);
      if (!sql.includes('wal_checkpoint')) return statement;
      const get = (): ReturnType<typeof statement.get> => {
        failIf(sql);
        return statement.get();
      };
      return { ...UNUSED, get };
    },
    get isTransaction() {
      return real.isTransaction;
    },
    close: () => real.close(),
  });
  const broken: Error[] = [];
  const store = openSqliteStore(file, { logPages: 50, broken: (error) => broken.push(error) });
  const added = await addUntil(store, 0, () => timesBegunAnew() >= 2);
  works = false;
  if (mode === 'TRUNCATE') await store.close();
  else await expect(addUntil(store, added, () => broken.length > 0)).rejects.toThrow('could not be synced');
  expect(broken).toEqual([
    expect.objectContaining({
      name: 'NotSynced',
      message: `the store ${file} could not be synced to its disk (disk I/O error). Nothing is lost: see that the disk works, then start again`,
    }),
  ]);
  const begun = timesBegunAnew();
  await expect(store.addAll(batch(0))).rejects.toBe(broken[0]);
  await store.close();
  expect(timesBegunAnew()).toBe(begun);
  works = true;
  const rows = rowsOf(file);
  expect(rows).toEqual(rowsAfter(rows.length / BATCH));
  expect(rows.length / BATCH).toBeGreaterThanOrEqual(added);
});

/** Adds batches until something is so; says how many there are then. */
async function addUntil(store: PlantStore, first: number, reached: () => boolean): Promise<number> {
  let next = first;
  while (!reached()) {
    await store.addAll(batch(next++));
    await setImmediate();
  }
  return next;
}

/** How often the log of the file has been begun anew (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). */
function timesBegunAnew(): number {
  const log = openSync(`${file}-wal`, 'r');
  const header = Buffer.alloc(16);
  readSync(log, header);
  closeSync(log);
  return header.readUInt32BE(12);
}
