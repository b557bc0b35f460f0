/** What may be read of a store, for those who move or check all of it; a create needs none of this. */
import type { NewPlant } from './repository';

export interface PlantReader {
  /** Up to `count` plants with ids from `first` on, in the order of their ids; each page is a look at a moment of its own. */
  page(first: bigint, count: number): Promise<NewPlant[]>;
  /** Those of the plants that are there, by id. */
  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>>;
}
