/** The rounds of one server, made one: medians with their spread. */
import type { Cell, Round } from '../modes/run-server';
import type { Entry } from '../servers/entries';
import { median, type Spread, spreadOf } from './statistics';

export interface ServerSummary {
  name: string;
  label: string;
  /** Why it is disqualified. */
  fault?: string;
  cells: CellSummary[];
  residentMbBefore: number;
  residentMbAfter: number;
  acknowledged: number;
}

export interface CellSummary {
  connections: number;
  perSecond: Spread;
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
  generatorShare: number;
}

export function summarize({ name, label }: Entry, rounds: readonly Round[]): ServerSummary {
  const runs = rounds.map((round) => round.get(name)).filter((run) => run !== undefined);
  const fault = runs.find((run) => run.fault !== undefined)?.fault;
  const cells = runs.flatMap((run) => run.cells);
  const connections = new Set(cells.map((cell) => cell.connections));
  return {
    name,
    label,
    ...(fault !== undefined && { fault }),
    cells: [...connections].map((number) =>
      summarizeCells(
        number,
        cells.filter((cell) => cell.connections === number),
      ),
    ),
    residentMbBefore: median(runs.map((run) => run.residentMbBefore)),
    residentMbAfter: median(runs.map((run) => run.residentMbAfter)),
    acknowledged: runs.reduce((sum, run) => sum + run.acknowledged, 0),
  };
}

function summarizeCells(connections: number, cells: readonly Cell[]): CellSummary {
  const middle = (of: (cell: Cell) => number): number => median(cells.map(of));
  return {
    connections,
    perSecond: spreadOf(cells.map((cell) => cell.perSecond)),
    p50Ms: middle((cell) => cell.p50Ms),
    p99Ms: middle((cell) => cell.p99Ms),
    cpuUs: middle((cell) => cell.cpuUs),
    generatorShare: middle((cell) => cell.generatorShare),
  };
}
