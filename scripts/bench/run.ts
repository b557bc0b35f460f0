/**
 * `npm run bench`: this server and its peers, in one run on one machine; `npm run bench -- --help` lists the options. Exits 0
 * whatever it measures, and 1 where it cannot measure.
 */
import '../../src/node-version';
import { availableParallelism, cpus } from 'node:os';
import { exitWith } from '../exit-with';
import { LoadGenerator } from './load/load-generator';
import { compare } from './modes/compare';
import { compareFilled } from './modes/filled';
import { soak } from './modes/soak';
import { measureBodies } from './modes/bodies';
import { measureStart } from './modes/start';
import { measureUnread } from './modes/unread';
import { help, type Options, readOptions } from './options';
import { makeDirectory, prepare } from './prepare';
import { chooseEntries, type Entry, findEntry, ours, readEntries } from './servers/entries';
import { type BenchStore, postgresStore, sqliteStore } from './stores/bench-store';

/** What every mode works with. */
export interface Bench {
  options: Options;
  /** All servers that take part. */
  entries: Entry[];
  /** This server. */
  ours: Entry;
  generator: LoadGenerator;
  store: BenchStore;
  /** For stores; removed at the end. */
  directory: string;
  machine: { node: string; cpu: string; cores: number };
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(help);
    return 0;
  }
  const all = readEntries(options.store);
  const entries = chooseEntries(all, options.only);
  prepare();
  const directory = makeDirectory(options.directory);
  const bench: Bench = {
    options,
    entries,
    ours: findEntry(all, ours),
    generator: new LoadGenerator(),
    store: options.store === 'postgres' ? await postgresStore(directory) : sqliteStore(),
    directory,
    machine: { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() },
  };
  if (options.filled !== undefined) await compareFilled(bench, options.filled);
  else if (options.soakSeconds !== undefined) await soak(bench, options.soakSeconds);
  else if (options.start) await measureStart(bench);
  else if (options.bodies) await measureBodies(bench);
  else if (options.unreadSeconds !== undefined) await measureUnread(bench, options.unreadSeconds);
  else await compare(bench);
  await bench.store.stop();
  bench.generator.stop();
  return 0;
}

// An interrupted run ends its servers and removes its stores too, which happens on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

exitWith(main);
