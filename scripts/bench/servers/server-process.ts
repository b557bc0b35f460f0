/** A server as a process of its own: started on an empty port, its address read from what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entry } from './entries';
import { root } from './root';

const startMsMax = 20_000;
const stopMsMax = 20_000;
const running = new Set<ChildProcess>();
// Whatever ends the bench ends its servers.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export class ServerProcess {
  readonly pid: number;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, pid: number, port: number) {
    this.#child = child;
    this.pid = pid;
    this.port = port;
  }

  /**
   * Starts it with the store `plants.db` in the directory, and resolves when it listens. Rejects with the end of its
   * output when it does not.
   */
  static async start({ arguments: args, environment }: Entry, directory: string): Promise<ServerProcess> {
    const log = join(directory, 'server.log');
    const output = openSync(log, 'w');
    // Nothing of the caller's environment: a LOG_LEVEL or NODE_OPTIONS of theirs would be measured along.
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...environment(directory) };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', output, output] });
    closeSync(output);
    running.add(child);
    child.once('exit', () => running.delete(child));
    const port = await portOf(child, log);
    if (port === undefined || child.pid === undefined) {
      child.kill('SIGKILL');
      throw new Error(`did not listen: ${readFileSync(log, 'utf8').trim().slice(-400) || 'it printed nothing'}`);
    }
    return new ServerProcess(child, child.pid, port);
  }

  /** Asks it to end, and makes it when it does not. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), stopMsMax);
    await exit;
    clearTimeout(impatience);
  }
}

/** The port of the first address that it prints; undefined if it ends or takes too long. */
async function portOf(child: ChildProcess, log: string): Promise<number | undefined> {
  const deadline = Date.now() + startMsMax;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const port = /http:\/\/[\w.]+:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    await sleep(10);
  }
  return undefined;
}
