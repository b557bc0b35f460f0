/** What a store file has, read by another connection than the store's. */
import { openDatabase, type SqlValue } from '../../../src/plants/sqlite/driver';

export type Row = Record<string, SqlValue>;

/** Its plants, by id. */
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
