/** All plants of a store in the order of their ids, a page at a time, while others add to it. */
import type { NewPlant, PlantReader } from '../repository';
import { patiently } from './patience';

const PAGE_PLANTS = 1_000;
const ID_MIN = -(2n ** 63n);
const ID_MAX = 2n ** 63n - 1n;

/** Yields the pages; each is read when it is needed, so that one page at a time is in memory. */
export async function* pagesOf(store: PlantReader): AsyncGenerator<NewPlant[]> {
  for (let next = ID_MIN; ;) {
    const page = await patiently(() => store.page(next, PAGE_PLANTS));
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < PAGE_PLANTS || last.id === ID_MAX) return;
    next = last.id + 1n;
  }
}
