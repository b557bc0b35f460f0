/** Opens the store that `DATABASE_URL` names, for commands; they need no other variable of the service. */
import { statSync } from 'node:fs';
import { type Database, readConfig } from '../../config';
import { openStore } from '../open-store';
import type { PlantStore } from '../store';

/** Opens the store, and makes it if it is missing. */
export function openNamedStore(): Promise<PlantStore> {
  return openStore({ database: namedDatabase(), production: false }, { warn: (text) => console.error(text) });
}

/** Opens the store to be read; rejects if it is missing or has no table of plants, and makes neither. */
export async function openExistingStore(): Promise<PlantStore> {
  return openStore({ database: existingDatabase(), production: false }, { warn: (text) => console.error(text) }, true);
}

/** The database that DATABASE_URL names; throws if its file is missing or empty, because SQLite would remove the log beside it. */
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
