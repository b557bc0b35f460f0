/** The comparison: every server once in every round, each time as a new process with an empty store. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/engine';
import { type Bench, type Measured, measure, startGenerator } from './measure';
import { modelLines } from './model';
import { drawPicture } from './picture';
import { brief, columnsOf, type Round, rowsOf } from './report';
import { entries, type Entry } from './servers';
import { postgresStore, sqliteStore } from './stores';

export interface Settings extends Pick<Bench, 'seconds' | 'warmUp' | 'connections'> {
  store: keyof typeof entries;
  /** The names of the servers to compare; undefined for all. */
  only: readonly string[] | undefined;
  rounds: number;
}

/** The number of rounds from which on results are saved. */
const ROUNDS_MIN = 5;
/** The share of a core from which on the load generator is the limit rather than the server. */
const SHARE_MAX = 0.9;
const RESULTS = { sqlite: 'latest', postgres: 'postgres' };

export async function compare(directory: string, settings: Settings): Promise<void> {
  const { store: kind, only, rounds, seconds, warmUp, connections } = settings;
  const all: Entry[] = entries[kind];
  const unknown = only?.find((name) => !all.some((entry) => entry.name === name));
  if (unknown !== undefined) throw new Error(`--only: expected some of ${names(all)}, got ${unknown}`);
  const chosen = all.filter(({ name }) => only?.includes(name) ?? true);
  const store = kind === 'postgres' ? await postgresStore() : sqliteStore();
  const generator = startGenerator();
  const faults = new Map<Entry, string>();
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    console.log(`round ${round + 1} of ${rounds}`);
    // Each round starts with another server, so that none always follows the same one.
    const offset = round % chosen.length;
    const servers = [...chosen.slice(offset), ...chosen.slice(0, offset)].filter((entry) => !faults.has(entry));
    results.push(
      await runRound(
        { store, generator, seconds, warmUp, connections },
        join(directory, String(round)),
        servers,
        faults,
      ),
    );
  }
  await store.stop();
  generator.disconnect();

  const [ours] = all;
  const rows = ours
    ? rowsOf(
        chosen.filter((entry) => !faults.has(entry)),
        ours,
        results,
      )
    : [];
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() };
  console.log(
    `\n${machine.cores} cores of ${machine.cpu}; medians and ranges; ratios are this server divided by that one`,
  );
  for (const count of connections) {
    const ofCount = rows.filter((row) => row.connections === count);
    console.log(`\n${count} connections`);
    console.table(Object.fromEntries(ofCount.map((row) => [row.server, columnsOf(row)])));
  }
  if (kind === 'sqlite')
    for (const line of modelLines(rows.map((row) => ({ ...row, perSecond: row.perSecond.median })))) console.log(line);
  for (const { server, connections: count, generatorShare } of rows)
    if (generatorShare > SHARE_MAX)
      console.log(
        `LIMITED BY THE LOAD GENERATOR  ${server} at ${count} connections: ${brief(generatorShare)} of a core`,
      );
  for (const [{ name }, fault] of faults) console.log(`DISQUALIFIED  ${name}: ${fault}`);
  if (only !== undefined || rounds < ROUNDS_MIN || !connections.includes(64)) return;
  const said = {
    day: new Date().toISOString().slice(0, 10),
    machine,
    settings: { store: store.label, rounds, seconds, warmUp, connections },
  };
  write(`${RESULTS[kind]}.json`, `${JSON.stringify({ ...said, rows }, rounded, 2)}\n`);
  write(`${RESULTS[kind]}.svg`, drawPicture(rows, machine, said.settings));
}

async function runRound(
  bench: Bench,
  directory: string,
  servers: readonly Entry[],
  faults: Map<Entry, string>,
): Promise<Round> {
  const measured = new Map<Entry, Measured>();
  for (const entry of servers) {
    const place = join(directory, entry.name);
    mkdirSync(place, { recursive: true });
    try {
      const result = await measure(entry, place, bench);
      measured.set(entry, result);
      const figures = result.cells.map(({ connections, perSecond }) => `${brief(perSecond)}/s at ${connections}`);
      console.log(`  ${entry.name}: ${figures.join(', ')}`);
    } catch (error) {
      faults.set(entry, messageOf(error));
    }
    rmSync(place, { recursive: true });
  }
  return measured;
}

function names(all: readonly Entry[]): string {
  return all.map(({ name }) => name).join(', ');
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

function write(name: string, text: string): void {
  writeFileSync(join(__dirname, 'results', name), text);
  console.log(`scripts/bench/results/${name} written`);
}
