/** From `DATABASE_URL` to the store that it names: the one place that knows which stores there are. */
import type { Config } from '../config';
import type { PlantStore, PlantReader } from './store';
import { openPostgresStore } from './postgres/store';
import { openSqliteStore } from './sqlite/store';

export interface StoreEvents {
  /** Called once if the store must not be used any more: the process has to end. */
  broken?: (error: Error) => void;
  /** Called with what an operator should know while the store is opened, or works. */
  tell?: (text: string) => void;
}

/** Opens the store; rejects with an Error that says what to do. */
export async function openStore(
  { database }: Pick<Config, 'database'>,
  events: StoreEvents,
): Promise<PlantStore & PlantReader> {
  switch (database.kind) {
    case 'sqlite':
      return openSqliteStore(database.file, events);
    case 'postgres':
      return openPostgresStore(database.url, { ...database, ...events });
  }
}
