/** The comparison: every server once in every round, each time as a new process with an empty store. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPicture } from '../report/draw-picture';
import { printRows } from '../report/print';
import { brief } from '../report/statistics';
import { rowsOf } from '../report/rows';
import type { Bench } from '../bench';
import type { Entry } from '../servers/entries';
import { Disqualified, type Measured, measure, type Round } from './measure';

/** The README shows a run of at least so many rounds. */
const ROUNDS_MIN = 5;

/** The names of the results of a whole run. */
const WHOLE = { sqlite: 'latest', postgres: 'postgres' };

export async function compare(bench: Bench): Promise<void> {
  const { machine } = bench;
  const { only, rounds, seconds, warmUpSeconds, connections, ids } = bench.options;
  const faults = new Map<Entry, string>();
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) results.push(await runRound(bench, round, faults));
  const entries = bench.entries.filter((entry) => !faults.has(entry));
  const rows = rowsOf(entries, results, bench.ours);
  printRows(rows, machine, bench.options);
  for (const [{ name }, fault] of faults) console.log(`DISQUALIFIED  ${name}: ${fault}`);

  const isWhole = only === undefined && rounds >= ROUNDS_MIN && connections.includes(64);
  const name = isWhole ? WHOLE[bench.options.store] : 'partial';
  const day = new Date().toISOString().slice(0, 10);
  const settings = { store: bench.store.label, rounds, seconds, warmUpSeconds, connections, ids };
  write(`${name}.json`, `${JSON.stringify({ day, machine, settings, rows }, rounded, 2)}\n`);
  write(`${name}.svg`, drawPicture(rows, machine, settings));
}

async function runRound(bench: Bench, round: number, faults: Map<Entry, string>): Promise<Round> {
  const { entries, options, directory } = bench;
  const measured = new Map<Entry, Measured>();
  // Each round starts with another server, so that none always follows the same one.
  const offset = round % entries.length;
  for (const entry of [...entries.slice(offset), ...entries.slice(0, offset)]) {
    if (faults.has(entry)) continue;
    const place = join(directory, `${round}-${entry.name}`);
    mkdirSync(place);
    try {
      const result = await measure(bench, entry, place);
      measured.set(entry, result);
      const figures = result.cells.map(({ connections, perSecond }) => `${brief(perSecond)}/s at ${connections}`);
      console.log(`round ${round + 1} of ${options.rounds}  ${entry.name}: ${figures.join(', ')}`);
    } catch (error) {
      if (!(error instanceof Disqualified)) throw error;
      faults.set(entry, error.message);
    }
    rmSync(place, { recursive: true });
  }
  return measured;
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

function write(name: string, text: string): void {
  const folder = join(__dirname, '..', 'results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
  console.log(`scripts/bench/results/${name} written`);
}
