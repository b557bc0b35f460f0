/** One life of a server: start, warm up, measure, stop, and see whether it stored what it acknowledged. */
import { join } from 'node:path';
import type { LoadGenerator } from '../load/load-generator';
import type { Settings } from '../report/settings';
import { databaseName, type Entry, token } from '../servers/entries';
import { cpuSecondsOf, residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';
import { auditRows } from '../stores/audit-rows';

/** What was measured with one number of connections. */
export interface Cell {
  connections: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the server for each create. */
  cpuUs: number;
  generatorShare: number;
}

export interface Run {
  server: string;
  cells: Cell[];
  residentMbBefore: number;
  residentMbAfter: number;
  acknowledged: number;
  /** Why none of this counts. */
  fault?: string;
}

/** The runs of a round, by the name of their server. */
export type Round = ReadonlyMap<string, Run>;

interface Place {
  directory: string;
  /** How many plants are in its store already: those of the first indexes. */
  filled: number;
}

/** Does not reject for anything that the server does wrong: that is the run's fault, and the bench goes on. */
export async function runServer(
  entry: Entry,
  { directory, filled }: Place,
  { connections, seconds, warmUpSeconds, ids }: Settings,
  generator: LoadGenerator,
  onCell: (cell: Cell) => void,
): Promise<Run> {
  const run: Run = {
    server: entry.name,
    cells: [],
    residentMbBefore: NaN,
    residentMbAfter: NaN,
    acknowledged: 0,
  };
  let server: ServerProcess;
  try {
    server = await ServerProcess.start(entry, directory);
  } catch (error) {
    return { ...run, fault: error instanceof Error ? error.message : String(error) };
  }
  const { port, pid } = server;

  const measure = async (connections: number, seconds: number): Promise<Cell> => {
    const cpuBefore = cpuSecondsOf(pid);
    const first = filled + run.acknowledged;
    const outcome = await generator.run({ port, token, connections, seconds, first, ids });
    if (outcome.wrong > 0) throw new WrongAnswers(`${outcome.wrong} wrong answers; the first: ${outcome.firstWrong}`);
    run.acknowledged += outcome.acknowledged;
    const { perSecond, p50: p50Ms, p99: p99Ms, generatorShare } = outcome;
    const cpuUs = ((cpuSecondsOf(pid) - cpuBefore) * 1e6) / outcome.acknowledged;
    return { connections, perSecond, p50Ms, p99Ms, cpuUs, generatorShare };
  };

  try {
    run.residentMbBefore = residentMbOf(pid);
    await measure(64, warmUpSeconds);
    for (const number of connections) {
      const cell = await measure(number, seconds);
      run.cells.push(cell);
      onCell(cell);
    }
    run.residentMbAfter = residentMbOf(pid);
  } catch (error) {
    if (!(error instanceof WrongAnswers)) throw error;
    return { ...run, fault: error.message };
  } finally {
    await server.stop();
  }
  const fault = auditRows(join(directory, databaseName), filled + run.acknowledged, ids);
  return fault === undefined ? run : { ...run, fault };
}

class WrongAnswers extends Error {}
