/** Retries through a restart of the database, as a client does that repeats a create. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../engine';
import { BatchRefused, DamagedText, StoreBroken } from '../store';

/** The longest outage of the store. */
const PATIENCE_MS = 60_000;
const FINAL = [BatchRefused, DamagedText, StoreBroken];

/** Repeats an idempotent action until it succeeds; rejects if the store refuses it or is damaged, or after a minute without an answer. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let hasReported = false; ; hasReported = true) {
    try {
      return await act();
    } catch (error) {
      const isFinal = FINAL.some((kind) => error instanceof kind);
      if (isFinal || performance.now() > deadline) throw error;
      if (!hasReported) console.error(`trying again for ${PATIENCE_MS / 1_000} s: ${messageOf(error)}`);
      await sleep(500);
    }
  }
}
