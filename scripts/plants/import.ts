/** Stores the plants of a file of lines, reads each batch back, and compares what was read with what was stored. */
import { messageOf } from '../../src/engine/http/api-error';
import type { NewPlant } from '../../src/plants/repository';
import { lineOf, plantOf, readLines, Tally } from './lines';
import type { PlantStore } from '../../src/plants/store';
import { openNamedStore } from './named-store';
import { Progress } from './progress';

const BATCH_PLANTS = 1_000;
/** A batch ends early where its lines are long. */
const BATCH_TEXT = 1_000_000;

/** What became of a batch: its lines as they are in the store, in the order of the file. */
interface Imported {
  given: readonly string[];
  stored: readonly string[];
  /** The ids of plants that the store has with other content. */
  taken: readonly bigint[];
  added: number;
}

/** Resolves to the code that the process ends with. */
export async function importPlants(name: string): Promise<number> {
  const store = await openNamedStore();
  const [given, stored, progress] = [new Tally(), new Tally(), new Progress('imported')];
  const taken: bigint[] = [];
  let added = 0;
  try {
    for await (const batch of inTurn(batchesOf(name), store.batchesAtOnce ?? 1, (plants) => add(store, plants))) {
      given.add(batch.given);
      stored.add(batch.stored);
      added += batch.added;
      if (taken.length < 10) taken.push(...batch.taken.slice(0, 10 - taken.length));
      progress.tell(given.count);
    }
  } catch (error) {
    console.error(`${given.count} plants are stored; once the cause is mended, run it again and it goes on`);
    throw error;
  } finally {
    await store.close();
  }
  const [expected, found] = [String(given), String(stored)];
  console.error(`imported ${expected}; ${added} of them are new`);
  if (expected === found) return 0;
  console.error(
    `the store has ${found}` +
      (taken.length > 0
        ? `; it has other plants with the ids ${taken.join(', ')} (the first of them), and keeps those`
        : ''),
  );
  return 1;
}

async function add(store: PlantStore, plants: readonly NewPlant[]): Promise<Imported> {
  const outcomes = await store.addAll(plants);
  const found = await store.find(plants.map(({ id }) => id));
  return {
    given: plants.map(lineOf),
    stored: plants.flatMap(({ id }) => found.get(id) ?? []).map(lineOf),
    taken: plants.flatMap(({ id }, index) => (outcomes[index] === 'taken' ? [id] : [])),
    added: outcomes.filter((outcome) => outcome === 'stored').length,
  };
}

/** The plants of a file, some at a time; throws with the number of a line that has none. */
async function* batchesOf(name: string): AsyncGenerator<NewPlant[]> {
  let [batch, text, number] = [[] as NewPlant[], 0, 0];
  for await (const line of readLines(name)) {
    number++;
    try {
      batch.push(plantOf(line));
    } catch (error) {
      throw new Error(`${name}:${number} ${messageOf(error)}`, { cause: error });
    }
    text += line.length;
    if (batch.length < BATCH_PLANTS && text < BATCH_TEXT) continue;
    yield batch;
    [batch, text] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Does something with each item, with so many of them at once, and gives the results in the order of the items. */
async function* inTurn<T, R>(items: AsyncIterable<T>, atOnce: number, act: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  for await (const item of items) {
    const result = act(item);
    result.catch(() => undefined); // it is thrown where it is awaited
    underWay.push(result);
    if (underWay.length < atOnce) continue;
    const first = underWay.shift();
    if (first) yield await first;
  }
  for (const result of underWay) yield await result;
}
