/** Refuses to read a store without some of its plants, for commands that read all of it: they are counted first. */
import type { PlantStore } from '../store';
import { patiently } from './patience';

/**
 * Counts the plants; rejects if some of them would not be found. Resolves to the check that none was hidden or removed since, for the number
 * of those that were read: there may be no fewer, and as many new ones as are hidden would make up for them.
 */
export async function countPlants(store: PlantStore): Promise<(read: number) => Promise<void>> {
  const stamp = (): Promise<string | undefined> => patiently(async () => store.stamp?.());
  const before = await stamp();
  const counted = await patiently(async () => (await store.count?.()) ?? 0);
  return async (read) => {
    if (read < counted)
      throw new Error(`expected the ${counted} plants that were there before, or more, got ${read}: ${HIDDEN}`);
    if ((await stamp()) !== before) throw new Error(`its table was altered while it was read: ${HIDDEN}`);
  };
}

const HIDDEN =
  'others may have been hidden or removed meanwhile, as with a partition that is detached. Look for them, and repeat this';
