import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiError } from '../../../src/engine/errors/api-error';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import { sqlite as types } from '../../../src/plants/column-types';
import { columns, columnTypes } from '../../../src/plants/columns';
import { PlantErrorCode } from '../../../src/plants/error-codes';
import * as sqlite from '../../../src/plants/sqlite/driver';
import { verifySqliteFile } from '../../../src/plants/sqlite/open';
import type { BatchRefused } from '../../../src/plants/store';
import { TURN_TEXT_MAX } from '../../../src/plants/turn';
import { temporaryFolder } from '../../support/temporary-folder';
import { rowsOf } from '../support/store';
import { describePlantRepository, repositoryOn } from '../repository';
import { makeFile, openSqliteStore, overwritePage, PAGE_BYTES, runSql } from './files';
import { table } from '../../support/table';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'plants.db');
});

/** The columns that Plant has gained, in a statement that makes the table. */
const MORE = columns
  .filter((column) => !['id', 'name', 'tag'].includes(column))
  .map((column) => `, "${column}" ${types[columnTypes[column]]}`)
  .join('');

describePlantRepository('SQLite', () => ({
  open: () => openSqliteStore(file),
  rows: () => rowsOf(file),
  remove: () => undefined,
}));

it('compares plants with those that are there a few at a time, as these may have much more text', async () => {
  const store = openSqliteStore(file);
  const ids = [1n, 2n, 3n];
  for (const id of ids) await store.addAll([{ id, name: 'x'.repeat(TURN_TEXT_MAX) }]);
  const others = ids.map((id) => ({ id, name: 'Ficus' }));
  expect(await store.addAll(others)).toEqual(['taken', 'later', 'later']);
  for (const each of others) expect(await store.addAll([each])).toEqual(['taken']);
  await store.close();
});

it('finds plants of much text in several turns, and each once', async () => {
  const store = openSqliteStore(file);
  const plants = [1n, 2n, 3n, 4n].map((id) => ({ id, name: 'x'.repeat(TURN_TEXT_MAX) }));
  for (const plant of plants) await store.addAll([plant]);
  let turns = 0;
  const count = (): NodeJS.Immediate => (turns++, setImmediate(() => void (counting = count())));
  let counting = count();
  const found = await store.find([...plants, ...plants].map(({ id }) => id));
  clearImmediate(counting);
  expect([...found.values()]).toEqual(plants);
  expect([plants.length, plants.length + 1]).toContain(turns);
  await store.close();
});

it('lets others on beside creates whose ids plants of much text have', async () => {
  const repository = repositoryOn(openSqliteStore(file));
  await repository.add({ id: 1n, name: 'x'.repeat(TURN_TEXT_MAX) });
  const settled: string[] = [];
  const add = (id: bigint, principal: string): Promise<unknown> =>
    repository.add({ id, name: 'Ficus' }, principal).then(
      () => settled.push(`${principal} stored`),
      ({ code }: ApiError) => settled.push(`${principal} ${code}`),
    );
  await Promise.all([...Array.from({ length: 5 }, () => add(1n, 'ada')), add(2n, 'bob')]);
  const taken = `ada ${PlantErrorCode.PlantIdTaken}`;
  expect(settled).toEqual([taken, 'bob stored', taken, taken, taken, taken]);
  await repository.close();
});

