/** The command line of the benchmark. */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { IdOrder } from './load/exchange';

export const help = `npm run bench [-- OPTIONS]

Compares this server with its peers, in rounds; every server stores each plant on disk before it answers 200.

  --quick              two short rounds, under two minutes
  --store STORE        sqlite, or postgres: one PostgreSQL, which the benchmark starts (sqlite)
  --only a,b           only these servers: plant-store, plant-store-logging, fastify-group-commit, fastify,
                       express-validator, limit; on PostgreSQL plant-store, plant-store-2 (two instances), fastify-pg, limit-pg
  --rounds N           rounds (5)
  --seconds S          seconds of each measurement (5)
  --connections a,b    numbers of connections (1,64,512)
  --ids ORDER          ascending or random ids (ascending)
  --directory DIR      where the stores are, on a disk (the system's directory for temporary files)

  --contract N         what a contract of N operations costs at the start and for each request, beside one of a single
                       operation, and nothing else
  --start              CPU time of this server from the start to its first answer, and nothing else

A comparison is written to scripts/bench/results: to latest.*, which the README shows, or postgres.*, if it is a whole one,
and otherwise to partial.*`;

export interface Options {
  help: boolean;
  store: 'sqlite' | 'postgres';
  only: string[] | undefined;
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  connections: number[];
  ids: IdOrder;
  directory: string;
  start: boolean;
  contract: number | undefined;
}

/** Throws where the command line is not understood. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      store: { type: 'string', default: 'sqlite' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '1,64,512' },
      ids: { type: 'string', default: 'ascending' },
      directory: { type: 'string', default: tmpdir() },
      start: { type: 'boolean', default: false },
      contract: { type: 'string' },
    },
  });
  const { help, quick, directory, start, ids, store } = values;
  if (ids !== 'random' && ids !== 'ascending') throw new Error(`--ids: expected random or ascending, got "${ids}"`);
  if (store !== 'sqlite' && store !== 'postgres')
    throw new Error(`--store: expected sqlite or postgres, got "${store}"`);
  return {
    help,
    store,
    only: values.only?.split(','),
    rounds: numberIn('rounds', values.rounds) ?? (quick ? 2 : 5),
    seconds: numberIn('seconds', values.seconds) ?? (quick ? 1.5 : 5),
    warmUpSeconds: quick ? 1 : 3,
    connections: values.connections.split(',').map((text) => numberIn('connections', text) ?? NaN),
    ids,
    directory,
    start,
    contract: numberIn('contract', values.contract),
  };
}

function numberIn(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isWhole = name !== 'seconds';
  const number = Number(text);
  if (!(number > 0 && number < 1e9) || (isWhole && !Number.isInteger(number)))
    throw new Error(`--${name}: expected a ${isWhole ? 'whole ' : ''}number above 0, got "${text}"`);
  return number;
}
