/** Goes on through a restart of the database, as a client that repeats a create does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../engine';
import { BatchRefused, DamagedText } from '../store';

/** For how long the store may not answer. */
const PATIENCE_MS = 60_000;

/** Does what may be done twice until it succeeds; rejects if the store refuses it, is damaged there, or does not answer for a minute. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let told = false; ; told = true) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof BatchRefused || error instanceof DamagedText || performance.now() > deadline) throw error;
      if (!told) console.error(`trying again for ${PATIENCE_MS / 1_000} s: ${messageOf(error)}`);
      await sleep(500);
    }
  }
}
