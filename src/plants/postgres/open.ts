/** A PostgreSQL database that may be a store: waited for, found durable, and brought up to date. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { columnList, missingColumns } from '../columns';
import { explain, StandBy, Unsuitable } from './advice';
import { SQL_TYPES } from './column-types';
import { createClient, createPool, isPassing, type Queries } from './driver';

/** The schema's versions, in order; `plants_migrations` has a row for each that a database has had. Only ever append. */
const MIGRATIONS = ['CREATE TABLE plants (id int8 PRIMARY KEY, name text NOT NULL, tag text)'];

/** The key of the advisory lock: "plants" in ASCII. */
const MIGRATION_LOCK = 0x706c616e7473;

export interface OpenOptions {
  connections: number;
  /** Into how many shards Citus distributes the table; its own default unless given. */
  shards: number | undefined;
  waitMs: number;
  /** Called with why the start takes long. */
  tell: (text: string) => void;
}

/** Opens the database; tries again while it is not there yet, or cannot be reached. */
export async function openDatabase(url: string, { connections, shards, waitMs, tell }: OpenOptions): Promise<Pool> {
  const deadline = performance.now() + waitMs;
  const pool = createPool(url, connections, checkDurable);
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    try {
      if (!(await isUpToDate(pool))) await migrate(url, shards, deadline - performance.now());
      return pool;
    } catch (error) {
      const hope = isPassing(error) && !(error instanceof Unsuitable);
      if (!hope || performance.now() + pauseMs > deadline) {
        void pool.end();
        throw error;
      }
      tell(`the store cannot be opened yet: ${explain(error)}`);
      await sleep(pauseMs);
    }
  }
}

/** Refuses a server on which a commit may be lost, or that takes none. */
async function checkDurable(client: Queries): Promise<void> {
  const settings = await readSettings(client, ['fsync', 'synchronous_commit', 'transaction_read_only']);
  for (const name of ['fsync', 'synchronous_commit']) {
    if (settings[name] === 'off') {
      throw new Unsuitable(
        `it is not durable: ${name} is off, and a plant that was answered 200 could be lost. Set ${name} to on for this server, database and user`,
      );
    }
  }
  if (settings.transaction_read_only === 'on') throw new StandBy();
}

/** Whether there is nothing to migrate; a start that finds it so takes no lock and needs no right to create tables. */
async function isUpToDate(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    const { server_encoding: encoding } = await readSettings(client, ['server_encoding']);
    if (encoding !== 'UTF8') {
      throw new Unsuitable(
        `its encoding is ${encoding}, which does not hold every text. Create it anew with ENCODING 'UTF8'`,
      );
    }
    const version = await versionOf(client);
    if (version > MIGRATIONS.length) {
      throw new Unsuitable(
        `its schema is of version ${version}, and this program knows ${MIGRATIONS.length}: expected a newer program`,
      );
    }
    if (version < MIGRATIONS.length) return false;
    await refuseOtherTable(client);
    return !(await isToBeDistributed(client));
  } finally {
    client.release();
  }
}

/** Brings the schema up to date in one transaction, under a lock that makes processes that start together take turns. */
async function migrate(url: string, shards: number | undefined, waitMs: number): Promise<void> {
  const client = createClient(url);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(waitMs))}`);
    await client.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query(
      'CREATE TABLE IF NOT EXISTS plants_migrations (version int4 PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())',
    );
    const version = await versionOf(client);
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < version) continue;
      await client.query(migration);
      await client.query('INSERT INTO plants_migrations (version) VALUES ($1)', [index + 1]);
    }
    await refuseOtherTable(client);
    if (await isToBeDistributed(client)) {
      const count = shards === undefined ? '' : `, shard_count => ${shards}`;
      await client.query(`SELECT create_distributed_table('plants', 'id'${count})`);
    }
    await client.query('COMMIT');
  } finally {
    // Without waiting: a server that is frozen does not say goodbye.
    void client.end();
  }
}

async function refuseOtherTable(client: Queries): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = to_regclass('plants') AND attnum > 0 AND NOT attisdropped`,
  );
  const found = rows.map(({ name }) => name);
  const missing = missingColumns(found, SQL_TYPES, 'src/plants/postgres/open.ts');
  if (missing !== undefined) throw new Unsuitable(missing);
  await client.query(`SELECT ${columnList} FROM plants LIMIT 0`);
}

/** The last migration that the database has had; 0 for an empty one. */
async function versionOf(client: Queries): Promise<number> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('plants_migrations') IS NOT NULL AS found`,
  );
  if (!tables[0]?.found) return 0;
  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int4 AS version FROM plants_migrations',
  );
  return rows[0]?.version ?? 0;
}

/** Whether Citus is installed, and the table not yet spread over its workers. */
async function isToBeDistributed(client: Queries): Promise<boolean> {
  const { rowCount: citus } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (citus === 0) return false;
  const { rowCount: distributed } = await client.query(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = 'plants'::regclass`,
  );
  return distributed === 0;
}

/** Settings of the session by name; null for one that this server does not have. */
async function readSettings(client: Queries, names: readonly string[]): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ name: string; setting: string | null }>(
    'SELECT name, current_setting(name, true) AS setting FROM unnest($1::text[]) AS name',
    [names],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}
