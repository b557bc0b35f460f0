import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlantStore } from '../../../src/plants/store';
import type { NewPlant } from '../../../src/plants/repository';
import * as sqlite from '../../../src/plants/sqlite/driver';
import { rowsOf } from '../support/store';
import { openSqliteStore, runSql } from './files';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  file = join(folder, 'plants.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Small enough for a log to be begun anew after every few plants. */
const SMALL = { partPlants: 5, logPages: 10 };

/** What a process leaves behind that is killed now: the file and its log. */
function leftBehind(from = file): string {
  const copy = join(folder, 'left.db');
  for (const beside of ['', '-wal', '-shm']) {
    rmSync(copy + beside, { force: true });
    if (beside !== '-shm' && existsSync(from + beside)) copyFileSync(from + beside, copy + beside);
  }
  return copy;
}

let next = 0n;
const plant = (id: bigint): NewPlant => ({ id, name: 'x'.repeat(700) });
/** Adds as many plants, each by a commit of its own, and lets what goes on beside the commits have its turn. */
async function add(store: PlantStore, count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    await store.addAll([plant(next++)]);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
const timesBegunAnew = (): number => readFileSync(`${file}-wal`).readUInt32BE(12);

function refusal(path: string): string {
  try {
    void openSqliteStore(path).close();
    return 'the store was opened';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a log beside a file to which it does not belong is refused, and both are left as they are:', () => {
  /** Each puts a file in the place of the one that a killed process has left. */
  const replacements: [name: string, replace: (left: string, stopped: string) => Promise<void> | void][] = [
    ['a copy from before the log was begun', (left, stopped) => copyFileSync(stopped, left)],
    [
      'a backup of this very time, in which plants lie elsewhere',
      (left) => {
        const backup = join(folder, 'backup.db');
        runSql(file, `VACUUM INTO '${backup}'`);
        copyFileSync(backup, left);
      },
    ],
    [
      'another store',
      async (left) => {
        const other = openSqliteStore(join(folder, 'other.db'));
        await other.addAll([{ id: 7n, name: 'Hedera' }]);
        await other.close();
        copyFileSync(join(folder, 'other.db'), left);
      },
    ],
    ['an empty file', (left) => writeFileSync(left, '')],
    ['no file', (left) => rmSync(left)],
  ];
  it.each(replacements)('%s', async (_name, replace) => {
    let store = openSqliteStore(file, SMALL);
    await add(store, 3);
    await store.close();
    const stopped = join(folder, 'stopped.db');
    copyFileSync(file, stopped);
    store = openSqliteStore(file, SMALL);
    while (timesBegunAnew() < 2) await add(store, 1);
    await add(store, 1);
    const left = leftBehind();
    await replace(left, stopped);
    await store.close();

    const log = readFileSync(`${left}-wal`);
    const before = existsSync(left) ? readFileSync(left) : Buffer.alloc(0);
    expect(refusal(left)).toBe(
      `the store ${left} cannot be opened: its log, the -wal file beside it, is of another file. If the file was ` +
        'restored, or put there on purpose, delete its -wal and -shm files, then start again; if not, put back the file ' +
        'that was there before: the log has plants of it that are nowhere else',
    );
    expect(readFileSync(`${left}-wal`).equals(log)).toBe(true);
    expect(readFileSync(left).equals(before)).toBe(true);
    expect(existsSync(`${left}-shm`)).toBe(false);

    rmSync(`${left}-wal`);
    expect(refusal(left)).toBe('the store was opened');
  });

  it('another new store, both in their first log', async () => {
    const stores = [file, join(folder, 'other.db')].map((each) => openSqliteStore(each));
    for (const store of stores) await add(store, 1);
    const left = leftBehind();
    for (const store of stores) await store.close();
    copyFileSync(join(folder, 'other.db'), left);
    expect(refusal(left)).toContain('its log, the -wal file beside it, is of another file');
  });
});

describe('a log is never taken for that of another file', () => {
  it('wherever its process was killed', async () => {
    let moments = 0;
    const opened = afterEachMark(() => {
      moments++;
      return openSqliteStore(leftBehind()).close();
    });
    for (let round = 0; round < 2; round++) {
      const store = openSqliteStore(file, SMALL);
      const begun = timesBegunAnew();
      while (timesBegunAnew() < begun + 2) {
        await add(store, 1);
        // Where nothing is written beside a part, all of the log is moved with it.
        await store.addAll(Array.from({ length: SMALL.partPlants }, () => plant(next - 1n)));
        const left = leftBehind();
        await openSqliteStore(left).close();
        expect(rowsOf(left)).toEqual(rowsOf(file));
      }
      await store.close();
      await openSqliteStore(leftBehind()).close();
    }
    opened.mockRestore();
    expect(moments).toBeGreaterThan(2 * 2 * 3);
  });

  it('wherever its last writes were cut off or lost', async () => {
    // Nothing is moved into the file before the log is synced.
    const store = openSqliteStore(file);
    await add(store, 20);
    const all = rowsOf(file);
    const bytes = statSync(`${file}-wal`).size;
    for (let cut = 0; cut <= bytes; cut += 6_007) {
      for (const damage of [truncateFrom, zeroFrom]) {
        const left = leftBehind();
        damage(`${left}-wal`, cut);
        await openSqliteStore(left).close();
        const rows = rowsOf(left);
        expect(all.slice(0, rows.length)).toEqual(rows);
      }
    }
    await store.close();
  });

  it('that other programs have written', async () => {
    await openSqliteStore(file).close();
    const other = sqlite.openDatabase(file);
    other.exec("INSERT INTO plants (id, name) VALUES (1, 'Ficus')");
    const left = leftBehind();
    other.close();
    await openSqliteStore(left).close();
    expect(rowsOf(left)).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  /** Does something between any two of the statements by which a log is ended. */
  function afterEachMark(act: () => unknown): jest.SpyInstance {
    const open = sqlite.openDatabase;
    let acting = false;
    return jest.spyOn(sqlite, 'openDatabase').mockImplementation((path) => {
      const database = open(path);
      return {
        exec(statement) {
          database.exec(statement);
          if (acting || !statement.includes('application_id')) return;
          acting = true;
          act();
          acting = false;
        },
        prepare: (statement) => database.prepare(statement),
        get isTransaction() {
          return database.isTransaction;
        },
        close: () => database.close(),
      };
    });
  }

  function truncateFrom(path: string, position: number): void {
    truncateSync(path, position);
  }

  function zeroFrom(path: string, position: number): void {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, position));
  }
});
