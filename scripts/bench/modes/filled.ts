/** Creates per second with many plants in the store, compared with an empty one; ids come in random order. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brief, describe, spreadOf } from '../report/statistics';
import type { Bench } from '../run';
import { ServerProcess } from '../servers/server-process';
import { sqliteName } from '../stores/bench-store';
import { fillStore } from '../stores/fill-store';
import { measure, type Store } from './measure';

export async function compareFilled(bench: Bench, count: number): Promise<void> {
  const { directory, ours } = bench;
  if (bench.options.store !== 'sqlite') throw new Error('--filled: expected --store sqlite');
  const options = { ...bench.options, connections: [64], ids: 'random' as const };
  const full: Store = { directory: join(directory, 'full'), stored: count };
  mkdirSync(full.directory);
  // The server creates its table; the plants are inserted directly.
  await (await ServerProcess.start(ours, full.directory, await bench.store.fresh(full.directory))).stop();
  fillStore(join(full.directory, sqliteName), count, options.ids, (done) => {
    if (done % 1_000_000 === 0 || done === count) console.log(`filling the store: ${done} of ${count} plants`);
  });

  const perSecond = async (store: Store): Promise<number> => {
    const before = store.stored;
    const { cells, stored } = await measure(bench, ours, store, options);
    store.stored = stored;
    const [cell] = cells;
    console.log(`${before} plants: ${brief(cell?.perSecond ?? NaN)}/s, p99 ${brief(cell?.p99Ms ?? NaN)} ms`);
    return cell?.perSecond ?? NaN;
  };
  const ratios: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const empty: Store = { directory: join(directory, `empty-${round}`), stored: 0 };
    mkdirSync(empty.directory);
    const emptyPerSecond = await perSecond(empty);
    ratios.push((await perSecond(full)) / emptyPerSecond);
    rmSync(empty.directory, { recursive: true });
  }
  console.log(`\ncreates/s with ${count} plants, divided by an empty store: ${describe(spreadOf(ratios))}`);
}
