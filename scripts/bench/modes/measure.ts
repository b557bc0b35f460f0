/** Measures one server: starts it, warms it up, loads it, stops it, and checks that it stored what it acknowledged. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../load/protocol';
import type { Bench } from '../bench';
import { type Entry, token } from '../servers/entries';
import { cpuSecondsOf, residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';

/** What was measured with one number of connections. */
export interface Cell extends Omit<Outcome, 'wrong' | 'firstWrong'> {
  connections: number;
  /** CPU time of the server for each create. */
  cpuUs: number;
  /** CPU time of the database for each create, where it has processes of its own. */
  databaseUs: number;
  /** Resident memory at the end. */
  residentMb: number;
}

export interface Measured {
  /** Resident memory before the first request. */
  idleMb: number;
  cells: Cell[];
}

/** Of every server that was not disqualified. */
export type Round = ReadonlyMap<Entry, Measured>;

/** A fault of the server, which disqualifies it; anything else ends the benchmark. */
export class Disqualified extends Error {}

/** Rejects with Disqualified where the server does not start, answers wrongly or has not stored what it acknowledged. */
export async function measure(
  { generator, store: database, options }: Bench,
  entry: Entry,
  directory: string,
): Promise<Measured> {
  const { connections, seconds, warmUpSeconds, ids } = options;
  const servers: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers) await server.stop();
  };
  try {
    const databaseUrl = await database.fresh(directory);
    for (let instance = 0; instance < (entry.instances ?? 1); instance++) {
      const folder = join(directory, String(instance));
      mkdirSync(folder, { recursive: true });
      servers.push(await ServerProcess.start(entry, folder, databaseUrl));
    }
  } catch (error) {
    await stop();
    throw new Disqualified(String(error), { cause: error });
  }
  const ports = servers.map(({ port }) => port);
  const sum = (usageOf: (pid: number) => number): number => servers.reduce((all, { pid }) => all + usageOf(pid), 0);
  let stored = 0;
  const load = async (count: number, duration: number): Promise<Cell> => {
    const [cpuBefore, databaseBefore] = [sum(cpuSecondsOf), database.cpuSeconds()];
    const order = { ports, token, connections: count, seconds: duration, first: stored, ids };
    const { wrong, firstWrong, ...outcome } = await generator.run(order);
    if (wrong > 0) throw new Disqualified(`${wrong} wrong answers; the first: ${firstWrong}`);
    stored += outcome.acknowledged;
    const perCreate = (cpuSeconds: number): number => (cpuSeconds * 1e6) / outcome.acknowledged;
    const cpuUs = perCreate(sum(cpuSecondsOf) - cpuBefore);
    const databaseUs = perCreate(database.cpuSeconds() - databaseBefore);
    return { ...outcome, connections: count, cpuUs, databaseUs, residentMb: sum(residentMbOf) };
  };

  const idleMb = sum(residentMbOf);
  const cells: Cell[] = [];
  try {
    await load(64, warmUpSeconds);
    for (const count of connections) cells.push(await load(count, seconds));
  } finally {
    await stop();
  }
  const fault = await database.audit(directory, stored, ids);
  if (fault !== undefined) throw new Disqualified(fault);
  return { idleMb, cells };
}
