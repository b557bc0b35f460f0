/** A server as a process, on a free port that is read from its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../src/tools/project/run-command';
import type { Entry } from './servers';

const START_MS_MAX = 20_000;
/** A line of `--trace-gc`: `[7:0x5f] 1234 ms: Scavenge 40.1 (60.2) -> 12.3 (60.2) MB, ...` as its time, and the MB before and after. */
const GC_LINE = /^\[\d+:\S+\] +(\d+) ms: \D+ (\d+\.\d) \(\d+\.\d\) -> (\d+\.\d) /gm;
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
    readonly port: number,
    private readonly log: string,
    private readonly spawned: number,
  ) {}

  /** The KB that it has allocated on its heap since a time of this process, by the trace of V8; known when it has ended. */
  allocatedKb(since: number): number {
    const ageMs = since - this.spawned;
    const lines = readFileSync(this.log, 'utf8').matchAll(GC_LINE);
    const collections = [...lines].map(([, ...figures]) => figures.map(Number)).filter(([ms = 0]) => ms > ageMs);
    const grown = collections.slice(1).map(([, before = 0], index) => before - (collections[index]?.[2] ?? 0));
    return grown.reduce((sum, mb) => sum + mb * 1024, 0);
  }

  /** Starts it, with its files in the directory; resolves when it listens, and rejects with its output otherwise. */
  static async start(entry: Entry, directory: string, databaseUrl: string): Promise<ServerProcess> {
    const log = join(directory, 'server.log');
    const output = openSync(log, 'w');
    // The caller's environment is not passed on: its LOG_LEVEL or NODE_OPTIONS would influence the result.
    const { PATH } = process.env;
    const env = { PATH, NODE_ENV: 'production', PORT: '0', ...entry.environment(directory, databaseUrl) };
    const spawned = performance.now();
    const child = spawn(process.execPath, ['--trace-gc', ...entry.arguments], {
      cwd: root,
      env,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    running.add(child);
    child.once('exit', () => running.delete(child));
    const port = await portOf(child, log);
    if (port === undefined || child.pid === undefined) {
      child.kill('SIGKILL');
      throw new Error(`did not listen: ${readFileSync(log, 'utf8').trim().slice(-400) || 'it printed nothing'}`);
    }
    return new ServerProcess(child, child.pid, port, log, spawned);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** The port of the first address that it prints; undefined if it ends or takes too long. */
async function portOf(child: ChildProcess, log: string): Promise<number | undefined> {
  const deadline = Date.now() + START_MS_MAX;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const port = /http:\/\/[\w.]+:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    await sleep(10);
  }
  return undefined;
}
