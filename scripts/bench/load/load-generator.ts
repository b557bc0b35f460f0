/** Starts the process of the load generator, and sends it orders. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Outcome } from './protocol';

export class LoadGenerator {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  constructor() {
    // Compiled, because a loader of TypeScript would take part in what is measured.
    this.child = fork(join(__dirname, '..', 'dist', 'load', 'main.js'), { execArgv: [] });
    process.on('exit', () => this.child.kill('SIGKILL'));
    this.ended = once(this.child, 'exit').then(([code]) => {
      throw new Error(`the load generator ended with ${String(code)}`);
    });
    this.ended.catch(() => undefined);
  }

  async run(order: Order): Promise<Outcome> {
    const answered = once(this.child, 'message');
    this.child.send(order);
    const [outcome] = (await Promise.race([answered, this.ended])) as [Outcome];
    return outcome;
  }

  stop(): void {
    this.child.disconnect();
  }
}
