/** The rounds of a comparison as rows: a server with a number of connections, and this server's ratio to it. */
import type { Cell, Round } from '../modes/measure';
import type { Entry } from '../servers/entries';
import { median, type Spread, spreadOf } from './statistics';

export interface Row {
  server: string;
  label: string;
  connections: number;
  perSecond: Spread;
  p50Ms: number;
  p99Ms: number;
  cpuUs: number;
  databaseUs: number;
  idleMb: number;
  residentMb: number;
  generatorShare: number;
  /** This server divided by that one, in each round, because a disturbance of a round concerns both. */
  ratio: { perSecond: Spread; p50: Spread; p99: Spread; databaseUs: Spread };
}

export function rowsOf(entries: readonly Entry[], rounds: readonly Round[], ours: Entry): Row[] {
  return entries.flatMap((entry) => {
    const counts = rounds[0]?.get(entry)?.cells.map(({ connections }) => connections) ?? [];
    return counts.map((connections, index): Row => {
      const valuesOf = (key: keyof Cell, of = entry): number[] =>
        rounds.map((round) => round.get(of)?.cells[index]?.[key] ?? NaN);
      const ratioOf = (key: keyof Cell): Spread => {
        const theirs = valuesOf(key);
        return spreadOf(valuesOf(key, ours).map((value, round) => value / (theirs[round] ?? NaN)));
      };
      return {
        server: entry.name,
        label: entry.label,
        connections,
        perSecond: spreadOf(valuesOf('perSecond')),
        p50Ms: median(valuesOf('p50Ms')),
        p99Ms: median(valuesOf('p99Ms')),
        cpuUs: median(valuesOf('cpuUs')),
        databaseUs: median(valuesOf('databaseUs')),
        idleMb: median(rounds.map((round) => round.get(entry)?.idleMb ?? NaN)),
        residentMb: median(valuesOf('residentMb')),
        generatorShare: median(valuesOf('generatorShare')),
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
