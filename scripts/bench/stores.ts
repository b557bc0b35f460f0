/** The stores of a bench: a file of SQLite for each server, or one PostgreSQL that the bench starts. */
import { DatabaseSync } from '@photostructure/sqlite';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { PostgresServer } from '../postgres-server';
import { contentOf, idOf } from './load/plants';
import { cpuSecondsOf, parentOf } from './process-usage';

export interface BenchStore {
  /** The store's label in the report. */
  label: string;
  /** Makes an empty store for the servers of this directory, and resolves to its DATABASE_URL. */
  fresh(directory: string): Promise<string>;
  /** The fault of a store that should hold the plants of the indexes below `count`; undefined if there is none. */
  audit(directory: string, count: number): Promise<string | undefined>;
  /** CPU time of the database's own processes so far; 0 if it runs in those of the servers. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const SELECT = 'SELECT id, name, tag FROM plants ORDER BY id';

export function sqliteStore(): BenchStore {
  const fileIn = (directory: string): string => join(directory, 'plants.db');
  return {
    label: 'SQLite',
    fresh: (directory) => Promise.resolve(`sqlite:${fileIn(directory)}`),
    audit(directory, count) {
      const database = new DatabaseSync(fileIn(directory));
      const rows = database.prepare(SELECT).all();
      database.close();
      return Promise.resolve(faultIn(rows, count));
    },
    cpuSeconds: () => 0,
    stop: () => Promise.resolve(),
  };
}

/** Starts a server with its default settings, which are durable. */
export async function postgresStore(): Promise<BenchStore> {
  const server = await (await PostgresServer.create()).start();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  return {
    label: 'PostgreSQL',
    async fresh() {
      // Every server uses the table that ours makes.
      await client.query('DROP TABLE IF EXISTS plants, plants_migrations');
      await client.query('CHECKPOINT');
      return server.url();
    },
    audit: async (_directory, count) => faultIn((await client.query(SELECT)).rows, count),
    cpuSeconds() {
      const children = readdirSync('/proc').filter((name) => parentOf(name) === server.pid);
      return [String(server.pid), ...children].reduce((sum, pid) => sum + cpuSecondsOf(pid), 0);
    },
    async stop() {
      await client.end();
      await server.dispose();
    },
  };
}

function faultIn(rows: readonly Record<string, unknown>[], count: number): string | undefined {
  if (rows.length !== count) return `acknowledged ${count} plants, stored ${rows.length}`;
  const wrong = rows.findIndex(({ id, name, tag }, index) => {
    const content = contentOf(index);
    return Number(id) !== idOf(index) || name !== content.name || tag !== (content.tag ?? null);
  });
  return wrong === -1 ? undefined : `plant ${idOf(wrong)} is not stored as it was sent`;
}
