/** Finds the plants of a refused batch that the database refuses: its error names none of them. */
import type { NewPlant } from '../repository';
import { isAboutContent, type Queries } from './driver';
import { INSERT_MAX, insertPlants } from './statements';
import type { Table } from './table';

/** The time for the search, once it has found one; what it has found by then is enough for the next batch to come further. */
const SEARCH_MS = 200;

/**
 * The refused plants, by their index in the batch, each with the error of the database. Inserts the batch in halves of halves, in a transaction that
 * is rolled back: one that is committed for each half would take a sync of the disk for each.
 */
export async function refusedIn(
  client: Queries,
  table: Table,
  plants: readonly NewPlant[],
): Promise<Map<number, unknown>> {
  const until = performance.now() + SEARCH_MS;
  const refused = new Map<number, unknown>();
  const search = async (part: readonly [index: number, plant: NewPlant][]): Promise<void> => {
    if (refused.size > 0 && performance.now() > until) return;
    const error = await refusalOf(client, table, part);
    const [first] = part;
    if (error === undefined || !first) return;
    if (part.length === 1) return void refused.set(first[0], error);
    const half = Math.ceil(part.length / 2);
    await search(part.slice(0, half));
    await search(part.slice(half));
  };
  // In the order of their ids, as all batches are inserted.
  const sorted = [...plants.entries()].sort(([, one], [, other]) => (one.id < other.id ? -1 : 1));
  // Nothing is committed, which is when a constraint that is deferred would be looked at.
  await client.query('BEGIN; SET CONSTRAINTS ALL IMMEDIATE');
  for (let from = 0; from < sorted.length; from += INSERT_MAX) await search(sorted.slice(from, from + INSERT_MAX));
  await client.query('ROLLBACK');
  return refused;
}

/** The error with which the database refuses plants for their content; undefined if they were inserted. */
async function refusalOf(
  client: Queries,
  table: Table,
  part: readonly [index: number, plant: NewPlant][],
): Promise<unknown> {
  await client.query('SAVEPOINT part');
  try {
    const plants = part.map(([, plant]) => plant);
    await client.query(insertPlants(table, plants));
    await client.query('RELEASE part');
    return undefined;
  } catch (error) {
    if (!isAboutContent(error)) throw error;
    await client.query('ROLLBACK TO part; RELEASE part');
    return error;
  }
}
