/** Stores the plants of a file of lines. Those that are new are added once more, and so compared with what is there. */
import { access, stat } from 'node:fs/promises';
import { ImportFile } from './import-file';
import { lineOf, Tally } from './lines';
import { onNamedStore } from './named-store';
import type { NewPlant } from '../repository';
import type { Outcome, PlantStore } from '../store';
import { patiently } from './patience';
import { Progress } from './progress';

/** The largest number of ids in a message. */
const SHOWN = 10;

/** Resolves to the exit code: 0 if all plants of the file are stored, and it has an end mark, or has plants and need not have one. */
export async function importPlants(name: string, withoutEnd: boolean): Promise<number> {
  if (name !== '-') await access(name); // before a store is made for a file that is missing
  const bytes = name === '-' ? undefined : (await stat(name)).size;
  const file = new ImportFile(name);
  return onNamedStore((store) => importFile(store, file, bytes, withoutEnd));
}

/** Adds a batch, and those of it alone that are not compared beside others. */
async function addAll(store: PlantStore, batch: readonly NewPlant[]): Promise<Outcome[]> {
  const outcomes = [...(await patiently(() => store.addAll(batch)))];
  for (const [index, plant] of batch.entries())
    if (outcomes[index] === 'later') outcomes.splice(index, 1, ...(await patiently(() => store.addAll([plant]))));
  return outcomes;
}

async function importFile(
  store: PlantStore,
  file: ImportFile,
  bytes: number | undefined,
  withoutEnd: boolean,
): Promise<number> {
  const [given, progress] = [new Tally(), new Progress('imported')];
  const others: bigint[] = [];
  let [added, other] = [0, 0];
  try {
    for await (const batch of file.batches()) {
      const outcomes = await addAll(store, batch);
      const stored = batch.filter((_plant, index) => outcomes[index] === 'stored');
      const found = stored.length > 0 ? await addAll(store, stored) : [];
      const different = [
        ...batch.filter((_plant, index) => outcomes[index] === 'taken'),
        ...stored.filter((_plant, index) => found[index] !== 'replayed'),
      ];
      given.add(batch.map(lineOf));
      added += stored.length;
      other += different.length;
      others.push(...different.slice(0, SHOWN - others.length).map(({ id }) => id));
      progress.report(given.count, bytes && file.bytesRead / bytes);
    }
  } catch (error) {
    const there = given.count - other;
    console.error(`${there} plants of it are there; once the cause is mended, run it again and it goes on`);
    throw error;
  }
  const isEmpty = !file.isWhole && given.count === 0;
  const isMissingEnd = !file.isWhole && !withoutEnd;
  if (other === 0) {
    console.error(`imported ${String(given)}; ${added} of them are new`);
  } else {
    const more = other > others.length ? ` and ${other - others.length} more` : '';
    console.error(
      `${given.count - other} of ${given.count} are there, ${added} of them new; ` +
        (other === 1 ? `id ${others[0]} is another plant` : `the ids ${others.join(', ')}${more} are other plants`) +
        ', which the store keeps',
    );
  }
  if (isEmpty && withoutEnd) console.error(`${file.shown} has no plants`);
  if (isMissingEnd) {
    console.error(
      `${file.shown} has no end mark: it was cut off, or is no export of this program. If it is all there is, run this again with --without-end`,
    );
  }
  return other === 0 && !isMissingEnd && !isEmpty ? 0 : 1;
}