describe('a new SQLite store', () => {
  it('says that it reads a large log, which takes a while', async () => {
    await openSqliteStore(file).close();
    writeFileSync(`${file}-wal`, '');
    truncateSync(`${file}-wal`, 129 * 2 ** 20);
    const told: string[] = [];
    await openSqliteStore(file, { warn: (text) => told.push(text) }).close();
    expect(told).toEqual([`reading 129 MB of the log of the store ${file}`]);
  });

  it('has one strict table with a column for each property of a plant', async () => {
    await openSqliteStore(file).close();
    expect(sql('PRAGMA table_list(plants)')).toMatchObject([{ type: 'table', ncol: columns.length, wr: 0, strict: 1 }]);
    expect(sql('PRAGMA table_info(plants)').slice(0, 3)).toMatchObject([
      { name: 'id', type: 'INTEGER', pk: 1 },
      { name: 'name', type: 'TEXT', notnull: 1, pk: 0 },
      { name: 'tag', type: 'TEXT', notnull: 0, pk: 0 },
    ]);
  });

  it('is what a file of version 1 becomes, which keeps its plants', async () => {
    await openSqliteStore(file).close();
    const [version, table] = ['PRAGMA user_version', 'PRAGMA table_info(plants)'];
    const old = join(folder, 'old.db');
    makeFile(old, 2);
    await openSqliteStore(old).close();
    expect(runSql(old, version)).toEqual(sql(version));
    expect(runSql(old, table)).toEqual(sql(table));
    expect(rowsOf(old)).toMatchObject([{ id: 1n }, { id: 2n }]);
  });

  it.each([':memory:', 'file:plants.db?mode=memory', 'file:plants.db'])(
    'is a file also where SQLite would understand something else: %s',
    async (name) => {
      const before = process.cwd();
      process.chdir(folder);
      try {
        const store = openSqliteStore(name);
        await store.addAll([{ id: 1n, name: 'Ficus' }]);
        await store.close();
      } finally {
        process.chdir(before);
      }
      expect(rowsOf(join(folder, name))).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
    },
  );

  it('is served on by this program once a newer one has added columns', async () => {
    const store = openSqliteStore(file);
    expect(store.description).toMatchObject({ store: file, made: true });
    sql('ALTER TABLE plants ADD COLUMN age INTEGER');
    sql("ALTER TABLE plants ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'");
    sql('PRAGMA user_version = 99');
    expect(await store.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['stored']);
    await store.close();
    const restarted = openSqliteStore(file);
    expect(restarted.description).toEqual({ store: file, made: false, schemaVersion: 99 });
    expect(await restarted.addAll([{ id: 1n, name: 'Ficus' }])).toEqual(['replayed']);
    await restarted.close();
    expect(sql('PRAGMA user_version')).toEqual([{ user_version: 99 }]);
  });

  it('says that the disk takes long to sync a commit, once in a while, and measures the longest sync since it was asked', async () => {
    const told: string[] = [];
    const store = openSqliteStore(file, { syncWarnMs: 0, warn: (text) => told.push(text) });
    for (const id of [1n, 2n]) await store.addAll([{ id, name: 'Ficus' }]);
    const syncs = [store, store].map((each) => each.measure().find(({ name }) => name === 'store_sync_seconds')?.value);
    await store.close();
    expect(told).toEqual([
      expect.stringMatching(
        /^the disk of the store \S+ took \d+\.\d s to sync a commit: nothing else is served meanwhile$/,
      ),
    ]);
    expect(syncs).toEqual([expect.any(Number), 0]);
    expect(syncs[0]).toBeGreaterThan(0);
  });

  it('measures its file, its log and the room on its disk', async () => {
    const store = openSqliteStore(file);
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    const values = Object.fromEntries(store.measure().map(({ name, value }) => [name, value]));
    expect(values).toEqual({
      store_file_bytes: statSync(file).size,
      store_log_bytes: statSync(`${file}-wal`).size,
      store_disk_free_bytes: expect.any(Number) as unknown,
      store_sync_seconds: expect.any(Number) as unknown,
    });
  });

  it('is measured also while its folder is gone, as a disk that is unmounted', async () => {
    const store = openSqliteStore(file);
    renameSync(folder, `${folder}-aside`);
    try {
      expect(store.measure()).toMatchObject([
        { name: 'store_sync_seconds', value: 0 },
        { name: 'store_file_bytes', value: 0 },
        { name: 'store_log_bytes', value: 0 },
        { name: 'store_disk_free_bytes', value: 0 },
      ]);
    } finally {
      renameSync(`${folder}-aside`, folder);
    }
    await store.close();
  });

  it('is made once by two processes that start together', async () => {
    const locked = await lockedByAnotherProcess(200);
    await openSqliteStore(file).close();
    await locked.released;
    expect(rowsOf(file)).toEqual([]);
  });
});

