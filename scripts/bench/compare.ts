/** The comparison: every server once in every round, each time as a new process with an empty store. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/engine';
import { type Bench, type Measured, measure, startGenerator } from './measure';
import { modelLines } from './model';
import { drawPicture } from './picture';
import { brief, columnsOf, type Round, type Row, rowsOf } from './report';
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
const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() };
const RESULTS = { sqlite: 'latest', postgres: 'postgres' };

export async function compare(directory: string, settings: Settings): Promise<void> {
  const { rounds, connections } = settings;
  const all: Entry[] = entries[settings.store];
  const chosen = chosenOf(all, settings.only);
  const store = settings.store === 'postgres' ? await postgresStore() : sqliteStore();
  const generator = startGenerator();
  const faults = new Map<Entry, string>();
  const results: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    console.log(`round ${round + 1} of ${rounds}`);
    // Each round starts with another server, so that none always follows the same one.
    const offset = round % chosen.length;
    const servers = [...chosen.slice(offset), ...chosen.slice(0, offset)].filter((entry) => !faults.has(entry));
    results.push(await runRound({ ...settings, store, generator }, join(directory, String(round)), servers, faults));
  }
  await store.stop();
  generator.disconnect();

  const sound = chosen.filter((entry) => !faults.has(entry));
  const rows = all.slice(0, 1).flatMap((ours) => rowsOf(sound, ours, results));
  printRows(rows, settings);
  for (const [{ name }, fault] of faults) console.log(`DISQUALIFIED  ${name}: ${fault}`);
  if (sound.length === all.length && rounds >= ROUNDS_MIN && connections.includes(64))
    save(rows, settings, store.label);
}

function chosenOf(all: readonly Entry[], only: readonly string[] | undefined): Entry[] {
  const names = all.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`--only: expected some of ${names.join(', ')}, got ${unknown}`);
  return all.filter(({ name }) => only?.includes(name) ?? true);
}

function printRows(rows: readonly Row[], { store, connections }: Settings): void {
  console.log(
    `\n${machine.cores} cores of ${machine.cpu}; medians and ranges; ratios are this server divided by that one`,
  );
  for (const count of connections) {
    const ofCount = rows.filter((row) => row.connections === count);
    console.log(`\n${count} connections`);
    console.table(Object.fromEntries(ofCount.map((row) => [row.server, columnsOf(row)])));
  }
  if (store === 'sqlite')
    for (const line of modelLines(rows.map((row) => ({ ...row, perSecond: row.perSecond.median })))) console.log(line);
  for (const { server, connections: count, generatorShare } of rows)
    if (generatorShare > SHARE_MAX)
      console.log(
        `LIMITED BY THE LOAD GENERATOR  ${server} at ${count} connections: ${brief(generatorShare)} of a core`,
      );
}

function save(rows: readonly Row[], { store: kind, rounds, seconds, warmUp, connections }: Settings, store: string) {
  const settings = { store, rounds, seconds, warmUp, connections };
  const day = new Date().toISOString().slice(0, 10);
  write(`${RESULTS[kind]}.json`, `${JSON.stringify({ day, machine, settings, rows }, rounded, 2)}\n`);
  write(`${RESULTS[kind]}.svg`, drawPicture(rows, machine, settings));
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

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

function write(name: string, text: string): void {
  writeFileSync(join(__dirname, 'results', name), text);
  console.log(`scripts/bench/results/${name} written`);
}
