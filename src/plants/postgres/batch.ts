/** Stores one batch of plants on one connection: inserts them, and compares the others with the stored rows. */
import { hasContentOf, rowOf, textLength } from '../columns';
import type { NewPlant } from '../repository';
import type { Outcome } from '../store';
import { TurnText } from '../turn';
import { Unsuitable, UnsuitableTable } from './advice';
import type { Queries } from './driver';
import { assertSafe } from './durable';
import { insertPlants, selectDurable, selectPlants, SHAPE, type TextRow, UNSAFE_SETTINGS } from './statements';
import { checkTable, isPlain, type Table } from './table';

/**
 * Adds the plants, and resolves to an outcome for each. A batch is one insert with its plants in the order of their
 * ids, so that two batches with the same ids wait for each other in one direction only.
 */
export async function addBatch(client: Queries, table: Table, plants: readonly NewPlant[]): Promise<Outcome[]> {
  // Insert the first plant with an id, and compare the others with it.
  const firsts = new Map<bigint, NewPlant>();
  for (const plant of plants) if (!firsts.has(plant.id)) firsts.set(plant.id, plant);
  const sorted = [...firsts.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  if (sorted.length === 0) return [];

  const { rows } = await client.query<TextRow>(insertPlants(table, sorted));
  if (rows[0] && !table.citus) {
    assertSafe(rows[0][UNSAFE_SETTINGS]);
    if (!isPlain(rows[0][SHAPE])) {
      await checkTable(client, table.name);
      // What has changed or removed plants may have gone since: it waits for no more than the insert.
      const there = await rowsOf(client, table, rows.map(idOf));
      for (const row of rows) assertUnchanged(there.get(idOf(row)) ?? { id: row.id }, firsts);
    }
  }
  const stored = new Map(rows.map((row) => assertUnchanged(row, firsts)));
  const others = plants.filter((plant) => plant !== stored.get(plant.id));
  const compared = others.length > 0 ? await compare(client, table, others, stored, plants.length === 1) : undefined;
  return plants.map((plant) => {
    if (plant === stored.get(plant.id)) return 'stored';
    const outcome = compared?.get(plant);
    if (outcome === undefined) throw new Unsuitable(`a plant with id ${plant.id} is neither inserted nor there`);
    return outcome;
  });
}

/** Refuses a row that was not inserted as it was sent; returns its id and its plant. */
function assertUnchanged(inserted: TextRow, sent: ReadonlyMap<bigint, NewPlant>): [id: bigint, plant: NewPlant] {
  const id = idOf(inserted);
  const plant = sent.get(id);
  if (plant && hasContentOf(plant, inserted)) return [id, plant];
  throw new UnsuitableTable(
    `it has stored another plant than was sent, with id ${id}: see the columns of its table plants`,
  );
}

/** The outcomes for plants that were not inserted: another one of the batch was, or one that is there already, which may have much more text. */
async function compare(
  client: Queries,
  table: Table,
  plants: readonly NewPlant[],
  stored: ReadonlyMap<bigint, NewPlant>,
  isAlone: boolean,
): Promise<Map<NewPlant, Outcome>> {
  const ids = new Set(plants.map(({ id }) => id).filter((id) => !stored.has(id)));
  const present = await lengthsOf(client, table, [...ids]);
  const text = new TurnText();
  const outcomes = new Map<NewPlant, Outcome>();
  const compared: NewPlant[] = [];
  for (const plant of plants) {
    const first = stored.get(plant.id);
    const bytes = first ? textLength(first) : present.get(plant.id);
    if (bytes === undefined) throw new Unsuitable(`a plant with id ${plant.id} is neither inserted nor there`);
    if (text.fits(bytes) || isAlone) compared.push(plant);
    else outcomes.set(plant, 'later');
  }
  const rows = await rowsOf(client, table, [...new Set(compared.map(({ id }) => id).filter((id) => present.has(id)))]);
  for (const plant of compared) {
    const first = stored.get(plant.id);
    const row = first ? rowOf(first) : rows.get(plant.id);
    if (row) outcomes.set(plant, hasContentOf(plant, row) ? 'replayed' : 'taken');
  }
  return outcomes;
}

/**
 * The bytes of text of stored plants that were not inserted, once they are on disk: a primary that was restarted while a
 * commit waited for its standby shows the row from then on. A separate statement, because one that inserts and selects
 * does not see rows that another instance has just inserted.
 */
async function lengthsOf(client: Queries, table: Table, ids: readonly bigint[]): Promise<Map<bigint, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<TextRow>(selectDurable(table, ids));
  for (const row of rows) assertSafe(row[UNSAFE_SETTINGS]);
  if (rows[0] && !table.citus && !isPlain(rows[0][SHAPE])) await checkTable(client, table.name);
  return new Map(rows.map((row) => [idOf(row), Number(row.bytes)]));
}

/** The rows themselves, which nothing changes. */
async function rowsOf(client: Queries, table: Table, ids: readonly bigint[]): Promise<Map<bigint, TextRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<TextRow>(selectPlants(table, ids));
  return new Map(rows.map((row) => [idOf(row), row]));
}

function idOf({ id }: TextRow): bigint {
  return BigInt(String(id));
}
