/** The interface of stores: the ones of SQLite and PostgreSQL are twins. */
import type { NewPlant, PlantReader } from './repository';

/**
 * The outcome for a plant: newly stored, already there with the same content, or its id was there with other content. `later` if its id was
 * there, with more text than is compared in one turn beside that of others: it is to be added again, alone.
 */
export type Outcome = 'stored' | 'replayed' | 'taken' | 'later';

/** The fields of a store in the log, once it is open. */
export interface StoreDescription {
  /** Its name in messages; never with a password. */
  store: string;
  /** Made by this start, which shows a typing error in `DATABASE_URL`. */
  made: boolean;
  schemaVersion: number;
}

/** A metric of the store, with its name in Prometheus; a name that ends in `_total` is a counter, any other a gauge. */
export interface Measurement {
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A store that adds many plants at once. Its `page` and `find` reject with the error of the database. */
export interface PlantStore extends PlantReader {
  readonly description: StoreDescription;

  /** The number of batches that it stores at the same time. */
  readonly batchesAtOnce: number;

  /**
   * Adds the plants in one transaction, and resolves to an outcome for each of them, in their order; of several plants with one id the
   * first counts as the earlier one. On resolve everything that is stored is on disk. Rejects with BatchRefused if a plant is the reason:
   * the others may be added without it, whether they are stored by then or not. Rejects with any other error if the plants may or may not be stored;
   * adding the same batch again does no harm. Settles within a few seconds, whatever the state of the database.
   */
  addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]>;

  /** Resolves if plants can be added, as far as can be checked without adding one; rejects with the reason otherwise. */
  ready(): Promise<void>;

  /** Counts the plants, by reading all of the store; rejects if some are not found by their ids. Absent where the index holds the plants themselves. */
  count?(): Promise<number>;

  /** A text that is another once the table of the plants was altered, which may hide some for a while. Absent where that cannot be. */
  stamp?(): Promise<string>;

  /** The current values of its metrics. */
  measure(): readonly Measurement[];

  close(): void | Promise<void>;
}

/** Thrown if the database refuses the content of a batch, and would refuse it again. */
export class BatchRefused extends Error {
  override readonly name = 'BatchRefused';

  /** `refused` has the plants that are the reason, by their index in the batch, each with its own error; empty if it is unknown which they are. */
  constructor(
    message: string,
    options: { cause?: unknown } = {},
    readonly refused: ReadonlyMap<number, BatchRefused> = new Map(),
  ) {
    super(message, options);
  }
}

/** Thrown once a store must not be used any more: its files are gone, or its disk refuses a sync. */
export class StoreBroken extends Error {}

/** Thrown for a stored text that no create has stored: the file was damaged, or another program has written to it. */
export class DamagedText extends Error {
  override readonly name = 'DamagedText';
}
