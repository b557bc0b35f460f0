/** The store that `DATABASE_URL` names, for scripts: the other variables of the service do not matter to it. */
import { statSync } from 'node:fs';
import { type Database, readConfig } from '../../config';
import { openStore } from '../open-store';
import type { PlantStore } from '../store';

/** Opens it, and makes it if it is missing. */
export function openNamedStore(): Promise<PlantStore> {
  return openStore({ database: namedDatabase(), production: false }, { tell: (text) => console.error(text) });
}

/** Opens it to be read; rejects if it is missing or empty, rather than taking an empty one for it. */
export async function openExistingStore(): Promise<PlantStore> {
  existingDatabase();
  const store = await openNamedStore();
  if (!store.description.made) return store;
  await store.close();
  throw new Error(`expected DATABASE_URL to name a store, and ${store.description.store} had no table of plants`);
}

/** What DATABASE_URL names; throws if it is a file that is missing or empty, beside which SQLite would remove a log. */
export function existingDatabase(): Database {
  const database = namedDatabase();
  if (database.kind === 'sqlite') {
    const found = statSync(database.file, { throwIfNoEntry: false });
    if (!found?.size) {
      const state = found ? `the file ${database.file} is empty` : `there is no file ${database.file}`;
      throw new Error(`expected DATABASE_URL to name a store, and ${state}`);
    }
  }
  return database;
}

function namedDatabase(): Database {
  const { DATABASE_URL, DATABASE_CONNECTIONS, DATABASE_SHARDS } = process.env;
  return readConfig({ DATABASE_URL, DATABASE_CONNECTIONS, DATABASE_SHARDS }).database;
}
