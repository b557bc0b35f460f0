/**
 * Group commit: plants that arrive while a batch is being stored share the next one, and each caller gets an answer of its
 * own. Written once, above the stores.
 */
import { ApiError } from '../engine/http/api-error';
import { ErrorCode } from '../engine/http/error-codes';
import { textColumns } from './columns';
import { PlantErrorCode } from './error-codes';
import type { NewPlant, PlantRepository } from './repository';
import { BatchRefused, type Outcome, type PlantStore } from './store';

export interface GroupCommitOptions {
  /** How many creates may wait; one more is refused as Overloaded. */
  waitingMax?: number;
  /** How long a create may take, from its arrival to its answer; then it is StoreUnavailable. */
  waitMs?: number;
  /** How many creates share a batch at most. */
  batchMax?: number;
  /** How many UTF-16 units of text share a batch at most; a plant that has more is a batch of its own. */
  batchTextMax?: number;
}

interface Waiting {
  plant: NewPlant;
  /** When it arrived, in ms of the process's clock. */
  since: number;
  resolve: () => void;
  reject: (error: ApiError) => void;
}

/** How often the creates are looked through for those that have waited too long. */
const LOOK_MS = 100;

export class GroupCommit implements PlantRepository {
  private readonly waitingMax: number;
  private readonly waitMs: number;
  private readonly batchMax: number;
  private readonly batchTextMax: number;
  private store: PlantStore | undefined;
  private waiting: Waiting[] = [];
  /** The batches that the store has been given and has not answered yet. */
  private readonly underWay = new Set<readonly Waiting[]>();
  private scheduled = false;
  private watch: NodeJS.Timeout | undefined;
  private resolveClose: (() => void) | undefined;

  constructor(
    private readonly openStore: () => PlantStore | Promise<PlantStore>,
    { waitingMax = 10_000, waitMs = 5_000, batchMax = 1_000, batchTextMax = 1_000_000 }: GroupCommitOptions = {},
  ) {
    this.waitingMax = waitingMax;
    this.waitMs = waitMs;
    this.batchMax = batchMax;
    this.batchTextMax = batchTextMax;
  }

  /** Opens the store; rejects with an Error that says what to do where it cannot be opened. */
  async open(): Promise<void> {
    this.store = await this.openStore();
  }

  /** How many creates wait for a batch. */
  get queueLength(): number {
    return this.waiting.length;
  }

  add(plant: NewPlant): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.resolveClose) return reject(new ApiError(ErrorCode.StoreUnavailable, 'the store is closing'));
      const fault = textFault(plant);
      if (fault !== undefined) return reject(new ApiError(ErrorCode.ContractViolation, fault));
      if (this.waiting.length >= this.waitingMax) {
        return reject(new ApiError(ErrorCode.Overloaded, 'too many plants are waiting to be stored'));
      }
      this.waiting.push({ plant, since: performance.now(), resolve, reject });
      this.watch ??= setInterval(() => this.giveUp(), LOOK_MS);
      this.commitSoon();
    });
  }

  /** Lets what is under way finish, which takes no longer than a create may wait, then closes the store. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.resolveClose = resolve;
      this.closeIfIdle();
    });
    await this.store?.close();
  }

  /** Waits one turn of the event loop, so that requests that have already been received join the batch. */
  private commitSoon(): void {
    const free = this.underWay.size < (this.store?.batchesAtOnce ?? 1);
    if (this.scheduled || !free || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.waiting.length > 0) void this.commit();
    });
  }

  private async commit(): Promise<void> {
    const batch = this.takeBatch();
    this.underWay.add(batch);
    this.commitSoon();
    await this.addAll(batch);
    this.underWay.delete(batch);
    this.commitSoon();
    this.closeIfIdle();
  }

  private takeBatch(): readonly Waiting[] {
    let [count, text] = [0, 0];
    for (const { plant } of this.waiting) {
      text += textLength(plant);
      if (count === this.batchMax || (count > 0 && text > this.batchTextMax)) break;
      count++;
    }
    return this.waiting.splice(0, count);
  }

  private async addAll(batch: readonly Waiting[]): Promise<void> {
    try {
      if (!this.store) throw new Error('the store is not open');
      const outcomes = await this.store.addAll(batch.map(({ plant }) => plant));
      batch.forEach((each, index) => settle(each, outcomes[index]));
    } catch (cause) {
      if (cause instanceof BatchRefused) return this.addHalves(batch, cause);
      const error = unavailable(cause);
      batch.forEach(({ reject }) => reject(error));
    }
  }

  /** Bisects a refused batch: stores all but the plant that the database refuses. */
  private async addHalves(batch: readonly Waiting[], cause: BatchRefused): Promise<void> {
    if (batch.length === 1) return batch[0]?.reject(new ApiError(ErrorCode.Internal, 'internal error', { cause }));
    const half = Math.ceil(batch.length / 2);
    await this.addAll(batch.slice(0, half));
    await this.addAll(batch.slice(half));
  }

  /** Answers the creates that have waited too long. What becomes of those that the store has been given is unknown. */
  private giveUp(): void {
    const latest = performance.now() - this.waitMs;
    const error = unavailable(new Error(`a create was not stored within ${this.waitMs} ms`));
    for (const batch of [this.waiting, ...this.underWay]) {
      for (const { since, reject } of batch) if (since <= latest) reject(error);
    }
    this.waiting = this.waiting.filter(({ since }) => since > latest);
    this.closeIfIdle();
  }

  private closeIfIdle(): void {
    if (this.waiting.length > 0 || this.underWay.size > 0) return;
    clearInterval(this.watch);
    this.watch = undefined;
    this.resolveClose?.();
  }
}

function settle({ plant, resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  if (outcome === 'stored' || outcome === 'replayed') return resolve();
  if (outcome === 'taken') {
    return reject(
      new ApiError(PlantErrorCode.PlantIdTaken, `a plant with id ${plant.id} and other content is in the store`),
    );
  }
  reject(unavailable(new Error('a plant has no outcome')));
}

function unavailable(cause: unknown): ApiError {
  return new ApiError(ErrorCode.StoreUnavailable, 'the store does not answer', { cause });
}

/** What keeps the plant's texts from being stored unchanged: SQLite may cut a text at U+0000, PostgreSQL refuses it. */
function textFault(plant: NewPlant): string | undefined {
  for (const column of textColumns) {
    const text = plant[column];
    if (text === undefined) continue;
    if (text.includes('\0')) return `/${column}: expected text without U+0000, which no store can keep`;
    if (!text.isWellFormed()) return `/${column}: expected text without lone surrogates, which no store can keep`;
  }
  return undefined;
}

function textLength(plant: NewPlant): number {
  return textColumns.reduce((sum, column) => sum + (plant[column]?.length ?? 0), 0);
}
