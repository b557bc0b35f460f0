/** What a store of plants does: SQLite's and PostgreSQL's are twins. */
import type { NewPlant, PlantReader } from './repository';

/** What became of a plant: it was not there, it was there with the same content, its id was there with other content. */
export type Outcome = 'stored' | 'replayed' | 'taken';

/** What the log says of a store once it is open. */
export interface StoreDescription {
  /** What it is called in every message about it; never with a password. */
  store: string;
  /** Whether this start has made it: a typing error in `DATABASE_URL` shows here. */
  made: boolean;
  schemaVersion: number;
}

/** Something that an operator watches, as Prometheus names it; what ends in `_total` only grows. */
export interface Measurement {
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A store that adds many plants at once. Its `page` and `find` reject with whatever error the database gives. */
export interface PlantStore extends PlantReader {
  readonly description: StoreDescription;

  /** How many batches it may be given at the same time. */
  readonly batchesAtOnce: number;

  /**
   * Adds the plants in one transaction, and resolves to an outcome for each of them, in their order; of several plants with
   * one id the first counts as the earlier one. On resolve everything that is stored is on disk.
   * Rejects with BatchRefused if a plant is the reason: nothing is stored then, and the others may be added without it.
   * Rejects with any other error if nothing is known of any plant; adding the same batch again does no harm.
   * Settles within a few seconds, whatever the state of the database.
   */
  addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]>;

  /** Resolves where plants can be added, as far as that is seen without adding one; rejects with what is wrong. */
  ready(): Promise<void>;

  /** What there is to watch, as it is now. */
  measure(): readonly Measurement[];

  close(): void | Promise<void>;
}

/** The database has refused what is in a batch, and would refuse it again. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
}

/** A text is stored that no create has stored: the file was damaged, or written to by another program. */
export class DamagedText extends Error {
  override readonly name = 'DamagedText';
}
