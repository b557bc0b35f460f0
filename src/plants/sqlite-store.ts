/** Plants in an SQLite file, synced to disk with every commit. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../api-error';
import type { Outcome, PlantStore } from './group-commit';
import type { NewPlant } from './plant-repository';
import { type Database, openDatabase, sqliteCode, type Statement } from './sqlite';

/** The schema's versions, in order; `PRAGMA user_version` counts those that a file has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

/** How long another process may hold the file before a create is refused. */
const LOCK_WAIT_MS = 2_000;
/** The same while the store is opened, when nobody else waits for this process. */
const OPEN_WAIT_MS = 5_000;

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** Opens the file, or makes it, and brings its schema up to date; throws an Error that says what to do. */
export function openSqliteStore(file: string): PlantStore {
  try {
    mkdirSync(dirname(file), { recursive: true });
    return new SqliteStore(openSound(file));
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
  constructor(private readonly database: Database) {
    // Waiting is done here, between attempts: SQLite's own would stop the process.
    database.exec('PRAGMA busy_timeout = 0');
    this.begin = database.prepare('BEGIN IMMEDIATE');
    this.insert = database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.select = database.prepare('SELECT name, tag FROM plants WHERE id = ?');
    this.commit = database.prepare('COMMIT');
    // Without this a large id is an error in what the statement returns, after the row is in.
    for (const statement of [this.insert, this.select]) statement.setReadBigInts(true);
  }

  async addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    const deadline = performance.now() + LOCK_WAIT_MS;
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

function openSound(file: string): Database {
  const database = openDatabase(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${OPEN_WAIT_MS}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    checkSound(database);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkSound(database: Database): void {
  const row = database.prepare('PRAGMA quick_check(1)').get();
  const result = row && Object.values(row)[0];
  if (result !== 'ok') throw new Corrupt(String(result));
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
  const code = error instanceof Corrupt ? SQLITE_CORRUPT : sqliteCode(error);
  switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return `it is no sound SQLite database (${message}). Restore it from a backup; or move it away, with its -wal and -shm files, to begin with an empty store`;
    case SQLITE_BUSY:
      return `another process holds it locked (${message}). Stop that process, or name another file in DATABASE_URL`;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return `${message}. Make the file and its folder writable for this process, or name another file in DATABASE_URL`;
    default:
      return message;
  }
}