describe('the SQLite store', () => {
  it('syncs its write-ahead log with every commit', async () => {
    const opened = jest.spyOn(sqlite, 'openDatabase');
    openSqliteStore(file);
    const [writing] = opened.mock.results.map(({ value }) => value as sqlite.Database);
    opened.mockRestore();
    const pragma = (name: string): unknown => writing?.prepare(`PRAGMA ${name}`).get()?.[name];
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2); // FULL
    expect(pragma('fullfsync')).toBe(1);
  });

  it('has everything in its one file when it is closed', async () => {
    const store = openSqliteStore(file);
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    await store.close();
    for (const beside of ['-wal', '-shm']) rmSync(file + beside, { force: true });
    expect(rowsOf(file)).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('closes while another process holds the file, and loses nothing', async () => {
    const store = openSqliteStore(file);
    await store.addAll([{ id: 1n, name: 'Ficus' }]);
    const locked = await lockedByAnotherProcess(50);
    await store.close();
    await locked.released;
    expect(rowsOf(file)).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('is checked in full once another process that holds the file has released it', async () => {
    makeFile(file);
    const locked = await lockedByAnotherProcess(200, 'EXCLUSIVE');
    expect(verifySqliteFile(file)).toEqual([]);
    await locked.released;
  });

  it('stores nothing of a batch with what it has no room for, says which plants, and goes on with the next', async () => {
    const store = openSqliteStore(file);
    const noInt64 = { id: 2n ** 63n, name: 'Aloe' };
    const refusal = {
      name: 'BatchRefused',
      cause: { message: expect.stringContaining('BigInt value is too large') as unknown },
    };
    const refused = await store.addAll([noInt64, { id: 1n, name: 'Ficus' }, noInt64]).catch((error: unknown) => error);
    expect(refused).toMatchObject(refusal);
    expect([...(refused as BatchRefused).refused]).toMatchObject([
      [0, refusal],
      [2, refusal],
    ]);
    expect(rowsOf(file)).toEqual([]);
    expect(await store.addAll([{ id: 1n, name: 'Hedera' }])).toEqual(['stored']);
    expect(rowsOf(file)).toEqual([{ id: 1n, name: 'Hedera', tag: null }]);
  });

  it('fails after a while where the file stays locked, and works again once it is released', async () => {
    const repository = repositoryOn(openSqliteStore(file, { lockWaitMs: 50 }));
    const other = sqlite.openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(repository.add({ id: 1n, name: 'Ficus' })).rejects.toMatchObject({
      code: ErrorCode.StoreUnavailable,
      message: 'the store does not answer',
      cause: { errcode: 5, message: 'database is locked' },
    });
    other.exec('ROLLBACK');
    await repository.add({ id: 2n, name: 'Hedera' });
    expect(rowsOf(file)).toEqual([{ id: 2n, name: 'Hedera', tag: null }]);
    other.close();
  });

  it('waits for a lock that is released in time', async () => {
    const store = openSqliteStore(file);
    const other = sqlite.openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    const added = store.addAll([{ id: 1n, name: 'Ficus' }]);
    setImmediate(() => other.exec('ROLLBACK'));
    expect(await added).toEqual(['stored']);
    expect(rowsOf(file)).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
    other.close();
  });

  it('shares its file with another: of two plants with one id, one is stored', async () => {
    const both = [1, 2].map(() => repositoryOn(openSqliteStore(file)));
    const ids = Array.from({ length: 500 }, (_each, index) => BigInt(index));
    const became = await Promise.all(
      ids.map((id) => Promise.allSettled(both.map((plants, index) => plants.add({ id, name: `from store ${index}` })))),
    );
    const winners = became.map((results) =>
      results.flatMap(({ status }, index) => (status === 'fulfilled' ? [`from store ${index}`] : [])),
    );
    expect(rowsOf(file).map(({ name }) => [name])).toEqual(winners);
  });
});

it('is refused in UTF-16, whose plants could be stored, but neither verified nor exported', () => {
  const database = sqlite.openDatabase(file);
  database.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE empty (id); DROP TABLE empty");
  database.close();
  expect(refusal()).toBe('its encoding is UTF-16le, in which plants cannot be verified: expected UTF-8');
});

describe('a schema that is changed while the SQLite store serves', () => {
  const TRIGGER = 'its table plants has the trigger spoil, which may change or remove plants: drop it';
  const KEY =
    'its table plants has no primary key of id alone, so that an id may be stored twice: make it again with id INTEGER PRIMARY KEY';
  it.each(table`
    CREATE TRIGGER spoil BEFORE INSERT ON plants BEGIN SELECT RAISE(IGNORE); END | DROP TRIGGER spoil | ${TRIGGER}
    CREATE TRIGGER spoil AFTER INSERT ON plants BEGIN DELETE FROM plants WHERE id = NEW.id; END | DROP TRIGGER spoil
      | ${TRIGGER}
    DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}, latin TEXT NOT NULL) STRICT
      | ALTER TABLE plants DROP COLUMN latin
      | its table plants has a column latin that must be filled, and this program does not know it: expected a newer program
    DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name NUMERIC NOT NULL, tag TEXT${MORE})
      | DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}) STRICT
      | its table plants has a column name of the type NUMERIC, which may store another value than it is given: expected TEXT. If its property is of another type than before, see src/plants/README.md
    DROP TABLE plants; CREATE TABLE plants (id INTEGER, name TEXT NOT NULL, tag TEXT${MORE}) STRICT
      | DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}) STRICT | ${KEY}
    DROP TABLE plants; CREATE TABLE plants (id INTEGER, name TEXT NOT NULL, tag TEXT${MORE}, PRIMARY KEY (id, name)) STRICT
      | DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}) STRICT | ${KEY}
    DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT NOT NULL DEFAULT ''${MORE}) STRICT
      | DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}) STRICT
      | its table plants has a column tag that is NOT NULL, so that it takes no plants without: expected one that may be NULL
    DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT NOT NULL ON /* */ CONFLICT REPLACE DEFAULT ''${MORE}) STRICT
      | DROP TABLE plants; CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}) STRICT
      | its table plants has a constraint with ON CONFLICT, which may store another value than it is given: make it again without
  `)('%s: refuses creates and is not ready until it is undone, and does not start', async (change, undo, message) => {
    const store = openSqliteStore(file);
    const repository = repositoryOn(store);
    const other = sqlite.openDatabase(file);
    await repository.add({ id: 1n, name: '007' });
    other.exec(change);
    const before = rowsOf(file);
    await expect(repository.add({ id: 2n, name: '007' })).rejects.toMatchObject({
      code: ErrorCode.StoreUnavailable,
      cause: { message: `the store ${file}: ${message}` },
    });
    await expect(store.ready()).rejects.toThrow(message);
    expect(refusal()).toBe(message);
    expect(rowsOf(file)).toEqual(before);
    other.exec(undo);
    other.close();
    await store.ready();
    await repository.add({ id: 3n, name: '007' });
    expect(rowsOf(file)).toEqual([...before, { id: 3n, name: '007', tag: null }]);
  });

  it.each([
    ['CREATE UNIQUE INDEX names ON plants (name)', `id 3 is neither inserted nor there`],
    [
      `CREATE INDEX kinds ON plants (json_extract(CASE name WHEN 'Ficus' THEN name ELSE '{}' END, '$.kind')) WHERE id > 1`,
      'refuses a plant',
    ],
    ["ALTER TABLE plants ADD COLUMN age INTEGER CHECK (name <> 'Ficus' OR id = 1)", 'refuses a plant'],
  ])('%s: refuses the plants that break it, and stores the others of their batch', async (change, message) => {
    const store = openSqliteStore(file);
    const repository = repositoryOn(store);
    await repository.add({ id: 1n, name: 'Ficus' });
    sql(change);
    const names = ['Monstera', 'Ficus', 'Aloe'];
    const added = await Promise.allSettled(names.map((name, index) => repository.add({ id: BigInt(index + 2), name })));
    expect(added).toEqual([
      { status: 'fulfilled', value: undefined },
      {
        status: 'rejected',
        reason: expect.objectContaining({
          code: ErrorCode.Internal,
          cause: expect.objectContaining({ name: 'BatchRefused', message: expect.stringContaining(message) }),
        }),
      },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(rowsOf(file).map(({ name }) => name)).toEqual(['Ficus', 'Monstera', 'Aloe']);
  });
});

it('is refused, and named as what it may be, where sqlite3 has copied it without the version of its schema', async () => {
  const store = openSqliteStore(file);
  const { schemaVersion } = store.description;
  await store.close();
  sql('PRAGMA user_version = 0');
  const statement = `PRAGMA user_version = ${schemaVersion}`;
  const message =
    'it has a table plants, and 0 as the version of its schema, as .dump and .clone of sqlite3 leave it. If it is a store of plants, say so:';
  expect(refusal()).toBe(`${message} ${statement}`);
  sql(statement);
  await openSqliteStore(file).close();
});

it('is ready without a look at its plants, of which the first may be large', async () => {
  const store = openSqliteStore(file);
  await store.addAll([{ id: 1n, name: 'Ficus' }]);
  sql("UPDATE plants SET name = CAST(x'ff' AS TEXT)");
  await store.ready();
  expect(() => store.page(1n, 1)).toThrow('expected UTF-8');
});

describe('the SQLite store refuses to open', () => {
  const RESTORE =
    'Restore it from a backup, without its -wal and -shm files; or move all three away to begin with an empty store';
  const MAKE_WRITABLE = 'Make the file and its folder writable for this process, or name another file in DATABASE_URL';

  it('a file that is no database', () => {
    writeFileSync(file, 'id,name,tag\n'.repeat(1_000));
    expect(refusal()).toBe(`it is no sound SQLite database (file is not a database). ${RESTORE}`);
    expect(readFileSync(file, 'utf8')).toBe('id,name,tag\n'.repeat(1_000));
  });

  it.each<[what: string, damage: () => void]>([
    ['the first page of its table is overwritten', () => overwritePage(file, 1)],
    ['the page with its first plant is overwritten', () => overwritePage(file, 2)],
    ['the end is lost', () => truncateSync(file, 5 * PAGE_BYTES)],
  ])('a database of which %s', (_what, damage) => {
    makeFile(file, 1_000);
    damage();
    expect(refusal()).toBe(`it is no sound SQLite database (database disk image is malformed). ${RESTORE}`);
  });

  it('a database of a newer version of the program whose columns must be filled, and leaves it as it is', () => {
    makeFile(file);
    sql('DROP TABLE plants');
    sql(
      `CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT${MORE}, age INTEGER NOT NULL) STRICT`,
    );
    sql('PRAGMA user_version = 99');
    expect(refusal()).toBe(
      'its table plants has a column age that must be filled, and this program does not know it: expected a newer program',
    );
    expect(sql('PRAGMA user_version')).toEqual([{ user_version: 99 }]);
  });

  it('a database of something else', () => {
    sql('CREATE TABLE plants (latin TEXT)');
    const advice = 'Name another file in DATABASE_URL';
    const before = readFileSync(file);
    expect(refusal()).toBe(`it is a database of something else, without a table of plants. ${advice}`);
    expect(readFileSync(file).equals(before)).toBe(true);
    sql('PRAGMA user_version = 1');
    const versioned = readFileSync(file);
    expect(refusal()).toBe(`it is a database of something else (no such column: id). ${advice}`);
    expect(readFileSync(file).equals(versioned)).toBe(true);
    sql('ALTER TABLE plants ADD COLUMN id INTEGER');
    const numbered = readFileSync(file);
    expect(refusal()).toMatch(/^its table plants has no column name, tag\. /);
    expect(readFileSync(file).equals(numbered)).toBe(true);
  });

  it('a database whose table lacks a column, and names the statement that adds it', () => {
    makeFile(file);
    sql('ALTER TABLE plants DROP COLUMN tag');
    expect(refusal()).toBe(
      'its table plants has no column tag. If it was dropped, restore a backup, or add it empty: ALTER TABLE plants ADD COLUMN "tag" TEXT. ' +
        'If Plant has gained it, this belongs to the migrations of the program (src/plants/README.md)',
    );
  });

  it('a database that another process holds locked, and says before that it waits', () => {
    makeFile(file);
    const other = sqlite.openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    const told: string[] = [];
    expect(refusal({ openWaitMs: 600, warn: (text) => told.push(text) })).toBe(
      'another process holds it locked (database is locked). Stop that process, or name another file in DATABASE_URL',
    );
    expect(told).toEqual([`another process holds the store ${file} locked; waiting up to 600 ms`]);
    other.close();
  });

  it.each([
    [10, 'disk I/O error'],
    [13, 'database or disk is full'],
  ])('a file on a disk that does not work: error %d', (errcode, message) => {
    const open = jest.spyOn(sqlite, 'openDatabase').mockImplementation(() => {
      throw Object.assign(new Error(message), { errcode });
    });
    expect(refusal()).toBe(`${message}. See that its disk works and has room`);
    open.mockRestore();
  });

  it.each([
    ['a folder', () => mkdirSync(file), `unable to open database file. ${MAKE_WRITABLE}`],
    [
      'a file below a file',
      () => {
        writeFileSync(file, '');
        file = join(file, 'plants.db');
      },
      /^ENOTDIR: not a directory, (?:stat|open) '/,
    ],
    ['a file system that makes no folders', () => (file = '/proc/plants/plants.db'), /^ENOENT: .* Make the file and/],
  ])('%s', (_what, make, expected) => {
    make();
    expect(refusal()).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
  });

  // Permissions do not bind root, but they bind root as somebody else.
  (canBeNobody() ? it : it.skip).each<[what: string, deny: () => void, message: () => string]>([
    [
      'a file that it may not make, nor its folder',
      () => {
        chmodSync(folder, 0o555);
        file = join(folder, 'data', 'plants.db');
      },
      () => `EACCES: permission denied, mkdir '${join(folder, 'data')}'`,
    ],
    ['a file that it may not read', () => chmodFile(0o000), () => 'unable to open database file'],
    ['a file that it may not write', () => chmodFile(0o444), () => 'attempt to write a readonly database'],
  ])('%s', (_what, deny, message) => {
    deny();
    expect(asNobody(() => refusal())).toBe(`${message()}. ${MAKE_WRITABLE}`);
  });
});

function chmodFile(mode: number): void {
  makeFile(file);
  chmodSync(folder, 0o777);
  chmodSync(file, mode);
}

/** What is said against opening the file, after its name. */
function refusal(options: Parameters<typeof openSqliteStore>[1] = { openWaitMs: 50 }): string {
  const start = `the store ${file} cannot be opened: `;
  try {
    void openSqliteStore(file, options).close();
    return 'the store was opened';
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(start)) throw error;
    // What native code throws says a little more under Jest (it is of another realm's Error), and on Node before 24.
    return error.message.slice(start.length).replace(/Error: |Failed to open database: /g, '');
  }
}

const sql = (statement: string): Record<string, sqlite.SqlValue>[] => runSql(file, statement);

/** Another process that holds the lock of the file, of writers or of all, and releases it after a while. */
async function lockedByAnotherProcess(forMs: number, mode = 'NORMAL'): Promise<{ released: Promise<unknown> }> {
  const script = `
    const [major] = process.versions.node.split('.').map(Number);
    const { DatabaseSync } = require(major >= 24 ? 'node:sqlite' : '@photostructure/sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('PRAGMA locking_mode = ${mode}; BEGIN IMMEDIATE');
    console.log('locked');
    setTimeout(() => database.exec('ROLLBACK'), Number(process.argv[2]));
  `;
  const child = spawn(process.execPath, ['-e', script, file, String(forMs)], {
    cwd: __dirname,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const released = once(child, 'close');
  await once(child.stdout, 'data');
  return { released };
}

function canBeNobody(): boolean {
  try {
    return asNobody(() => true);
  } catch {
    return false;
  }
}

/** Does something that does not wait with the permissions of a stranger. */
function asNobody<T>(act: () => T): T {
  const self = process.geteuid?.();
  if (self !== 0) return act();
  process.seteuid?.(65_534);
  try {
    return act();
  } finally {
    process.seteuid?.(self);
  }
}
