/** The store that `DATABASE_URL` names, for scripts: the other variables of the service do not matter to it. */
import { existsSync } from 'node:fs';
import { type Database, readConfig } from '../../config';
import { openStore } from '../open-store';
import type { PlantStore } from '../store';

/** Opens it, and makes it if it is missing. */
export function openNamedStore(): Promise<PlantStore> {
  return openStore({ database: namedDatabase(), production: false }, { tell: (text) => console.error(text) });
}

/** Opens it to be read; rejects if a file is missing, rather than making an empty one. */
export async function openExistingStore(): Promise<PlantStore> {
  const database = namedDatabase();
  if (database.kind === 'sqlite' && !existsSync(database.file)) {
    throw new Error(`expected DATABASE_URL to name a store, and there is no file ${database.file}`);
  }
  return openNamedStore();
}

export function namedDatabase(): Database {
  const { DATABASE_URL, DATABASE_CONNECTIONS, DATABASE_SHARDS } = process.env;
  return readConfig({ DATABASE_URL, DATABASE_CONNECTIONS, DATABASE_SHARDS }).database;
}
