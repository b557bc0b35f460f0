/** Puts many plants into a store directly, past its server. */
import { DatabaseSync } from '@photostructure/sqlite';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { idOf, type IdOrder, kindOf } from '../load/plants';

const batchSize = 100_000;

/** Fills a store that has its table already with the plants of the indexes below `count`; tells how far it is. */
export function fillStore(path: string, count: number, ids: IdOrder, progress: (done: number) => void): void {
  const database = new DatabaseSync(path);
  // Not durable, for speed; the file is synced as a whole at the end, and given back in the mode it came in.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000');
  const insert = database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');
  for (let first = 0; first < count; first += batchSize) {
    const end = Math.min(first + batchSize, count);
    database.exec('BEGIN');
    for (let index = first; index < end; index++) {
      const { name, tag } = kindOf(index);
      insert.run(idOf(index, ids), name, tag ?? null);
    }
    database.exec('COMMIT');
    progress(end);
  }
  database.exec('PRAGMA journal_mode = WAL');
  database.close();
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}
