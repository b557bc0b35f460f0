/** What all that is random in this suite comes from. */
import { randomInt } from 'node:crypto';

/** A new one for every run, or that of `CONFORMANCE_SEED`, which repeats a run. */
export function seedOfRun(env: NodeJS.ProcessEnv = process.env): number {
  const { CONFORMANCE_SEED: given = '' } = env;
  if (given === '') return randomInt(2 ** 31);
  if (!/^\d{1,10}$/.test(given)) throw new Error(`CONFORMANCE_SEED: expected a whole number, got ${given}`);
  return Number(given);
}
