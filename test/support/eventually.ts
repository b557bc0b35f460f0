/** Waits for what happens in its own time: repeats an expectation until it holds, and fails with it if it never does. */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a test waits before it fails; far longer than it takes, however busy the machine. */
const PATIENCE_MS = 120_000;

export async function eventually(expectation: () => void | Promise<void>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}
