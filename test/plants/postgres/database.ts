/** A schema of each test's own, which is dropped after it, when the stores that were opened on it are closed. */
import { openPostgresStore, type PostgresStoreOptions } from '../../../src/plants/postgres/store';
import { freshDatabase, type TestDatabase } from '../../support/postgres';

export type Store = Awaited<ReturnType<typeof openPostgresStore>>;

export interface Database extends Omit<TestDatabase, 'drop'> {
  /** Opens a store there. */
  open(options?: PostgresStoreOptions): Promise<Store>;
}

/** To be called where tests are described. */
export function eachWithDatabase(): Database {
  let fresh: TestDatabase;
  const stores = new Set<Store>();
  beforeEach(async () => {
    fresh = await freshDatabase();
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    stores.clear();
    await fresh.drop();
  });
  return {
    get url() {
      return fresh.url;
    },
    sql: (...statement) => fresh.sql(...statement),
    rows: () => fresh.rows(),
    async open(options) {
      const store = await openPostgresStore(fresh.url, options);
      stores.add(store);
      return store;
    },
  };
}
