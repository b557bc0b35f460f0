/** From `DATABASE_URL` to the store that it names: the one place that knows which stores there are. */
import type { Config } from '../config';
import type { PlantStore } from './store';
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
  { database, production }: Pick<Config, 'database' | 'production'>,
  events: StoreEvents,
): Promise<PlantStore> {
  switch (database.kind) {
    case 'sqlite':
      // In production a missing folder is a typing error rather than a wish.
      return openSqliteStore(database.file, { makeFolders: !production, ...events });
    case 'postgres':
      return openPostgresStore(database.url, { ...database, ...events });
  }
}
