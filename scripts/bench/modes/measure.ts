/** Measures one server: starts it, warms it up, loads it, stops it, and checks that it stored what it acknowledged. */
import { join } from 'node:path';
import type { Outcome } from '../load/protocol';
import type { Options } from '../options';
import type { Bench } from '../run';
import { databaseName, type Entry, token } from '../servers/entries';
import { cpuSecondsOf, residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';
import { auditRows } from '../stores/audit-rows';

/** What was measured with one number of connections. */
export interface Cell extends Omit<Outcome, 'wrong' | 'firstWrong'> {
  connections: number;
  /** CPU time of the server for each create. */
  cpuUs: number;
  /** Resident memory at the end. */
  residentMb: number;
}

export interface Measured {
  /** Resident memory before the first request. */
  idleMb: number;
  cells: Cell[];
  /** Plants in the store at the end. */
  stored: number;
}

export interface Store {
  directory: string;
  /** How many plants it already has: those of the first indexes. */
  stored: number;
}

/** A fault of the server, which disqualifies it; anything else ends the benchmark. */
export class Disqualified extends Error {}

/** Rejects with Disqualified where the server does not start, answers wrongly or has not stored what it acknowledged. */
export async function measure(
  { generator }: Bench,
  entry: Entry,
  store: Store,
  { connections, seconds, warmUpSeconds, ids }: Options,
): Promise<Measured> {
  const server = await ServerProcess.start(entry, store.directory).catch((error: unknown) => {
    throw new Disqualified(String(error), { cause: error });
  });
  const { port, pid } = server;
  let { stored } = store;
  const load = async (count: number, duration: number): Promise<Cell> => {
    const cpuBefore = cpuSecondsOf(pid);
    const order = { port, token, connections: count, seconds: duration, first: stored, ids };
    const { wrong, firstWrong, ...outcome } = await generator.run(order);
    if (wrong > 0) throw new Disqualified(`${wrong} wrong answers; the first: ${firstWrong}`);
    stored += outcome.acknowledged;
    const cpuUs = ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / outcome.acknowledged;
    return { ...outcome, connections: count, cpuUs, residentMb: residentMbOf(pid) };
  };

  const idleMb = residentMbOf(pid);
  const cells: Cell[] = [];
  try {
    await load(64, warmUpSeconds);
    for (const count of connections) cells.push(await load(count, seconds));
  } finally {
    await server.stop();
  }
  const fault = auditRows(join(store.directory, databaseName), stored, ids);
  if (fault !== undefined) throw new Disqualified(fault);
  return { idleMb, cells, stored };
}
