/** Where the servers of a bench keep their plants: in a file of SQLite each, or in one PostgreSQL that the bench starts. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { PostgresServer } from '../../postgres-server';
import type { IdOrder } from '../load/exchange';
import { cpuSecondsOf } from '../servers/process-usage';
import { auditPlants } from './audit-plants';
import { auditRows } from './audit-rows';

export type StoreKind = 'sqlite' | 'postgres';

export interface BenchStore {
  kind: StoreKind;
  /** The words of the report for how a plant gets to disk. */
  label: string;
  /** Makes an empty store for the servers of this directory, and resolves to its DATABASE_URL. */
  fresh(directory: string): Promise<string>;
  /** What is wrong with a store that should hold the plants of the indexes below `count`; undefined if nothing is. */
  audit(directory: string, count: number, ids: IdOrder): Promise<string | undefined>;
  /** CPU time of the database's own processes so far; 0 where it runs in those of the servers. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export function sqliteStore(): BenchStore {
  const fileIn = (directory: string): string => join(directory, 'plants.db');
  return {
    kind: 'sqlite',
    label: 'SQLite',
    fresh: (directory) => Promise.resolve(`sqlite:${fileIn(directory)}`),
    audit: (directory, count, ids) => Promise.resolve(auditRows(fileIn(directory), count, ids)),
    cpuSeconds: () => 0,
    stop: () => Promise.resolve(),
  };
}

/** Starts a server with its data below the directory, and with its default settings, which are durable. */
export async function postgresStore(directory: string): Promise<BenchStore> {
  chmodSync(directory, 0o711); // as root the server is another user's
  const server = await (await PostgresServer.create({ parent: directory })).start();
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  return {
    kind: 'postgres',
    label: 'PostgreSQL',
    async fresh() {
      // The table that every server finds is the one that ours makes.
      await client.query('DROP TABLE IF EXISTS plants, plants_migrations');
      await client.query('CHECKPOINT');
      return server.url();
    },
    audit: (_directory, count, ids) => auditPlants(client, count, ids),
    cpuSeconds: () => cpuOfFamily(server.pid),
    async stop() {
      await client.end();
      await server.dispose();
    },
  };
}

/** CPU time of a process and its children, those included that have ended and were waited for. */
function cpuOfFamily(pid: number): number {
  const children = readdirSync('/proc').filter((name) => parentOf(name) === pid);
  return children.reduce((sum, child) => sum + cpuSecondsOf(Number(child)), cpuSecondsOf(pid, { withEnded: true }));
}

function parentOf(pid: string): number | undefined {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // it has just ended
  }
}
