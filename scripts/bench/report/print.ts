/** The rows of a comparison as tables. */
import type { Options } from '../options';
import type { Machine } from '../bench';
import type { Row } from './rows';
import { brief, describe } from './statistics';

export function printRows(rows: readonly Row[], { node, cores, cpu }: Machine, options: Options): void {
  console.log(`\nNode ${node}, ${cores} cores of ${cpu}; medians of ${options.rounds} rounds, ids ${options.ids}.`);
  console.log('Ratios are this server divided by that one, with the range of the rounds.');
  for (const connections of options.connections) {
    console.log(`\n${connections} connections`);
    console.table(
      Object.fromEntries(
        rows.filter((row) => row.connections === connections).map((row) => [row.server, columns(row)]),
      ),
    );
  }
}

function columns({
  perSecond,
  p50Ms,
  p99Ms,
  cpuUs,
  databaseUs,
  idleMb,
  residentMb,
  generatorShare,
  ratio,
}: Row): object {
  return {
    'creates/s': describe(perSecond),
    'p50 ms': brief(p50Ms),
    'p99 ms': brief(p99Ms),
    'CPU us': brief(cpuUs),
    ...(databaseUs > 0 && { 'database CPU us': brief(databaseUs) }),
    'MB idle': brief(idleMb),
    'MB loaded': brief(residentMb),
    'generator CPU': `${Math.round(generatorShare * 100)} %`,
    'ratio creates/s': describe(ratio.perSecond),
    'ratio p50': describe(ratio.p50),
    'ratio p99': describe(ratio.p99),
    ...(databaseUs > 0 && { 'ratio database CPU': describe(ratio.databaseUs) }),
  };
}
