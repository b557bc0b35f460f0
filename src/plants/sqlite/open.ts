/** An SQLite file that may be a store: opened and brought up to date; or read from end to end. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../engine';
import { explain } from './advice';
import { type Database, openDatabase, SqliteCode, sqliteCode } from './driver';
import { assertFileOfLog } from './file';
import { checkTable } from './table';

/** The schema's versions, in order; `PRAGMA user_version` counts those that a file has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT'];

/** What an operator is told, a sentence at a time. */
export type Tell = (text: string) => void;

/** A database that is a store, and what this start found there. */
export interface OpenedDatabase {
  database: Database;
  made: boolean;
  schemaVersion: number;
}

/** Opens the database in the file; if another process holds it locked, tries again until `waitMs` are over. */
export function openStoreDatabase(path: string, waitMs: number, tell: Tell): OpenedDatabase {
  const start = performance.now();
  let told = false;
  for (;;) {
    try {
      return open(path, tell);
    } catch (error) {
      const waited = performance.now() - start;
      if (sqliteCode(error) !== SqliteCode.BUSY || waited > waitMs) throw error;
      if (!told && waited > TELL_AFTER_MS) {
        tell(`another process holds the store ${path} locked; waiting up to ${waitMs} ms`);
        told = true;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Reads all of a store, which may be served at the same time; gives what is wrong with it, nothing if it is sound.
 * Throws an Error that says what to do if it cannot be read.
 */
export function verifySqliteFile(given: string): string[] {
  const path = resolve(given);
  try {
    if (!existsSync(path)) throw new Error('there is no such file');
    assertFileOfLog(realpathSync(path));
    return integrityProblems(path);
  } catch (cause) {
    throw new Error(`the store ${path} cannot be verified: ${explain(cause)}`, { cause });
  }
}

const LOOK_AT_ENDS = `SELECT * FROM plants
  WHERE id IN (SELECT min(id) FROM plants UNION ALL SELECT max(id) FROM plants)`;
const TELL_AFTER_MS = 300;
const LARGE_LOG_BYTES = 128 * 1024 * 1024;

function open(path: string, tell: Tell): OpenedDatabase {
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (logBytes > LARGE_LOG_BYTES) tell(`reading ${Math.round(logBytes / 2 ** 20)} MB of the log of the store ${path}`);
  const database = openDatabase(path);
  try {
    // Waiting is done between attempts, here and in store.ts: SQLite's own would stop the process.
    database.exec('PRAGMA busy_timeout = 0');
    // Without fullfsync, macOS syncs to a disk's own memory.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    // A page is checked when it is read from the file: one that is damaged is an error, not a wrong answer.
    database.exec('PRAGMA cell_size_check = ON');
    const before = migrate(database, path, tell);
    return { database, made: before === 0, schemaVersion: Math.max(before, MIGRATIONS.length) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Brings the schema up to date; gives the version that it had. That of a newer program is as good if it only adds. */
function migrate(database: Database, path: string, tell: Tell): number {
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = schemaVersion(database);
    if (version > 0 && version < MIGRATIONS.length) {
      tell(`bringing the schema of the store ${path} from version ${version} to ${MIGRATIONS.length}`);
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    // Also if it changes nothing, so that a file that cannot be written is refused now.
    database.exec(`PRAGMA user_version = ${Math.max(version, MIGRATIONS.length)}`);
    checkTable(database);
    // Not a check of all plants, which `verifySqliteFile` is: that there is such a table, and a way to both of its ends.
    database.exec(LOOK_AT_ENDS);
    database.exec('COMMIT');
    return version;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function schemaVersion(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
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
