/**
 * `npm run bench`: this server and its peers, in one run on one machine; `npm run bench -- --help` lists the options. Exits 0
 * whatever it measures, and 1 where it cannot measure.
 */
import '../../src/node-version';
import { availableParallelism, cpus } from 'node:os';
import { exitWith } from '../../src/engine/commands/exit-with';
import type { Bench } from './bench';
import { LoadGenerator } from './load/load-generator';
import { compare } from './modes/compare';
import { measureContract } from './modes/contract';
import { measureStart } from './modes/start';
import { help, readOptions } from './options';
import { makeDirectory, prepare } from './prepare';
import { chooseEntries, findEntry, ours, readEntries } from './servers/entries';
import { postgresStore, sqliteStore } from './stores/bench-store';

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
  if (options.start) await measureStart(bench);
  else if (options.contract !== undefined) await measureContract(bench, options.contract);
  else await compare(bench);
  await bench.store.stop();
  bench.generator.stop();
  return 0;
}

// An interrupted run ends its servers and removes its stores too, which happens on exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

exitWith(main);
