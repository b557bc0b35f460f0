/** All plants of a store in the order of their ids, a page at a time, while others add to it. */
import type { NewPlant, PlantReader } from '../repository';
import { patiently } from './patience';

const PAGE_PLANTS = 1_000;
const ID_MIN = -(2n ** 63n);

/**
 * Yields the pages; each is read when it is needed, so that one page at a time is in memory. Rejects if the ids are not in order, or a page
 * does not begin with the last plant of the one before: in a damaged tree of ids a search may skip plants, or find the same again and again.
 */
export async function* pagesOf(store: PlantReader): AsyncGenerator<NewPlant[]> {
  for (let last: bigint | undefined; ;) {
    const found = await patiently(() => store.page(last ?? ID_MIN, PAGE_PLANTS + 1));
    const ids = found.map(({ id }) => id);
    const astray =
      last !== undefined && ids[0] !== last ? last : ids.find((id, index) => id <= (ids[index - 1] ?? id - 1n));
    if (astray !== undefined) {
      throw new Error(
        `the plant with id ${astray} is not found in its place: the store is damaged (plants verify says more), or another program has removed it`,
      );
    }
    const page = last === undefined ? found : found.slice(1);
    if (page.length === 0) return;
    yield page;
    last = ids.at(-1);
  }
}
