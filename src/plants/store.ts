/** What a store of plants does: SQLite's and PostgreSQL's are twins. */
import type { NewPlant } from './repository';

/** What became of a plant: it was not there, it was there with the same content, its id was there with other content. */
export type Outcome = 'stored' | 'replayed' | 'taken';

/** A store that adds many plants at once. */
export interface PlantStore {
  /** How many batches it may be given at the same time; one unless it says otherwise. */
  readonly batchesAtOnce?: number | undefined;

  /**
   * Adds the plants in one transaction, and resolves to an outcome for each of them, in their order; of several plants with
   * one id the first counts as the earlier one. On resolve everything that is stored is on disk.
   * Rejects with BatchRefused if a plant is the reason: nothing is stored then, and the others may be added without it.
   * Rejects with any other error if nothing is known of any plant; adding the same batch again does no harm.
   * Settles within a few seconds, whatever the state of the database.
   */
  addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]>;

  close(): void | Promise<void>;
}

/** The database has refused what is in a batch, and would refuse it again. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
}

/** How a store is read, to move or check all of it; a create needs none of this. */
export interface PlantReader {
  /** Up to `count` plants with ids from `first` on, in the order of their ids; each page is a look at a moment of its own. */
  page(first: bigint, count: number): Promise<NewPlant[]>;
  /** Those of the plants that are there, by id. */
  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>>;
}
