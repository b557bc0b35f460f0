/** Creates per second with many plants in the store, against an empty one, in turns; ids come in random order. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { atLeast, describeFigure } from '../report/figures';
import { spreadOf } from '../report/statistics';
import { writeJson } from '../report/write-result';
import { databaseName, type Entry, findEntry, ours } from '../servers/entries';
import { ServerProcess } from '../servers/server-process';
import { fillStore } from '../stores/fill-store';
import type { Context } from './context';
import { Progress } from './progress';
import { runServer } from './run-server';

export async function compareFilled(
  { options, entries, machine, generator, directory }: Context,
  count: number,
): Promise<void> {
  const entry = findEntry(entries, ours);
  const settings = { ...options, connections: [64], ids: 'random' as const };
  const progress = new Progress(options.rounds * 2);
  const full: Store = { directory: join(directory, 'full'), filled: count };
  await makeFull(entry, full);

  /** Creates per second with this store, which has more plants afterwards. */
  const measure = async (store: Store, round: number): Promise<number> => {
    const name = `round ${round + 1} of ${options.rounds}  ${store.filled} plants`;
    const { fault, cells, acknowledged } = await runServer(entry, store, settings, generator, (cell) => {
      progress.step(`${name}: ${Math.round(cell.perSecond)}/s, p99 ${cell.p99Ms.toFixed(1)} ms`);
    });
    if (fault) throw new Error(fault);
    store.filled += acknowledged;
    return cells[0]?.perSecond ?? NaN;
  };

  const rounds: { empty: number; filled: number }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const fresh: Store = { directory: join(directory, `empty-${round}`), filled: 0 };
    mkdirSync(fresh.directory);
    const result = { empty: NaN, filled: NaN };
    const turns = [
      async () => (result.empty = await measure(fresh, round)),
      async () => (result.filled = await measure(full, round)),
    ];
    // Each of the two is as often first as second.
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
    rounds.push(result);
    rmSync(fresh.directory, { recursive: true });
  }

  const ratio = spreadOf(rounds.map(({ empty, filled }) => filled / empty));
  const figure = atLeast(0.8, `creates/s with ${count} plants in the store, to an empty one`, ratio);
  console.log(`\n${describeFigure(figure)}`);
  writeJson('filled.json', { machine, plants: count, ids: settings.ids, rounds, figure });
}

interface Store {
  directory: string;
  filled: number;
}

/** The server makes its own table first; the plants come past it. */
async function makeFull(entry: Entry, { directory, filled }: Store): Promise<void> {
  mkdirSync(directory);
  const server = await ServerProcess.start(entry, directory);
  await server.stop();
  fillStore(join(directory, databaseName), filled, 'random', (done) => {
    if (done % 1_000_000 === 0 || done === filled) console.log(`filling the store: ${done} of ${filled} plants`);
  });
}
