import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { PlantStore } from '../../../src/plants/store';
import type { NewPlant } from '../../../src/plants/repository';
import { openDatabase } from '../../../src/plants/sqlite/driver';
import { type Row, rowsOf } from '../support/store';
import { openSqliteStore } from './files';

let folder: string;
let file: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  file = join(folder, 'plants.db');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Plants of about half a kilobyte; a batch of them lies scattered over the file. */
const BATCH = 10;
const plant = (number: number): NewPlant => ({
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

it('moves a part of the log into the file once enough plants have come, while the store is open', async () => {
  const store = openSqliteStore(file, { partPlants: 3 * BATCH });
  const sizeAfter = async (number: number): Promise<number> => {
    await store.addAll(batch(number));
    return statSync(file).size;
  };
  const empty = statSync(file).size;
  expect([await sizeAfter(0), await sizeAfter(1)]).toEqual([empty, empty]);
  expect(await sizeAfter(2)).toBeGreaterThan(empty);
  expect(rowsOf(file)).toEqual(rowsAfter(3));
  await store.close();
});

it('begins the log anew again and again, and loses nothing', async () => {
  const store = openSqliteStore(file, { partPlants: BATCH, logPages: 50 });
  const added = await addUntil(store, 0, () => timesBegunAnew() >= 5);
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  await store.close();
  expect(rowsOf(file)).toEqual(rowsAfter(added));
});

it('waits for another that reads for long, and begins the log anew once it has ended', async () => {
  const store = openSqliteStore(file, { partPlants: BATCH, logPages: 50 });
  await store.addAll(batch(0));
  const reader = openDatabase(file);
  reader.exec('BEGIN');
  const seen = reader.prepare('SELECT count(*) AS plants FROM plants');
  expect(seen.get()).toEqual({ plants: BATCH });
  const begun = timesBegunAnew();
  const before = await addUntil(store, 1, () => logPages() > 500);
  expect(timesBegunAnew()).toBe(begun);
  expect(seen.get()).toEqual({ plants: BATCH });
  reader.exec('COMMIT');
  const added = await addUntil(store, before, () => timesBegunAnew() > begun);
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  reader.close();
  await store.close();
});

it('says that the log grows, refuses plants from a bound on, and works again once the reader has ended', async () => {
  const told: string[] = [];
  const logBytesMax = 2 ** 23;
  const store = openSqliteStore(file, {
    partPlants: BATCH,
    logPages: 50,
    logBytesMax,
    tell: (each) => told.push(each),
  });
  await store.addAll(batch(0));
  const reader = openDatabase(file);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM plants').get();
  let added = 1;
  const refused = {
    name: 'LogTooLarge',
    message: "the store's log has 8 MB: expected the process that reads the store for long to end",
  };
  try {
    for (; added < 10_000; added++) await store.addAll(batch(added));
  } catch (error) {
    expect(error).toMatchObject(refused);
  }
  await expect(store.addAll(batch(added))).rejects.toMatchObject(refused);
  expect(statSync(`${file}-wal`).size).toBeLessThan(1.1 * logBytesMax);
  expect(told.slice(0, 3)).toEqual(
    ['1 MB', '2 MB', '4 MB'].map(
      (size) =>
        `the store's log has ${size} and grows while another process reads the store without an end; ` +
        'from 8 MB on plants are refused until that has ended',
    ),
  );
  expect(rowsOf(file)).toEqual(rowsAfter(added));

  reader.exec('COMMIT');
  reader.close();
  const begun = timesBegunAnew();
  added = await addUntil(store, added, () => timesBegunAnew() > begun);
  expect(statSync(`${file}-wal`).size).toBeLessThanOrEqual(logBytesMax / 8);
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  await store.close();
});

it('does so for two stores on one file', async () => {
  const stores = [0, 1].map(() => openSqliteStore(file, { partPlants: BATCH, logPages: 50 }));
  let added = 0;
  while (timesBegunAnew() < 5) {
    await Promise.all(stores.map((store, index) => store.addAll(batch(added + index))));
    added += stores.length;
    await setImmediate();
  }
  expect(rowsOf(file)).toEqual(rowsAfter(added));
  for (const store of stores) await store.close();
});

describe('of a process', () => {
  it('loses nothing when it is killed, wherever a part or the log is just then', async () => {
    let known = 0;
    for (let round = 0; round < 8; round++) {
      // Each time a little later; where a part is just then is up to the machine.
      const enough = known + 10 * (round + 1);
      const { child, acknowledged } = adding(known);
      for await (const line of acknowledged) {
        known = Number(line) + 1;
        if (known >= enough) child.kill('SIGKILL');
      }
      const stored = rowsOf(file);
      // The last batch may have been stored without a word.
      if (stored.length > known * BATCH) known++;
      expect(stored).toEqual(rowsAfter(known));
    }
  });

  it('ends where the disk has not taken what was moved, with all of it in the log', async () => {
    const { child, acknowledged } = adding(0, {
      before: "fs.fdatasync = (_fd, done) => setImmediate(done, new Error('EIO: i/o error, fdatasync'))",
    });
    let known = 0;
    const said = text(child.stderr);
    for await (const line of acknowledged) known = Number(line) + 1;
    expect(await said).toContain(
      'NotSynced: the store could not be synced to its disk. Nothing is lost: see that the disk works, then start again',
    );
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1);
    expect(timesBegunAnew()).toBe(0);
    await openSqliteStore(file).close();
    expect(rowsOf(file)).toEqual(rowsAfter(known));
  });
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
  return readFileSync(`${file}-wal`).readUInt32BE(12);
}

function logPages(): number {
  return Math.floor(statSync(`${file}-wal`).size / 4_120);
}

/** Another process that adds batch after batch and says which are stored. */
function adding(
  first: number,
  { before = '' } = {},
): { child: ChildProcessByStdio<null, Readable, Readable>; acknowledged: AsyncIterable<string> } {
  const store = join(dirname(process.env.PROGRAM ?? ''), 'plants', 'sqlite', 'store.js');
  const script = `
    const fs = require('node:fs');
    ${before};
    const store = require(${JSON.stringify(store)}).openSqliteStore(${JSON.stringify(file)}, { partPlants: ${BATCH}, logPages: 50 });
    const BATCH = ${BATCH};
    const plant = ${plant.toString()};
    const batch = ${batch.toString()};
    async function add(number) {
      await store.addAll(batch(number));
      fs.writeSync(1, number + '\\n');
      setImmediate(add, number + 1);
    }
    add(${first});
  `;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return { child, acknowledged: createInterface(child.stdout) };
}
