/** Inserts many plants into a store directly, without its server. */
import { DatabaseSync } from '@photostructure/sqlite';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { contentOf, idOf, type IdOrder } from '../load/exchange';

const BATCH_SIZE = 100_000;

/** Fills a store that has its table already with the plants of the indexes below `count`, and calls `progress`. */
export function fillStore(path: string, count: number, ids: IdOrder, progress: (done: number) => void): void {
  const database = new DatabaseSync(path);
  // Not durable, for speed: the whole file is synced at the end, and switched back to WAL.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000');
  const insert = database.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?)');
  for (let first = 0; first < count; first += BATCH_SIZE) {
    const end = Math.min(first + BATCH_SIZE, count);
    database.exec('BEGIN');
    for (let index = first; index < end; index++) {
      const { name, tag } = contentOf(index);
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
