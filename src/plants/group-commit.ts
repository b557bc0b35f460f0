/** Group commit for every store: plants that arrive while a batch is being stored share the next one, and each caller gets an answer of its own. */
import { ApiError, ErrorCode } from '../engine';
import { hasJson, propertyOf, textColumns, textLength } from './columns';
import { PlantErrorCode } from './error-codes';
import { FairQueue } from './fair-queue';
import type { NewPlant, PlantRepository } from './repository';
import { BatchRefused, type Outcome, type PlantStore } from './store';
import { ownTurn, TURN_TEXT_MAX } from './turn';

export interface GroupCommitOptions {
  /** The largest number of waiting creates, of which half may be of one principal; one more is refused as Overloaded. */
  waitingMax?: number;
  /** The time limit of a create, from its arrival to its answer; beyond it the answer is StoreUnavailable. */
  waitMs?: number;
  /** The largest number of creates in a batch. */
  batchMax?: number;
  /** The most text in a batch, in UTF-16 code units; a plant with more of it is a batch of its own. */
  batchTextMax?: number;
}

/** A completed batch, as metrics observe it. */
export interface Batch {
  plants: number;
  outcome: 'stored' | 'refused' | 'failed';
  seconds: number;
}

interface Waiting {
  plant: NewPlant;
  principal: string;
  /** The time of its arrival, in ms of `performance.now()`. */
  since: number;
  resolve: () => void;
  reject: (error: ApiError) => void;
}

/** The interval between checks for creates that have waited too long. */
const LOOK_MS = 100;
/** The time for which the creates of a principal are kept apart after the database has refused one of them. */
const APART_MS = 10_000;

export class GroupCommit implements PlantRepository {
  /** Called with each completed batch. */
  observe: (batch: Batch) => void = () => undefined;
  private readonly waitMs: number;
  private readonly batchMax: number;
  private readonly batchTextMax: number;
  private readonly waiting: FairQueue<Waiting>;
  /** The creates that are to be a batch each. */
  private readonly alone: FairQueue<Waiting>;
  /** The creates of principals of whom the database has refused one: to find such a plant in a batch may take as long as thousands of creates. */
  private readonly apart: FairQueue<Waiting>;
  /** Creates of the batches in which the database has refused others: it may take all of these. */
  private readonly rest: FairQueue<Waiting>;
  /** The time until which a principal is kept apart. */
  private readonly apartUntil = new Map<string, number>();
  /** The queues in the order of their turns. */
  private readonly queues: FairQueue<Waiting>[];
  private store: PlantStore | undefined;
  private warn: (text: string) => void = () => undefined;
  /** The batches in progress in the store, each with its queue. */
  private readonly underWay = new Map<readonly Waiting[], FairQueue<Waiting>>();
  private scheduled = false;
  private failing = false;
  /** The time of the last check. */
  private looked = 0;
  /** Kept from the first create on: a lone client would start and end it with each of its creates. */
  private watch: NodeJS.Timeout | undefined;
  private resolveClose: (() => void) | undefined;

  constructor({
    waitingMax = 20_000,
    waitMs = 5_000,
    batchMax = 1_000,
    batchTextMax = TURN_TEXT_MAX, // all of a batch is compared in one turn
  }: GroupCommitOptions = {}) {
    this.waiting = new FairQueue(waitingMax);
    this.alone = new FairQueue(waitingMax);
    this.apart = new FairQueue(waitingMax);
    this.rest = new FairQueue(waitingMax);
    this.queues = [this.waiting, this.alone, this.rest, this.apart];
    this.waitMs = waitMs;
    this.batchMax = batchMax;
    this.batchTextMax = batchTextMax;
  }

  /** Sets the store, before any plant is added; `warn` is called with messages for operators. */
  use(store: PlantStore, warn: (text: string) => void = () => undefined): void {
    this.store = store;
    this.warn = warn;
  }

  /** The number of creates that wait for a batch. */
  get queueLength(): number {
    return this.queues.reduce((sum, { length }) => sum + length, 0);
  }

