/**
 * A bound on the time in which the patterns of a value are matched. The steps for a text are known beforehand as an upper bound alone, which few
 * texts come near to: the usual expression for addresses may take ten million, and takes a microsecond. So the time of each text is counted.
 */
import type { Engine } from './patterns';

/** The time for all texts of a value, in milliseconds, and that which each text may take besides. */
export const PATTERN_MS_MAX = 30;
const FREE_MS = 0.005;
/** Times that are measured again: V8 may have compiled the expression meanwhile, or the process may have waited. Longer ones are not taken twice. */
const AGAIN_MS = { min: 1, max: 10 };
/** The steps that take a millisecond at least, so that slowness alone refuses nothing. */
const STEPS_PER_MS = 1_300_000;

export class PatternTime {
  private left = PATTERN_MS_MAX;

  /** Starts the count for a value; `share` is the share of the time that is allowed for it. */
  begin(share: number): void {
    this.left = PATTERN_MS_MAX * share;
  }

  /** True if the texts so far have taken too long. */
  get isOver(): boolean {
    return this.left < 0;
  }

  /** Returns true if a text matches, and counts its time. */
  matches(engine: Engine, text: string): boolean {
    const steps = engine.steps(text.length);
    if (steps === 0) return engine.test(text);
    const [isMatch, time] = timed(engine, text);
    const isUnusual = time > AGAIN_MS.min && time < AGAIN_MS.max;
    const again = isUnusual ? timed(engine, text)[1] : 0;
    const taken = isUnusual && again < AGAIN_MS.min ? again : time + again;
    this.left -= Math.max(0, Math.min(taken - FREE_MS, steps / STEPS_PER_MS));
    return isMatch;
  }
}

function timed(engine: Engine, text: string): [isMatch: boolean, ms: number] {
  const start = performance.now();
  const isMatch = engine.test(text);
  return [isMatch, performance.now() - start];
}
