/** Leaves other clients their turn of the event loop while work goes on that never waits. */
import { setImmediate } from 'node:timers/promises';

/** The time for which such work may go on at once. */
const TURN_MS = 10;

/** A turn of the event loop, which begins when it is made. */
export class Turn {
  private end = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Resolves when the others have had theirs, and another one begins. */
  async leave(): Promise<void> {
    await setImmediate();
    this.end = performance.now() + TURN_MS;
  }
}
