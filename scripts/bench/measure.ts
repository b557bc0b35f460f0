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
  /** What a create allocates on the heap, in the mean of all that were measured. */
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
export async function measure(
  entry: Entry,
  directory: string,
  { store, generator, seconds, warmUp, connections }: Bench,
): Promise<Measured> {
  const databaseUrl = await store.fresh(directory);
  const servers: ServerProcess[] = [];
  const sum = (usageOf: (pid: number) => number): number => servers.reduce((all, { pid }) => all + usageOf(pid), 0);
  let stored = 0;
  const load = async (count: number, duration: number, requests?: number): Promise<Cell> => {
    const [cpuBefore, databaseBefore] = [sum(cpuSecondsOf), store.cpuSeconds()];
    const ports = servers.map(({ port }) => port);
    const order = { ports, token, connections: count, seconds: duration, first: stored, ...(requests && { requests }) };
    const { wrong, firstWrong, ...outcome } = await generate(generator, order);
    if (wrong > 0) throw new Error(`${wrong} wrong answers; the first: ${firstWrong}`);
    stored += outcome.acknowledged;
    const perCreate = (cpuSeconds: number): number => (cpuSeconds * 1e6) / outcome.acknowledged;
    return {
      ...outcome,
      connections: count,
      cpuUs: perCreate(sum(cpuSecondsOf) - cpuBefore),
      databaseUs: perCreate(store.cpuSeconds() - databaseBefore),
      residentMb: sum(residentMbOf),
    };
  };
  const measured: Measured = { startSeconds: NaN, idleMb: NaN, allocatedKb: NaN, cells: [] };
  let ages: number[] = [];
  let warmedUp = 0;
  try {
    for (let instance = 0; instance < (entry.instances ?? 1); instance++) {
      const folder = join(directory, String(instance));
      mkdirSync(folder);
      servers.push(await ServerProcess.start(entry, folder, databaseUrl));
    }
    measured.startSeconds = sum(cpuSecondsOf);
    measured.idleMb = sum(residentMbOf);
    await load(64, WARM_UP_SECONDS_MAX, warmUp);
    ages = servers.map(({ ageMs }) => ageMs);
    warmedUp = stored;
    for (const count of connections) measured.cells.push(await load(count, seconds));
  } finally {
    for (const server of servers) await server.stop();
  }
  const allocated = servers.map((server, index) => server.allocatedKb(ages[index] ?? 0));
  measured.allocatedKb = allocated.reduce((all, kb) => all + kb, 0) / (stored - warmedUp);
  const fault = await store.audit(directory, stored);
  if (fault !== undefined) throw new Error(fault);
  return measured;
}

async function generate(generator: ChildProcess, order: Order): Promise<Outcome> {
  generator.send(order);
  const [outcome] = (await once(generator, 'message')) as [Outcome];
  return outcome;
}
