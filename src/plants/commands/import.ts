/** Stores the plants of a file of lines, reads each batch back, and compares what was read with what was stored. */
import { messageOf } from '../../engine';
import type { NewPlant } from '../repository';
import { lineOf, plantOf, readLines, Tally } from './lines';
import { openNamedStore } from './named-store';
import { patiently } from './patience';
import { Progress } from './progress';

const BATCH_PLANTS = 1_000;
/** A batch of long lines ends early. */
const BATCH_TEXT = 1_000_000;
/** So many ids of other plants are named. */
const SHOWN = 10;

/** Resolves to the code that the process ends with. */
export async function importPlants(name: string): Promise<number> {
  const store = await openNamedStore();
  const [given, progress] = [new Tally(), new Progress('imported')];
  const others: bigint[] = [];
  let [added, other] = [0, 0];
  try {
    for await (const batch of batchesOf(name)) {
      const outcomes = await patiently(() => store.addAll(batch));
      const found = await patiently(() => store.find(batch.map(({ id }) => id)));
      const lines = batch.map(lineOf);
      const different = batch.filter(({ id }, index) => {
        const stored = found.get(id);
        return !stored || lineOf(stored) !== lines[index];
      });
      given.add(lines);
      added += outcomes.filter((outcome) => outcome === 'stored').length;
      other += different.length;
      others.push(...different.slice(0, SHOWN - others.length).map(({ id }) => id));
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