  add(plant: NewPlant, principal = ''): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.resolveClose) return reject(new ApiError(ErrorCode.StoreUnavailable, 'the store is closing'));
      const fault = textFault(plant);
      if (fault !== undefined) return reject(new ApiError(ErrorCode.ContractViolation, fault));
      const queue = this.apartUntil.has(principal) ? this.apart : this.waiting;
      this.wait(queue, { plant, principal, since: performance.now(), resolve, reject });
      this.watch ??= setInterval(() => this.giveUp(), LOOK_MS).unref();
      this.commitSoon();
    });
  }

  private wait(queue: FairQueue<Waiting>, each: Waiting): void {
    if (!queue.push(each.principal, each))
      each.reject(new ApiError(ErrorCode.Overloaded, 'too many plants are waiting to be stored'));
  }

  page(first: bigint, count: number): Promise<NewPlant[]> {
    return this.read((store) => store.page(first, count));
  }

  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    return this.read((store) => store.find(ids));
  }

  /** Finishes the creates in progress, within the time limit of a create, then closes the store. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.resolveClose = resolve;
      this.closeIfIdle();
    });
    await this.store?.close();
  }

  /** Waits one turn of the event loop, so that requests that have already been received join the batch. */
  private commitSoon(): void {
    const free = this.underWay.size < this.opened().batchesAtOnce;
    if (this.scheduled || !free || this.queueLength === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.queueLength > 0) void this.commit();
    });
  }

  private async commit(): Promise<void> {
    this.giveUpIfDue();
    const queue = this.nextQueue();
    const batch = queue ? this.takeBatch(queue) : [];
    if (!queue || batch.length === 0) return;
    this.underWay.set(batch, queue);
    this.commitSoon();
    await this.addAll(batch);
    this.underWay.delete(batch);
    this.commitSoon();
    this.closeIfIdle();
  }

  /** The queue whose turn it is; what is apart leaves one of several batches for others. */
  private nextQueue(): FairQueue<Waiting> | undefined {
    const isApart = (queue: FairQueue<Waiting>): boolean => queue === this.apart || queue === this.rest;
    const hasRoom = [...this.underWay.values()].filter(isApart).length < Math.max(1, this.opened().batchesAtOnce - 1);
    const next = this.queues.find((each) => each.length > 0 && (!isApart(each) || hasRoom));
    // One turn for what is apart. The rest first, and by itself: of creates that came since, others may be refused.
    const turn = next && isApart(next) ? [this.rest, this.apart] : [next];
    this.queues.sort((one, other) => Number(turn.includes(one)) - Number(turn.includes(other)));
    return next;
  }

  private takeBatch(queue: FairQueue<Waiting>): readonly Waiting[] {
    let [count, text] = [0, 0];
    return queue.take(({ plant }) => {
      count++;
      text += textLength(plant);
      if (count === 1) return true;
      return queue !== this.alone && count <= this.batchMax && text <= this.batchTextMax;
    });
  }

  private async addAll(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    const start = performance.now();
    const observe = (outcome: Batch['outcome']): void =>
      this.observe({ plants: batch.length, outcome, seconds: (performance.now() - start) / 1_000 });
    try {
      const outcomes = await this.opened().addAll(batch.map(({ plant }) => plant));
      observe('stored');
      this.works();
      this.giveUpIfDue();
      for (const [index, each] of batch.entries()) {
        if (outcomes[index] === 'later') this.wait(this.alone, each);
        else settle(each, outcomes[index]);
      }
    } catch (cause) {
      if (cause instanceof BatchRefused) {
        observe('refused');
        return this.addOthers(batch, cause);
      }
      observe('failed');
      this.failing = true;
      const error = unavailable(cause);
      batch.forEach(({ reject }) => reject(error));
    }
  }

  /** Stores all of a batch but the plants that the database refuses; bisects it if it is unknown which they are. */
  private async addOthers(batch: readonly Waiting[], cause: BatchRefused): Promise<void> {
    const refused = batch.length === 1 ? new Map([[0, cause]]) : cause.refused;
    for (const [index, each] of refused) {
      batch[index]?.reject(new ApiError(ErrorCode.Internal, 'internal error', { cause: each }));
      this.apartUntil.set(batch[index]?.principal ?? '', performance.now() + APART_MS);
    }
    this.giveUp();
    const others = batch.filter((each, index) => !refused.has(index) && !this.isLate(each));
    if (refused.size > 0) {
      // Whoever is apart waits again: to find all that are refused may take long, and a store may have one batch at a time.
      const isApart = ({ principal }: Waiting): boolean => this.apartUntil.has(principal);
      for (const each of others.filter(isApart)) this.wait(this.rest, each);
      return this.addAll(others.filter((each) => !isApart(each)));
    }
    const half = Math.ceil(others.length / 2);
    await this.addAll(others.slice(0, half));
    await this.addAll(others.slice(half));
  }

  private works(): void {
    if (this.failing) this.warn(`the store ${this.opened().description.store} works again`);
    this.failing = false;
  }

  /** For when a store has held up the whole process, with its timers: a create that is late is not answered with 200. */
  private giveUpIfDue(): void {
    if (performance.now() - this.looked > LOOK_MS) this.giveUp();
  }

  /** Rejects the creates that have waited too long; those of a batch in progress may be stored all the same. */
  private giveUp(): void {
    this.looked = performance.now();
    for (const [principal, until] of this.apartUntil) if (until < this.looked) this.apartUntil.delete(principal);
    const isLate = (each: Waiting): boolean => this.isLate(each);
    const waiting = this.queues.flatMap((queue) => queue.remove(isLate));
    const late = [...waiting, ...[...this.underWay.keys()].flat().filter(isLate)];
    const error = unavailable(new Error(`a create was not stored within ${this.waitMs} ms`));
    for (const { reject } of late) reject(error);
    this.closeIfIdle();
  }

  /** True for a create that had waited too long at the last check, and was rejected by it. */
  private isLate({ since }: Waiting): boolean {
    return since <= this.looked - this.waitMs;
  }

  private closeIfIdle(): void {
    if (!this.resolveClose || this.queueLength > 0 || this.underWay.size > 0) return;
    clearInterval(this.watch);
    this.resolveClose();
  }

  private async read<T>(look: (store: PlantStore) => Promise<T>): Promise<T> {
    try {
      if (hasJson) await ownTurn(); // it is parsed
      return await look(this.opened());
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  private opened(): PlantStore {
    if (!this.store) throw new Error('the store is not open');
    return this.store;
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

/** The JSON pointer and the fault of a text that could not be stored unchanged: SQLite may cut a text at U+0000, PostgreSQL refuses it. */
function textFault(plant: NewPlant): string | undefined {
  for (const column of textColumns) {
    const text = propertyOf(plant, column);
    if (typeof text !== 'string') continue;
    if (text.includes('\0')) return `/${column}: expected text without U+0000, which no store can keep`;
    if (!text.isWellFormed()) return `/${column}: expected text without lone surrogates, which no store can keep`;
  }
  return undefined;
}
