/** Refuses to read a store without some of its plants, for commands that read all of it: they are counted first. */
import type { PlantStore } from '../store';
import { patiently } from './patience';

/** The number of plants; 0 where the store is not counted. Rejects if some of them would not be found. */
export async function countPlants(store: PlantStore): Promise<number> {
  return patiently(async () => (await store.count?.()) ?? 0);
}

/** Throws if fewer plants were read than there were before: none is ever removed. */
export function assertWhole(read: number, counted: number): void {
  if (read < counted)
    throw new Error(
      `expected the ${counted} plants that were there before, or more, got ${read}: others were hidden or removed meanwhile, as with a partition that is detached. Look for them, and repeat this`,
    );
}
