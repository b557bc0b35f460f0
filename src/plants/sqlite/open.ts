/** An SQLite file that may be a store: opened or made, found sound, and brought up to date. */
import { Corrupt } from './advice';
import { type Database, openDatabase, SqliteCode, sqliteCode } from './driver';

/** The schema's versions, in order; `PRAGMA user_version` counts those that a file has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

/** Opens the file, or makes it; tries again where SQLite itself does not wait for a lock: when two processes make one. */
export function openStoreFile(path: string, waitMs: number): Database {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return openSound(path, waitMs);
    } catch (error) {
      if (sqliteCode(error) !== SqliteCode.BUSY || performance.now() > deadline) throw error;
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
