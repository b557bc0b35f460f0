/** An SQLite file that may be a store: opened and brought up to date; or read from end to end. */
import { existsSync, statSync } from 'node:fs';
import { messageOf } from '../../engine/http/api-error';
import { missingColumns } from '../columns';
import { explain } from './advice';
import { type Database, openDatabase, SqliteCode, sqliteCode } from './driver';
import { StoreFile } from './file';
import { markNewFile, refuseForeignLog } from './leftover-log';

/** The schema's versions, in order; `PRAGMA user_version` counts those that a file has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

/** What an operator is told, a sentence at a time. */
export type Tell = (text: string) => void;

/** Opens the database in the file; where another process holds it locked, tries again until `waitMs` are over. */
export function openStoreDatabase(file: StoreFile, waitMs: number, tell: Tell): Database {
  const start = performance.now();
  let told = false;
  for (;;) {
    try {
      return open(file, tell);
    } catch (error) {
      const waited = performance.now() - start;
      if (sqliteCode(error) !== SqliteCode.BUSY || waited > waitMs) throw error;
      if (!told && waited > TELL_AFTER_MS) tell(`another process holds the store locked; waiting up to ${waitMs} ms`);
      told ||= waited > TELL_AFTER_MS;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Reads all of a store, which may be served at the same time; gives what is wrong with it, nothing where it is sound.
 * Throws an Error that says what to do where it cannot be read.
 */
export function verifySqliteFile(given: string): string[] {
  try {
    if (!existsSync(given)) throw new Error('there is no such file');
    const file = new StoreFile(given);
    try {
      refuseForeignLog(file.descriptor, file.path);
      return integrityProblems(file.path);
    } finally {
      file.close();
    }
  } catch (cause) {
    throw new Error(`the store ${given} cannot be verified: ${explain(cause)}`, { cause });
  }
}

const LOOK_AT_ENDS = `SELECT * FROM plants
  WHERE id IN (SELECT min(id) FROM plants UNION ALL SELECT max(id) FROM plants)`;
const SQL_TYPES = { int64: 'INTEGER', text: 'TEXT' } as const;
const TELL_AFTER_MS = 300;
const LARGE_LOG_BYTES = 128 * 1024 * 1024;

function open(file: StoreFile, tell: Tell): Database {
  refuseForeignLog(file.descriptor, file.path);
  const logBytes = statSync(`${file.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes > LARGE_LOG_BYTES) tell(`reading ${Math.round(logBytes / 2 ** 20)} MB of the store's log`);
  const database = openDatabase(file.path);
  try {
    // Waiting is done between attempts, here and in store.ts: SQLite's own would stop the process.
    database.exec('PRAGMA busy_timeout = 0');
    assertKnown(schemaVersion(database));
    markNewFile(database);
    // Without fullfsync, macOS syncs to a disk's own memory.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    // A page is checked when it is read from the file: one that is damaged is an error, not a wrong answer.
    database.exec('PRAGMA cell_size_check = ON');
    migrate(database, tell);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: Database, tell: Tell): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(database);
    assertKnown(version);
    if (version > 0 && version < MIGRATIONS.length) {
      tell(`bringing the store's schema from version ${version} to ${MIGRATIONS.length}`);
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    // Also where it changes nothing: it writes the first page, with which every log begins (leftover-log.ts).
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    const found = database.prepare('PRAGMA table_info(plants)').all();
    const missing = missingColumns(
      found.map(({ name }) => name),
      SQL_TYPES,
      'src/plants/sqlite/open.ts',
    );
    if (missing !== undefined) throw new Error(missing);
    // Not a check of all plants, which `verifySqliteFile` is: that there is such a table, and a way to both of its ends.
    database.exec(LOOK_AT_ENDS);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function assertKnown(version: number): void {
  if (version <= MIGRATIONS.length) return;
  throw new Error(
    `its schema is of version ${version}, and this program knows ${MIGRATIONS.length}: expected a newer program`,
  );
}

function integrityProblems(path: string): string[] {
  const database = openDatabase(path);
  try {
    database.exec(LOOK_AT_ENDS);
    // A row may have several findings, a line each; before them is one that names the database.
    const row = database.prepare('PRAGMA integrity_check').get() ?? {};
    const findings = Object.values(row).flatMap((text) => String(text).split('\n'));
    return findings.filter((finding) => finding !== 'ok' && !finding.startsWith('***'));
  } catch (error) {
    if (sqliteCode(error) === SqliteCode.CORRUPT) return [messageOf(error)];
    throw error;
  } finally {
    database.close();
  }
}
