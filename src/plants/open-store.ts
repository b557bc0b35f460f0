/** Opens the store of a configuration: the one place that knows all kinds of stores. */
import type { Config } from '../config';
import type { PlantStore } from './store';
import { openPostgresStore } from './postgres/store';
import { openSqliteStore } from './sqlite/store';

export interface StoreEvents {
  /** Called once if the store can no longer be used, so that the process has to end. */
  broken?: (error: Error) => void;
  /** Called with messages for operators, while the store is opened and later. */
  warn?: (text: string) => void;
}

/** Opens the store; rejects with an Error that says what to do. With `mustExist` nothing is made and no schema brought up to date. */
export async function openStore(
  { database, production }: Pick<Config, 'database' | 'production'>,
  events: StoreEvents,
  mustExist = false,
): Promise<PlantStore> {
  switch (database.kind) {
    case 'sqlite':
      // In production a missing folder is more likely a typing error.
      return openSqliteStore(database.file, { makeFolders: !production, mustExist, ...events });
    case 'postgres':
      return openPostgresStore(database.url, { ...database, mustExist, ...events });
  }
}
