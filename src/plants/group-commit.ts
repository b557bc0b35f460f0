/**
 * Many creates, one commit: plants that arrive while a commit is running share the next one, and each caller is answered
 * on its own. Written once, above the stores.
 */
import { ErrorCode } from '../error-codes';
import { ApiError } from '../api-error';
import type { NewPlant, PlantRepository } from './repository';

/** What became of a plant: it was not there, it was there with the same content, its id was there with other content. */
export type Outcome = 'stored' | 'replayed' | 'taken';

/** A store that adds many plants at once. */
export interface PlantStore {
  /**
   * Adds the plants in one transaction, in their order; a plant may meet the id of an earlier one. On resolve all that
   * is stored is on disk, with an outcome for each plant. Rejects, whatever the reason, if nothing is known of any.
   */
  addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]>;
  close(): void | Promise<void>;
}

export interface GroupCommitOptions {
  /** How many creates may wait; one more is refused as Overloaded. */
  waitingMax?: number;
  /** How many creates share a commit at most. */
  batchMax?: number;
}

interface Waiting {
  plant: NewPlant;
  resolve: () => void;
  reject: (error: ApiError) => void;
}

export class GroupCommit implements PlantRepository {
  private readonly waitingMax: number;
  private readonly batchMax: number;
  private store: PlantStore | undefined;
  private waiting: Waiting[] = [];
  /** Whether a commit is running or about to. */
  private busy = false;
  private closed: (() => void) | undefined;

  constructor(
    private readonly openStore: () => PlantStore | Promise<PlantStore>,
    { waitingMax = 10_000, batchMax = 1_000 }: GroupCommitOptions = {},
  ) {
    this.waitingMax = waitingMax;
    this.batchMax = batchMax;
  }

  /** Opens the store; rejects with an Error that says what to do where it cannot be opened. */
  async open(): Promise<void> {
    this.store = await this.openStore();
  }

  add(plant: NewPlant): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new ApiError(ErrorCode.StoreUnavailable, 'the store is closing'));
      if (this.waiting.length >= this.waitingMax) {
        return reject(new ApiError(ErrorCode.Overloaded, 'too many plants are waiting to be stored'));
      }
      this.waiting.push({ plant, resolve, reject });
      this.commitSoon();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.closed = resolve;
      if (!this.busy) resolve();
    });
    await this.store?.close();
  }

  /** Once what has already arrived at this process has been read, and no later: a lone plant does not wait for company. */
  private commitSoon(): void {
    if (this.busy) return;
    this.busy = true;
    setImmediate(() => void this.commit());
  }

  private async commit(): Promise<void> {
    const batch = this.waiting.splice(0, this.batchMax);
    try {
      if (!this.store) throw new Error('the store is not open');
      const outcomes = await this.store.addAll(batch.map(({ plant }) => plant));
      batch.forEach((each, index) => settle(each, outcomes[index]));
    } catch (cause) {
      const error = new ApiError(ErrorCode.StoreUnavailable, 'the store does not answer', { cause });
      batch.forEach(({ reject }) => reject(error));
    }
    this.busy = false;
    if (this.waiting.length > 0) this.commitSoon();
    else this.closed?.();
  }
}

function settle({ plant, resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  if (outcome === 'stored' || outcome === 'replayed') return resolve();
  if (outcome === 'taken') {
    return reject(
      new ApiError(ErrorCode.PlantIdTaken, `a plant with id ${plant.id} and other content is in the store`),
    );
  }
  reject(
    new ApiError(ErrorCode.StoreUnavailable, 'the store does not answer', {
      cause: new Error('a plant has no outcome'),
    }),
  );
}
