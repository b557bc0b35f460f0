/** The bench's end of the load generator: starts its process, hands it orders, ends it. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Order, Outcome } from './protocol';

/** How much longer than its load an order may take: connecting, and waiting for the last answers. */
const extraMs = 30_000;

export class LoadGenerator {
  readonly #process: ChildProcess;

  constructor() {
    // Compiled, so that no loader of TypeScript takes part in what is measured.
    this.#process = fork(join(__dirname, '..', 'dist', 'load', 'main.js'), { execArgv: [] });
    process.on('exit', () => this.#process.kill('SIGKILL'));
  }

  run(order: Order): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timeout);
        for (const event of ['message', 'error', 'exit']) this.#process.removeAllListeners(event);
        act();
      };
      const timeout = setTimeout(() => fail('does not answer'), order.seconds * 1000 + extraMs);
      const fail = (reason: string): void => settle(() => reject(new Error(`the load generator ${reason}`)));
      this.#process.once('message', (outcome: Outcome) => settle(() => resolve(outcome)));
      this.#process.once('error', (error) => fail(`failed: ${error.message}`));
      this.#process.once('exit', (code, signal) => fail(`ended with ${signal ?? code}`));
      this.#process.send(order);
    });
  }

  stop(): void {
    this.#process.disconnect();
  }
}
