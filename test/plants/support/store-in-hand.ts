/** A store in the hand of a test, with which group commit is tried. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewPlant } from '../../../src/plants/repository';
import type { Measurement, Outcome, PlantStore } from '../../../src/plants/store';

/** A store whose commits end when, and as, the test says. */
export class StoreInHand implements PlantStore {
  readonly description = { store: 'in hand', made: true, schemaVersion: 1 };
  /** The ids of each batch, in the order of the commits. */
  readonly batches: bigint[][] = [];
  closed = 0;
  /** The commits that have not ended, the first one first. */
  private readonly running: Commit[] = [];

  constructor(readonly batchesAtOnce = 1) {}

  addAll(plants: readonly NewPlant[]): Promise<readonly Outcome[]> {
    if (this.running.length === this.batchesAtOnce) throw new Error('too many commits run at once');
    this.batches.push(plants.map(({ id }) => id));
    return new Promise((resolve, reject) => this.running.push({ count: plants.length, resolve, reject }));
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  page(): Promise<NewPlant[]> {
    return Promise.resolve([{ id: 1n, name: 'Ficus' }]);
  }

  find(ids: readonly bigint[]): Promise<Map<bigint, NewPlant>> {
    return Promise.resolve(new Map(ids.map((id) => [id, { id, name: 'Ficus' }])));
  }

  measure(): readonly Measurement[] {
    return [];
  }

  close(): void {
    this.closed++;
  }

  /** Ends the commit that is running, or about to, with these outcomes; by default all are stored. */
  async commit(...outcomes: Outcome[]): Promise<void> {
    const { count, resolve } = await this.take();
    resolve(outcomes.length > 0 ? outcomes : Array.from({ length: count }, () => 'stored'));
    await settled();
  }

  /** Lets the commit that is running, or about to, fail. */
  async fail(reason: unknown): Promise<void> {
    const { reject } = await this.take();
    reject(reason);
    await settled();
  }

  /** Resolves when a commit is running. */
  async started(): Promise<Commit> {
    const deadline = performance.now() + 10_000;
    for (;;) {
      const [first] = this.running;
      if (first) return first;
      if (performance.now() > deadline) throw new Error('no commit has started');
      await nextTurn();
    }
  }

  private async take(): Promise<Commit> {
    const commit = await this.started();
    this.running.shift();
    return commit;
  }
}

interface Commit {
  count: number;
  resolve: (outcomes: readonly Outcome[]) => void;
  reject: (reason: unknown) => void;
}

/** Lets everything happen that needs no more than turns of the event loop. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}
