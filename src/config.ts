/** The configuration of our service: the engine's variables and those of its store, from the environment. */
import { join } from 'node:path';
import { engineVariables, helpOn, readVariables, type Settings, settingsOf, variable, wholeNumber } from './engine';
import { isAddress } from './plants/postgres/address';

export interface Config extends Settings {
  database: Database;
  /** The largest number of creates in a transaction. */
  batchMax: number;
}

/** The store of plants, by its kind. */
export type Database =
  | { kind: 'sqlite'; file: string }
  | {
      kind: 'postgres';
      /** A connection string, with any parameter that `pg` reads; never shown, because it may hold a password. */
      url: string;
      /** The largest number of connections, and so of batches that are stored at the same time. */
      connections: number;
      /** The number of shards of a table that Citus distributes when it is made; undefined for the default of Citus. */
      shards: number | undefined;
    };

export const variables = {
  ...engineVariables,
  database: variable<{ file: string } | { url: string }>(
    'DATABASE_URL',
    { file: 'data/plants.db' },
    'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, percent-encoded',
    databaseOf,
    '`sqlite:PATH` (backup and restore: `src/plants/sqlite/README.md`), or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` (what it needs: `src/plants/postgres/README.md`)',
    'sqlite:data/plants.db',
  ),
  connections: variable(
    'DATABASE_CONNECTIONS',
    2,
    'a number of connections from 1 to 100',
    wholeNumber(1, 100),
    'connections of an instance to PostgreSQL, each of which stores one batch at a time',
  ),
  batchMax: variable(
    'DATABASE_BATCH_MAX',
    1_000,
    'a number of creates from 1 to 1000',
    wholeNumber(1, 1_000),
    'creates that share a transaction at most',
  ),
  shards: variable<number | undefined>(
    'DATABASE_SHARDS',
    undefined,
    'a number of shards from 1 to 64000',
    wholeNumber(1, 64_000),
    'into how many shards Citus distributes the table when it is made; its own default unless set',
  ),
};

/** Reads the variables; throws a ConfigError that names every one that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return readVariables(variables, env, ({ database, connections, batchMax, shards, ...values }, refuse) => ({
    ...settingsOf(values, refuse),
    batchMax,
    database:
      'file' in database ? { kind: 'sqlite', ...database } : { kind: 'postgres', ...database, connections, shards },
  }));
}

/** The variables with which tools start the service for a trial: it touches nothing but the folder. */
export const trialVariables = (folder: string): NodeJS.ProcessEnv => ({
  DATABASE_URL: `sqlite:${join(folder, 'trial.db')}`,
});

/** The text of `--help`. */
export const usage = `start [--help | --version]

Serves the contract in openapi.yaml. Stops on SIGTERM and SIGINT, and reads the tokens file again on SIGHUP.

Variables:
${helpOn(variables)}`;

function databaseOf(text: string): { file: string } | { url: string } | undefined {
  // SQLite's own name for a store that is gone when the process ends would be the name of a file.
  const file = /^sqlite:(?!:memory:$)(?<path>.+)$/.exec(text)?.groups?.path;
  if (file !== undefined) return { file };
  // An empty host, user or database is taken from PGHOST and the like.
  return isAddress(text) ? { url: text } : undefined;
}
