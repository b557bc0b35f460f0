/** The store behind a test's service: a file of SQLite or, with TEST_STORE=postgres, a schema in PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlantStore } from '../../../src/plants/store';
import { openDatabase, type SqlValue } from '../../../src/plants/sqlite/driver';
import { openPostgresStore } from '../../../src/plants/postgres/store';
import { openSqliteStore } from '../../../src/plants/sqlite/store';
import { freshDatabase, rowsInSync } from '../../support/postgres';

export type Row = Record<string, SqlValue>;

export interface ServiceStore {
  open(): PlantStore | Promise<PlantStore>;
  /** What is in the store, read by another connection. */
  rows(): Row[];
  remove(): void | Promise<void>;
}

/** An empty store of the kind that this run is about. */
export async function freshStore(): Promise<ServiceStore> {
  if (process.env.TEST_STORE === 'postgres') {
    const database = await freshDatabase();
    const { url } = database;
    return { open: () => openPostgresStore(url), rows: () => rowsInSync(url), remove: () => database.drop() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'plants-'));
  const file = join(folder, 'plants.db');
  return {
    open: () => openSqliteStore(file),
    rows: () => rowsOf(file),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The plants of a store file, by id. */
export function rowsOf(file: string): Row[] {
  const database = openDatabase(file);
  try {
    const all = database.prepare('SELECT id, name, tag FROM plants ORDER BY id');
    all.setReadBigInts(true);
    return all.all().map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
