/** The rounds of a comparison as rows: a server with a number of connections, and this server's ratio to it. */
import type { Cell, Measured } from './measure';
import type { Entry } from './servers';

/** The measurements of a round, by server, without disqualified ones. */
export type Round = ReadonlyMap<Entry, Measured>;

/** A figure of a server, or of a server with a number of connections. */
type Figure = keyof Cell | Exclude<keyof Measured, 'cells'>;

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Row {
  server: string;
  label: string;
  connections: number;
  perSecond: Spread;
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
  databaseUs: number;
  startSeconds: number;
  idleMb: number;
  residentMb: number;
  allocatedKb: number;
  generatorShare: number;
  /** This server divided by that one, in each round, because a disturbance of a round concerns both. */
  ratio: { perSecond: Spread; p50: Spread; p99: Spread; databaseUs: Spread };
}

export function rowsOf(entries: readonly Entry[], ours: Entry, rounds: readonly Round[]): Row[] {
  return entries.flatMap((entry) => {
    const counts = rounds[0]?.get(entry)?.cells.map(({ connections }) => connections) ?? [];
    return counts.map((connections, index): Row => {
      const valuesOf = (key: Figure, of = entry): number[] =>
        rounds.map((round) => ({ ...round.get(of), ...round.get(of)?.cells[index] })[key] ?? NaN);
      const medianOf = (key: Figure): number => median(valuesOf(key));
      const ratioOf = (key: Figure): Spread => {
        const theirs = valuesOf(key);
        return spreadOf(valuesOf(key, ours).map((value, round) => value / (theirs[round] ?? NaN)));
      };
      return {
        server: entry.name,
        label: entry.label,
        connections,
        perSecond: spreadOf(valuesOf('perSecond')),
        p50Ms: medianOf('p50Ms'),
        p99Ms: medianOf('p99Ms'),
        cpuUs: medianOf('cpuUs'),
        databaseUs: medianOf('databaseUs'),
        startSeconds: medianOf('startSeconds'),
        idleMb: medianOf('idleMb'),
        residentMb: medianOf('residentMb'),
        allocatedKb: medianOf('allocatedKb'),
        generatorShare: medianOf('generatorShare'),
        ratio: {
          perSecond: ratioOf('perSecond'),
          p50: ratioOf('p50Ms'),
          p99: ratioOf('p99Ms'),
          databaseUs: ratioOf('databaseUs'),
        },
      };
    });
  });
}

/** The columns of the table in the terminal. */
export function columnsOf(row: Row): object {
  return {
    'creates/s': describe(row.perSecond),
    'p50 ms': brief(row.p50Ms),
    'p99 ms': brief(row.p99Ms),
    'CPU us': brief(row.cpuUs),
    ...(row.databaseUs > 0 && { 'database CPU us': brief(row.databaseUs) }),
    'start CPU s': brief(row.startSeconds),
    'MB idle': brief(row.idleMb),
    'MB loaded': brief(row.residentMb),
    'KB allocated': brief(row.allocatedKb),
    'generator CPU': brief(row.generatorShare),
    'ratio creates/s': describe(row.ratio.perSecond),
    'ratio p50': describe(row.ratio.p50),
    'ratio p99': describe(row.ratio.p99),
    ...(row.databaseUs > 0 && { 'ratio database CPU': describe(row.ratio.databaseUs) }),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** `0.61 (0.58 to 0.66)` */
function describe({ median, min, max }: Spread): string {
  return `${brief(median)} (${brief(min)} to ${brief(max)})`;
}

export function brief(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
}
