/** Opens an SQLite file as a store and brings its schema up to date; or verifies it from end to end. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../engine';
import { columns, leftOut, otherSchema } from '../columns';
import { explain } from './advice';
import { type Database, openDatabase, SqliteCode, sqliteCode } from './driver';
import { assertFileOfLog, assertOneName } from './file';
import { checkTable } from './table';

/** The schema's versions, in order; `PRAGMA user_version` is the number of those that a file has had. Only append to them. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

/** Takes a message for operators, a sentence at a time. */
export type Warn = (text: string) => void;

/** An open store, and its state at this start. */
export interface OpenedDatabase {
  database: Database;
  made: boolean;
  schemaVersion: number;
}

interface OpenOptions {
  /** The longest wait for a process that holds the file locked. */
  waitMs: number;
  /** Refuses a file without the schema of this program instead of changing it. */
  mustExist: boolean;
  warn: Warn;
}

/** Opens the database in the file, and tries again while another process holds it locked. */
export function openStoreDatabase(path: string, { waitMs, mustExist, warn }: OpenOptions): OpenedDatabase {
  const start = performance.now();
  let hasWarned = false;
  for (;;) {
    try {
      return open(path, mustExist, warn);
    } catch (error) {
      const waited = performance.now() - start;
      if (sqliteCode(error) !== SqliteCode.BUSY || waited > waitMs) throw error;
      if (!hasWarned && waited > WARN_AFTER_MS) {
        warn(`another process holds the store ${path} locked; waiting up to ${waitMs} ms`);
        hasWarned = true;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Reads all of a store, which may be served at the same time; returns its faults, none if it is sound. Throws an Error that says what to do
 * if it cannot be read.
 */
export function verifySqliteFile(given: string): string[] {
  const path = resolve(given);
  try {
    if (!existsSync(path)) throw new Error('there is no such file');
    const real = realpathSync(path);
    assertFileOfLog(real);
    assertOneName(real);
    return integrityProblems(path);
  } catch (cause) {
    throw new Error(`the store ${path} cannot be verified: ${explain(cause)}`, { cause });
  }
}

/** Reads the first and the last plant, a quick check before anything is changed. `verifySqliteFile` checks all of them. */
const LOOK_AT_ENDS = `SELECT * FROM plants
  WHERE id IN (SELECT min(id) FROM plants UNION ALL SELECT max(id) FROM plants)`;
const WARN_AFTER_MS = 300;
/** The longest wait of a check for a process that holds the file locked. */
const BUSY_MS = 5_000;
const LARGE_LOG_BYTES = 128 * 1024 * 1024;

function open(path: string, mustExist: boolean, warn: Warn): OpenedDatabase {
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes > LARGE_LOG_BYTES) warn(`reading ${Math.round(logBytes / 2 ** 20)} MB of the log of the store ${path}`);
  const database = openDatabase(path);
  try {
    // Retries wait outside of SQLite, here and in store.ts: its own busy timeout would block the event loop.
    database.exec('PRAGMA busy_timeout = 0');
    // Checks each page when it is read from the file: a damaged one is an error instead of a wrong answer.
    database.exec('PRAGMA cell_size_check = ON');
    const version = schemaVersion(database);
    if (version === 0) refuseForeign(database);
    // Fails in a database of something else that has a version of its own.
    else database.exec(LOOK_AT_ENDS);
    const other = mustExist ? otherSchema(version, MIGRATIONS.length) : undefined;
    if (other !== undefined) throw new Error(other);
    // Without fullfsync, macOS syncs to the cache of the disk only.
    database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    if (mustExist) checkTable(database);
    else migrate(database, path, warn);
    // Behind these, because a database of something else that has a table plants is left as it is.
    database.exec('PRAGMA journal_mode = WAL');
    if (mustExist) {
      const found = database.prepare('PRAGMA table_info(plants)').all();
      const others = leftOut(found.map(({ name }) => name));
      if (others !== undefined) warn(`the store ${path}: ${others}`);
    } else beginLog(database);
    return { database, made: version === 0, schemaVersion: Math.max(version, MIGRATIONS.length) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws for a database of something else, before anything in it is changed. */
function refuseForeign(database: Database): void {
  if (!database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table'`).get()) return;
  const found = database.prepare('PRAGMA table_info(plants)').all();
  const isCopy = columns.every((column) => found.some(({ name }) => name === column));
  throw new Error(
    isCopy
      ? `it has a table plants, and 0 as the version of its schema, as .dump and .clone of sqlite3 leave it. If it is a store of plants, say so: PRAGMA user_version = ${MIGRATIONS.length}`
      : 'it is a database of something else, without a table of plants. Name another file in DATABASE_URL',
  );
}

/** Brings the schema up to date. A schema of a newer program is accepted if it only adds to this one. */
function migrate(database: Database, path: string, warn: Warn): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(database);
    if (version > 0 && version < MIGRATIONS.length) {
      warn(`bringing the schema of the store ${path} from version ${version} to ${MIGRATIONS.length}`);
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${Math.max(version, MIGRATIONS.length)}`);
    checkTable(database);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Writes the version that a file has once more: one that cannot be written is refused now, and its log is there from the start. */
function beginLog(database: Database): void {
  database.exec('BEGIN IMMEDIATE');
  database.exec(`PRAGMA user_version = ${schemaVersion(database)}`);
  database.exec('COMMIT');
}

function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function integrityProblems(path: string): string[] {
  const database = openDatabase(path);
  try {
    // A server that starts holds it locked for a moment.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec(LOOK_AT_ENDS);
    // A row may have several findings, a line each, below a line with the name of the database.
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
