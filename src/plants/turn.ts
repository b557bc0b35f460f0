/** How much is read or compared in one turn of the event loop, in which no other request is served. */
import { setImmediate } from 'node:timers/promises';
import { hasJson } from './columns';

/** The most text, in bytes or UTF-16 code units: less where lists, objects and null are parsed. */
export const TURN_TEXT_MAX = hasJson ? 250_000 : 2 ** 20;

/** The number of plants in a page, given the bytes of text of those that it may have: fewer if they have much, but two at the least. */
export function pageLength(bytes: readonly number[]): number {
  let sum = 0;
  const end = bytes.findIndex((each, index) => (sum += each) > TURN_TEXT_MAX && index >= 2);
  return end < 0 ? bytes.length : end;
}

/** Counts the text of stored plants that is read or compared in one turn. */
export class TurnText {
  private bytes = 0;

  /** The text that still fits the turn. */
  get left(): number {
    return TURN_TEXT_MAX - this.bytes;
  }

  /** True if so much text more is not too much for the turn. */
  fits(bytes: number): boolean {
    this.count(bytes);
    return this.left >= 0;
  }

  /** Counts text that is read in any case. */
  count(bytes: number): void {
    this.bytes += bytes;
  }

  /** Waits for another turn if so much text more is too much for this one. */
  async take(bytes: number): Promise<void> {
    if (this.fits(bytes)) return;
    await ownTurn();
    this.bytes = bytes;
  }
}

let last: Promise<void> = Promise.resolve();

/** Lets all callers on one after another, each in a turn of its own. */
export function ownTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
