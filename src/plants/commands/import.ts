/** Stores the plants of a file of lines, reads each batch back, and compares what was read with what was stored. */
import { messageOf } from '../../engine/http/api-error';
import type { NewPlant } from '../repository';
import type { PlantStore } from '../store';
import { lineOf, plantOf, readLines, Tally } from './lines';
import { openNamedStore } from './named-store';
import { patiently } from './patience';
import { Progress } from './progress';

const BATCH_PLANTS = 1_000;
/** A batch ends early where its lines are long. */
const BATCH_TEXT = 1_000_000;
/** So many ids of other plants are named. */
const SHOWN = 10;

/** What became of a batch. */
interface Imported {
  /** Its lines, in the order of the file. */
  lines: readonly string[];
  /** The ids for which the store has another plant. */
  others: readonly bigint[];
  added: number;
}

/** Resolves to the code that the process ends with. */
export async function importPlants(name: string): Promise<number> {
  const store = await openNamedStore();
  const [given, progress] = [new Tally(), new Progress('imported')];
  const others: bigint[] = [];
  let [added, other] = [0, 0];
  try {
    for await (const batch of inTurn(batchesOf(name), store.batchesAtOnce ?? 1, (plants) => addTo(store, plants))) {
      given.add(batch.lines);
      added += batch.added;
      other += batch.others.length;
      others.push(...batch.others.slice(0, SHOWN - others.length));
      progress.tell(given.count);
    }
  } catch (error) {
    const there = given.count - other;
    console.error(`${there} plants of it are there; once the cause is mended, run it again and it goes on`);
    throw error;
  } finally {
    await store.close();
  }
  if (other === 0) {
    console.error(`imported ${String(given)}; ${added} of them are new`);
    return 0;
  }
  const more = other > others.length ? ` and ${other - others.length} more` : '';
  console.error(
    `${given.count - other} of ${given.count} are there, ${added} of them new; ` +
      (other === 1 ? `id ${others[0]} is another plant` : `the ids ${others.join(', ')}${more} are other plants`) +
      ', which the store keeps',
  );
  return 1;
}

/** Stores plants, and reads them back. */
async function addTo(store: PlantStore, plants: readonly NewPlant[]): Promise<Imported> {
  const outcomes = await patiently(() => store.addAll(plants));
  const found = await patiently(() => store.find(plants.map(({ id }) => id)));
  const lines = plants.map(lineOf);
  return {
    lines,
    others: plants.flatMap(({ id }, index) => {
      const stored = found.get(id);
      return stored && lineOf(stored) === lines[index] ? [] : [id];
    }),
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

/**
 * Does something with each item, with so many of them at once, and gives the results in the order of the items; if one of them, or the
 * next item, fails, all that is under way is given before that is thrown.
 */
async function* inTurn<T, R>(items: AsyncIterable<T>, atOnce: number, act: (item: T) => Promise<R>): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  const oldest = async (): Promise<R> => {
    const done = await Promise.race(underWay.slice(0, 1));
    void underWay.shift();
    return done;
  };
  try {
    for await (const item of items) {
      const result = act(item);
      result.catch(() => undefined); // it is thrown where it is awaited
      underWay.push(result);
      if (underWay.length === atOnce) yield await oldest();
    }
    while (underWay.length > 0) yield await oldest();
  } catch (error) {
    for (const result of await Promise.allSettled(underWay)) if (result.status === 'fulfilled') yield result.value;
    throw error;
  }
}
