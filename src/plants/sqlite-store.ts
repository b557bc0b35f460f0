/** Plants in an SQLite file, synced to disk with every commit. */
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../api-error';
import type { Outcome, PlantStore } from './group-commit';
import type { NewPlant } from './plant-repository';
import { type Database, openDatabase, sqliteCode, type Statement } from './sqlite';

/** The schema's versions, in order; `PRAGMA user_version` counts those that a file has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

export interface SqliteStoreOptions {
  /** How long another process may hold the file locked before a create is refused. */
  lockWaitMs?: number;
  /** The same while the store is opened, when nobody else waits for this process. */
  openWaitMs?: number;
}

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** Opens the file, or makes it, and brings its schema up to date; throws an Error that says what to do. */
export function openSqliteStore(
  file: string,
  { lockWaitMs = 2_000, openWaitMs = 5_000 }: SqliteStoreOptions = {},
): PlantStore {
  // A whole path is always a file; SQLite takes `:memory:` and `file:?mode=memory` for stores that are on no disk.
  const path = resolve(file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    return new SqliteStore(openPatiently(path, openWaitMs), lockWaitMs);
  } catch (cause) {
    throw new Error(`the store ${file} cannot be opened: ${explain(cause)}`, { cause });
  }
}

/** Two processes may have the same file open: every batch is one transaction that begins by taking the write lock. */
class SqliteStore implements PlantStore {
  private readonly begin: Statement;
  private readonly insert: Statement;
  private readonly select: Statement;
  private readonly commit: Statement;

  /** Holds the database as long as its statements. */
  constructor(
    private readonly database: Database,
    private readonly lockWaitMs: number,
  ) {
    // Waiting is done here, between attempts: SQLite's own would stop the process.
    database.exec('PRAGMA busy_timeout = 0');
    this.begin = database.prepare('BEGIN IMMEDIATE');
    this.insert = database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.select = database.prepare('SELECT name, tag FROM plants WHERE id = ?');
    this.commit = database.prepare('COMMIT');
    // Without this a large id is an error in what the statement returns, after the row is in.
    for (const each of [this.begin, this.insert, this.select, this.commit]) each.setReadBigInts(true);
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + this.lockWaitMs;
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, 50)) {
      try {
        return this.transaction(plants);
      } catch (error) {
        if (sqliteCode(error) !== SQLITE_BUSY || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  close(): void {
    try {
      // The backport keeps the file open until the statements are garbage: without this, plants would stay in the log.
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // They are as safe there, and the next start finds them.
    }
    this.database.close();
  }

  private transaction(plants: readonly NewPlant[]): Outcome[] {
    this.begin.run();
    try {
      const outcomes = plants.map((plant) => this.add(plant));
      this.commit.run();
      return outcomes;
    } catch (error) {
      // Some failures have rolled back already.
      if (this.database.isTransaction) this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private add({ id, name, tag }: NewPlant): Outcome {
    const row = { name, tag: tag ?? null };
    if (Number(this.insert.run(id, row.name, row.tag).changes) === 1) return 'stored';
    const stored = this.select.get(id);
    return stored?.name === row.name && stored.tag === row.tag ? 'replayed' : 'taken';
  }
}

/** Tries again where SQLite itself does not wait for a lock: when two processes make the same file. */
function openPatiently(path: string, waitMs: number): Database {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return openSound(path, waitMs);
    } catch (error) {
      if (sqliteCode(error) !== SQLITE_BUSY || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function openSound(path: string, waitMs: number): Database {
  const database = openDatabase(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    // Without the last, macOS syncs to a disk's own memory.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    checkSound(database);
    migrate(database);
    database.prepare('SELECT id, name, tag FROM plants');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkSound(database: Database): void {
  const row = database.prepare('PRAGMA quick_check(1)').get();
  const result = row && Object.values(row)[0];
  // Before the finding is a line that names the database.
  if (result !== 'ok') throw new Corrupt(String(result).split('\n').at(-1));
}

function migrate(database: Database): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    if (version > MIGRATIONS.length)
      throw new Error(
        `its schema is of version ${version}, and this program knows ${MIGRATIONS.length}: expected a newer program`,
      );
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** What SQLite's own check says of a file that it can open. */
class Corrupt extends Error {}

function explain(error: unknown): string {
  const message = messageOf(error);
  switch (error instanceof Corrupt ? SQLITE_CORRUPT : sqliteCode(error)) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return `it is no sound SQLite database (${message}). Restore it from a backup; or move it away, with its -wal and -shm files, to begin with an empty store`;
    case SQLITE_ERROR:
      return `it is a database of something else (${message}). Name another file in DATABASE_URL`;
    case SQLITE_BUSY:
      return `another process holds it locked (${message}). Stop that process, or name another file in DATABASE_URL`;
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return `${message}. See that its disk works and has room`;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return notWritable(message);
    default:
      return isSystemError(error) ? notWritable(message) : message;
  }
}

function notWritable(message: string): string {
  return `${message}. Make the file and its folder writable for this process, or name another file in DATABASE_URL`;
}

function isSystemError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
