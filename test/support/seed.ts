/** The seed of all random choices of the suite. */
import { randomInt } from 'node:crypto';

/** A new one for every run, or that of `CONFORMANCE_SEED`, which repeats a run. */
export function seedOfRun(env: NodeJS.ProcessEnv = process.env): number {
  const { CONFORMANCE_SEED: seed = '' } = env;
  if (seed === '') return randomInt(2 ** 31);
  if (!/^\d{1,10}$/.test(seed)) throw new Error(`CONFORMANCE_SEED: expected a whole number, got ${seed}`);
  return Number(seed);
}
