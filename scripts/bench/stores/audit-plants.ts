/** The twin of audit-rows for PostgreSQL: whether it holds what its servers said that they stored. */
import type { Client } from 'pg';
import { contentOf, idOf, type IdOrder } from '../load/exchange';

const SAMPLE_SIZE = 1000;

/** What is wrong with a table that should hold the plants of the indexes below `count`; undefined if nothing is. */
export async function auditPlants(client: Client, count: number, ids: IdOrder): Promise<string | undefined> {
  const { rows: counts } = await client.query<{ stored: string }>('SELECT count(*) AS stored FROM plants');
  const stored = Number(counts[0]?.stored);
  if (stored !== count) return `acknowledged ${count} plants, stored ${stored}`;
  for (let sample = 0; sample < Math.min(count, SAMPLE_SIZE); sample++) {
    const index = Math.floor(Math.random() * count);
    const { name, tag } = contentOf(index);
    const id = idOf(index, ids);
    const { rows } = await client.query<{ name: string; tag: string | null }>({
      name: 'sample',
      text: 'SELECT name, tag FROM plants WHERE id = $1',
      values: [id],
    });
    if (rows[0]?.name !== name || rows[0].tag !== (tag ?? null)) return `plant ${id} is not stored as it was sent`;
  }
  return undefined;
}
