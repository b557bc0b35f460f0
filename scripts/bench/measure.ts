/** Measures one server: starts it, warms it up, loads it, stops it, and checks that it stored what it acknowledged. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Order, Outcome } from './load/generate';
import { cpuSecondsOf, residentMbOf } from './process-usage';
import { ServerProcess } from './server-process';
import { type Entry, token } from './servers';
import type { BenchStore } from './stores';

/** The parameters of a measurement. */
export interface Bench {
  store: BenchStore;
  generator: ChildProcess;
  seconds: number;
  /** The number of requests before it is measured: code that V8 has not optimized yet costs several times as much. */
  warmUp: number;
  /** The numbers of connections, each measured separately. */
  connections: readonly number[];
}

/** The result for one number of connections. */
export interface Cell extends Omit<Outcome, 'wrong' | 'firstWrong'> {
  connections: number;
  /** CPU time of the server for each create. */
  cpuUs: number;
  /** CPU time of the database for each create, if it has processes of its own. */
  databaseUs: number;
  /** Resident memory at the end. */
  residentMb: number;
}

export interface Measured {
  /** CPU time until it listened. */
  startSeconds: number;
  /** Resident memory before the first request. */
  idleMb: number;
  /** The mean allocation on the heap for each create. */
  allocatedKb: number;
  cells: Cell[];
}

/** The limit of a warm-up: a server that is so slow is measured as it is. */
const WARM_UP_SECONDS_MAX = 60;

/** The process that generates the load; it ends when it is disconnected. */
export function startGenerator(): ChildProcess {
  // Compiled, because a loader of TypeScript would take part in what is measured.
  const generator = fork(join(__dirname, 'dist', 'load', 'generate.js'), { execArgv: [] });
  return generator.on('exit', (code) => {
    if (code !== 0) throw new Error(`the load generator ended with ${String(code)}`);
  });
}

/** Rejects if the server does not start, answers wrongly or has not stored what it acknowledged. */
export async function measure(entry: Entry, directory: string, bench: Bench): Promise<Measured> {
  const { store, seconds, warmUp, connections } = bench;
  const instances = new Instances(bench);
  const cells: Cell[] = [];
  try {
    await instances.start(entry, directory, await store.fresh(directory));
    const startSeconds = instances.sum(cpuSecondsOf);
    const idleMb = instances.sum(residentMbOf);
    await instances.load(64, WARM_UP_SECONDS_MAX, warmUp);
    const [since, warmedUp] = [performance.now(), instances.stored];
    for (const count of connections) cells.push(await instances.load(count, seconds));
    await instances.stop();
    const fault = await store.audit(directory, instances.stored);
    if (fault !== undefined) throw new Error(fault);
    return { startSeconds, idleMb, allocatedKb: instances.allocatedKb(since) / (instances.stored - warmedUp), cells };
  } finally {
    await instances.stop();
  }
}

/** The processes of one server, which share a store. */
class Instances {
  /** The number of plants that they have acknowledged. */
  stored = 0;
  private readonly servers: ServerProcess[] = [];

  constructor(private readonly bench: Bench) {}

  async start(entry: Entry, directory: string, databaseUrl: string): Promise<void> {
    for (let instance = 0; instance < (entry.instances ?? 1); instance++) {
      const folder = join(directory, String(instance));
      mkdirSync(folder);
      this.servers.push(await ServerProcess.start(entry, folder, databaseUrl));
    }
  }

  /** Ends them, unless they have ended. */
  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop();
  }

  sum(usageOf: (pid: number) => number): number {
    return this.servers.reduce((all, { pid }) => all + usageOf(pid), 0);
  }

  /** The KB that they have allocated since a time; known when they have ended. */
  allocatedKb(since: number): number {
    return this.servers.reduce((all, server) => all + server.allocatedKb(since), 0);
  }

  /** Loads them for a time, or with a number of requests; rejects if an answer is wrong. */
  async load(connections: number, seconds: number, requests?: number): Promise<Cell> {
    const { store, generator } = this.bench;
    const [cpuBefore, databaseBefore] = [this.sum(cpuSecondsOf), store.cpuSeconds()];
    const ports = this.servers.map(({ port }) => port);
    const order = { ports, token, connections, seconds, first: this.stored, ...(requests && { requests }) };
    const { wrong, firstWrong, ...outcome } = await generate(generator, order);
    if (wrong > 0) throw new Error(`${wrong} wrong answers; the first: ${firstWrong}`);
    this.stored += outcome.acknowledged;
    const perCreate = (cpuSeconds: number): number => (cpuSeconds * 1e6) / outcome.acknowledged;
    return {
      ...outcome,
      connections,
      cpuUs: perCreate(this.sum(cpuSecondsOf) - cpuBefore),
      databaseUs: perCreate(store.cpuSeconds() - databaseBefore),
      residentMb: this.sum(residentMbOf),
    };
  }
}

async function generate(generator: ChildProcess, order: Order): Promise<Outcome> {
  generator.send(order);
  const [outcome] = (await once(generator, 'message')) as [Outcome];
  return outcome;
}
