/** Compares a store with what its server acknowledged: the number of rows, and a sample of them. */
import { DatabaseSync } from '@photostructure/sqlite';
import { contentOf, idOf, type IdOrder } from '../load/exchange';

const SAMPLE_SIZE = 1000;

interface Row {
  name: string;
  tag: string | null;
}

/** What is wrong with a store that should have the plants of the indexes below `count`; undefined if nothing is. */
export function auditRows(path: string, count: number, ids: IdOrder): string | undefined {
  const database = new DatabaseSync(path);
  try {
    const { stored } = database.prepare('SELECT count(*) AS stored FROM plants').get() as { stored: number };
    if (stored !== count) return `acknowledged ${count} plants, stored ${stored}`;
    const select = database.prepare('SELECT name, tag FROM plants WHERE id = ?');
    for (let sample = 0; sample < Math.min(count, SAMPLE_SIZE); sample++) {
      const index = Math.floor(Math.random() * count);
      const { name, tag } = contentOf(index);
      const row = select.get(idOf(index, ids)) as Row | undefined;
      if (row?.name !== name || row.tag !== (tag ?? null))
        return `plant ${idOf(index, ids)} is not stored as it was sent`;
    }
    return undefined;
  } finally {
    database.close();
  }
}
