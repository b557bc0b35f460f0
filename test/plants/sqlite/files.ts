/** Stores that are closed after their test, and their files, made, looked into and damaged without them. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { openDatabase, type SqlValue } from '../../../src/plants/sqlite/driver';
import * as sqlite from '../../../src/plants/sqlite/store';

export const PAGE_BYTES = 4096;

type Store = ReturnType<typeof sqlite.openSqliteStore>;

/** Stores that their test has not closed, because it has failed before: one whose file is then removed ends the process. */
const open = new Set<Store>();
afterEach(async () => {
  await Promise.allSettled([...open].map(async (store) => store.close()));
});

/** Opens a store that is closed after its test at the latest. */
export function openSqliteStore(...given: Parameters<typeof sqlite.openSqliteStore>): Store {
  const store = sqlite.openSqliteStore(...given);
  const close = store.close.bind(store);
  store.close = () => {
    open.delete(store);
    return close();
  };
  open.add(store);
  return store;
}

/** Makes the file as version 1 of the schema has it, with plants 1 to `count` of about a kilobyte. */
export function makeFile(file: string, count = 0): void {
  const database = openDatabase(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT) STRICT;
    PRAGMA user_version = 1;
    WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers)
    INSERT INTO plants SELECT id, hex(zeroblob(500)), NULL FROM numbers LIMIT ${count};
  `);
  database.close();
}

/** Runs a statement on the file by a connection of its own. */
export function runSql(file: string, statement: string): Record<string, SqlValue>[] {
  const database = openDatabase(file);
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

/** Overwrites a page, counted from 0, with what is no page. */
export function overwritePage(file: string, page: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(descriptor);
}
