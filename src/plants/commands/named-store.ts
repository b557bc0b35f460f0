/** Opens the store that `DATABASE_URL` names, for commands; they need no other variable of the service. */
import { statSync } from 'node:fs';
import { type Database, readConfig } from '../../config';
import { openStore } from '../open-store';
import type { PlantStore } from '../store';

/** Opens the store, and makes it if it is missing, as the start does; resolves to what `act` does on it, once it is closed. */
export function onNamedStore<T>(act: (store: PlantStore) => Promise<T>): Promise<T> {
  return onStore(namedDatabase(), false, act);
}

/** The same with a store to be read; rejects if it is missing or has no table of plants, and makes neither. */
export async function onExistingStore<T>(act: (store: PlantStore) => Promise<T>): Promise<T> {
  return onStore(existingDatabase(), true, act);
}

/** Rejects also if the store breaks, or is found broken when it is closed. */
async function onStore<T>(database: Database, mustExist: boolean, act: (store: PlantStore) => Promise<T>): Promise<T> {
  let failure: Error | undefined;
  const production = process.env.NODE_ENV === 'production';
  const warn = (text: string): void => console.error(text);
  const store = await openStore({ database, production }, { warn, broken: (error) => (failure = error) }, mustExist);
  if (store.description.made) warn(`made the store ${store.description.store}`);
  const result = await act(store).finally(() => store.close());
  if (failure) throw failure;
  return result;
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
