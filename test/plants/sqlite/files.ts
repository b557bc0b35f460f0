/** Stores that are closed after their test, and their files, made, looked into and damaged without them. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
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

/** Changes a key, from 128 to 16383, by which the tree of the table is searched. */
export function changeKey(file: string, key: number, to: number): void {
  const bytes = readFileSync(file);
  const inner = 5; // the type of a page with keys alone, in its first byte
  for (let page = 0; page < bytes.length; page += PAGE_BYTES) {
    const count = bytes[page] === inner ? bytes.readUInt16BE(page + 3) : 0;
    for (let index = 0; index < count; index++) {
      const cell = page + bytes.readUInt16BE(page + 12 + 2 * index) + 4;
      if (bytes.readUInt16BE(cell) === varint(key)) bytes.writeUInt16BE(varint(to), cell);
    }
  }
  writeFileSync(file, bytes);
}

/** A number of 14 bits as SQLite writes it, in two bytes. */
function varint(value: number): number {
  return ((value >> 7) << 8) | 0x8000 | (value & 0x7f);
}
