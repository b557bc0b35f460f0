/** Stores one batch of plants on one connection: inserts them, and compares the others with the stored rows. */
import { hasContentOf, type Row, rowOf, textLength } from '../columns';
import type { NewPlant } from '../repository';
import type { Outcome } from '../store';
import { pageLength, TurnText } from '../turn';
import { Unsuitable, UnsuitableTable } from './advice';
import type { Queries } from './driver';
import { assertSafe } from './durable';
import { insertPlants, selectDurable, selectPlants, SHAPE, type TextRow, UNSAFE_SETTINGS } from './statements';
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
  const stored = new Map(rows.map((row) => assertUnchanged(row, firsts)));
  const others = plants.filter((plant) => plant !== stored.get(plant.id));
  const compared = await compare(client, others, stored, citus);
  return plants.map((plant) => {
    if (plant === stored.get(plant.id)) return 'stored';
    const outcome = compared.get(plant);
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
  plants: readonly NewPlant[],
  stored: ReadonlyMap<bigint, NewPlant>,
  citus: boolean,
): Promise<Map<NewPlant, Outcome>> {
  const outcomes = new Map<NewPlant, Outcome>();
  const text = new TurnText();
  const sent = new Map<bigint, NewPlant[]>();
  for (const plant of plants) sent.set(plant.id, [...(sent.get(plant.id) ?? []), plant]);
  const compareWith = async (id: bigint, row: Row, bytes: number): Promise<void> => {
    for (const plant of sent.get(id) ?? []) {
      await text.take(bytes);
      outcomes.set(plant, hasContentOf(plant, row) ? 'replayed' : 'taken');
    }
  };
  for (const id of sent.keys()) {
    const first = stored.get(id);
    if (first) await compareWith(id, rowOf(first), textLength(first));
  }
  const ids = [...sent.keys()].filter((id) => !stored.has(id));
  for await (const { id, row, bytes } of rowsOf(client, ids, citus)) await compareWith(id, row, bytes);
  return outcomes;
}

/**
 * The stored rows of plants that were not inserted, once they are on disk: a primary that was restarted while a commit
 * waited for its standby shows the row from then on. A separate statement, because one that inserts and selects does
 * not see rows that another instance has just inserted. They are read in pages, which nothing changes meanwhile.
 */
async function* rowsOf(
  client: Queries,
  ids: readonly bigint[],
  citus: boolean,
): AsyncGenerator<{ id: bigint; row: TextRow; bytes: number }> {
  if (ids.length === 0) return;
  const { rows: found } = await client.query<TextRow>(selectDurable(ids, citus));
  for (const row of found) assertSafe(row[UNSAFE_SETTINGS]);
  if (found[0] && !citus) await checkShape(client, found[0][SHAPE]);
  const lengths = new Map(found.map((row) => [idOf(row), Number(row.bytes)]));
  for (let waiting = [...lengths.keys()]; waiting.length > 0;) {
    const page = waiting.slice(0, pageLength(waiting.map((id) => lengths.get(id) ?? 0)));
    const { rows } = await client.query<TextRow>(selectPlants(page));
    for (const row of rows) yield { id: idOf(row), row, bytes: lengths.get(idOf(row)) ?? 0 };
    waiting = waiting.slice(page.length);
  }
}

function idOf({ id }: TextRow): bigint {
  return BigInt(String(id));
}
