/** The command line of the bench: what is asked for, and the help. */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { IdOrder } from './load/plants';

export const help = `npm run bench [-- OPTIONS]

Compares this server with its peers in rounds, all of them storing every plant on disk before its 200.

  --quick              two short rounds, under two minutes
  --only a,b           only these servers: plant-store, plant-store-logging, fastify, fastify-openapi-glue,
                       openapi-backend, express-validator, limit
  --rounds N           rounds (5)
  --seconds S          seconds of each measurement (5)
  --connections a,b    numbers of connections (1,64,512)
  --ids ORDER          ascending or random ids (ascending)
  --directory DIR      where the stores lie, on a disk (the system's directory for temporary files)

Other measurements, of this server alone:

  --filled N           creates/s with N plants in the store against an empty one
  --soak SECONDS       memory and creates/s over a long time, at 64 connections
  --start              CPU time from start to first answer

Results are written to scripts/bench/results; a comparison of fewer servers or rounds to partial.*, any other one to
latest.*, which the README shows.`;

export interface Options {
  help: boolean;
  only: string[] | undefined;
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  connections: number[];
  ids: IdOrder;
  directory: string;
  /** How many plants the filled store has; undefined when that is not asked for. */
  filled: number | undefined;
  soakSeconds: number | undefined;
  start: boolean;
}

/** Throws with a text for people when the command line is not understood. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '1,64,512' },
      ids: { type: 'string', default: 'ascending' },
      directory: { type: 'string', default: tmpdir() },
      filled: { type: 'string' },
      soak: { type: 'string' },
      start: { type: 'boolean', default: false },
    },
  });
  const { help, quick, directory, start } = values;
  return {
    help,
    only: values.only?.split(','),
    rounds: given(values.rounds, whole, 'rounds') ?? (quick ? 2 : 5),
    seconds: given(values.seconds, positive, 'seconds') ?? (quick ? 1.5 : 5),
    warmUpSeconds: quick ? 1 : 3,
    connections: values.connections.split(',').map((text) => whole('connections', text)),
    ids: orderOf(values.ids),
    directory,
    filled: given(values.filled, whole, 'filled'),
    soakSeconds: given(values.soak, positive, 'soak'),
    start,
  };
}

type ReadNumber = (name: string, text: string) => number;

function given(text: string | undefined, read: ReadNumber, name: string): number | undefined {
  return text === undefined ? undefined : read(name, text);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new Error(`--${name}: expected a number above 0, got "${text}"`);
  return value;
}

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name}: expected a whole number above 0, got "${text}"`);
  return Number(text);
}

function orderOf(text: string): IdOrder {
  if (text === 'random' || text === 'ascending') return text;
  throw new Error(`--ids: expected random or ascending, got "${text}"`);
}
