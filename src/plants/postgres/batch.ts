/** Stores one batch of plants on one connection: inserts them, and compares the others with the stored rows. */
import { hasContentOf, rowOf } from '../columns';
import type { NewPlant } from '../repository';
import type { Outcome } from '../store';
import { Unsuitable, UnsuitableTable } from './advice';
import type { Queries } from './driver';
import { assertSafe } from './durable';
import { insertPlants, selectDurable, SHAPE, type TextRow, UNSAFE_SETTINGS } from './statements';
import { checkShape } from './table';

/**
 * Adds the plants, and resolves to an outcome for each. A batch is one insert with its plants in the order of their
 * ids, so that two batches with the same ids wait for each other in one direction only.
 */
export async function addBatch(client: Queries, plants: readonly NewPlant[], citus: boolean): Promise<Outcome[]> {
  // Insert the first plant with an id, and compare the others with it.
  const firsts = new Map<bigint, NewPlant>();
  for (const plant of plants) if (!firsts.has(plant.id)) firsts.set(plant.id, plant);
  const sorted = [...firsts.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  if (sorted.length === 0) return [];

  const { rows } = await client.query<TextRow>(insertPlants(sorted, citus));
  if (rows[0] && !citus) {
    assertSafe(rows[0][UNSAFE_SETTINGS]);
    await checkShape(client, rows[0][SHAPE]);
  }
  const stored = new Set(rows.map((row) => assertUnchanged(row, firsts)));
  const others = await replayed(
    client,
    sorted.map(({ id }) => id).filter((id) => !stored.has(id)),
    citus,
  );
  return plants.map((plant) => {
    const { id } = plant;
    const first = firsts.get(id);
    if (stored.has(id) && plant === first) return 'stored';
    const row = stored.has(id) ? first && rowOf(first) : others.get(id);
    if (!row) throw new Unsuitable(`a plant with id ${id} is neither inserted nor there`);
    return hasContentOf(plant, row) ? 'replayed' : 'taken';
  });
}

/** Refuses a row that was not inserted as it was sent; returns its id. */
function assertUnchanged(inserted: TextRow, sent: ReadonlyMap<bigint, NewPlant>): bigint {
  const id = idOf(inserted);
  const plant = sent.get(id);
  if (plant && hasContentOf(plant, inserted)) return id;
  throw new UnsuitableTable(
    `it has stored another plant than was sent, with id ${id}: see the columns of its table plants`,
  );
}

/**
 * The stored rows of plants that were not inserted, once they are on disk: a primary that was restarted while a commit
 * waited for its standby shows the row from then on. A separate statement, because one that inserts and selects does
 * not see rows that another instance has just inserted.
 */
async function replayed(client: Queries, ids: readonly bigint[], citus: boolean): Promise<Map<bigint, TextRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<TextRow>(selectDurable(ids, citus));
  for (const row of rows) assertSafe(row[UNSAFE_SETTINGS]);
  if (rows[0] && !citus) await checkShape(client, rows[0][SHAPE]);
  return new Map(rows.map((row) => [idOf(row), row]));
}

function idOf({ id }: TextRow): bigint {
  return BigInt(String(id));
}
