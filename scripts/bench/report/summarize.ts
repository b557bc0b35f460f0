/** The rounds of one server, made one: medians with their spread. */
import type { Cell, Round } from '../modes/run-session';
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
  const sessions = rounds.map((round) => round.get(name)).filter((session) => session !== undefined);
  const fault = sessions.find((session) => session.fault !== undefined)?.fault;
  const cells = sessions.flatMap((session) => session.cells);
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
    residentMbBefore: median(sessions.map((session) => session.residentMbBefore)),
    residentMbAfter: median(sessions.map((session) => session.residentMbAfter)),
    acknowledged: sessions.reduce((sum, session) => sum + session.acknowledged, 0),
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
