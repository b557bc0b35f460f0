/** Opens a PostgreSQL database as a store: waits for it, checks that it is durable, and brings its schema up to date. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Pool } from 'pg';
import { leftOut, otherSchema } from '../columns';
import { searchPathOf } from './address';
import { explain, Unsuitable } from './advice';
import { Counters } from './counters';
import { checkConnection, checkNodes, checkPooler, checkSearchPath } from './durable';
import {
  cancel,
  createClient,
  createPool,
  isPassing,
  isUnanswered,
  NO_TIMEOUT,
  PostgresCode,
  sqlState,
  withTimeout,
  type Queries,
} from './driver';
import { checkColumns, checkInsert, checkTable, columnsOf, schemaOf, type Table } from './table';

/** The schema's versions, in order; `plants_migrations` has a row for each that a database has had. Only append to them. */
export const MIGRATIONS: readonly string[] = [
  'CREATE TABLE plants (id int8 PRIMARY KEY, name text NOT NULL, tag text)',
];

/** The key of the advisory lock: "plants" in ASCII. */
const MIGRATION_LOCK = 0x706c616e7473;

/** The time after which a migration is reported to go on. */
const SLOW_MS = 2_000;
/** The time for the answer to a statement that has just waited for others, or for a standby. */
const ANSWER_MS = 3_000;
/** The time for a commit to end that was asked to. */
const CANCEL_MS = 1_000;

export interface OpenOptions {
  /** The largest number of connections; each stores one batch at a time. */
  connections?: number;
  /** The number of shards of the table with Citus; by default that of Citus. */
  shards?: number | undefined;
  /** The longest wait for a database that cannot be reached yet. */
  openWaitMs?: number;
  /** Refuses a database without the schema of this program instead of changing it. */
  mustExist?: boolean;
  /** The versions of the schema; by default those of this program. */
  migrations?: readonly string[];
  /** Called with messages for operators, such as why the start takes long. */
  warn?: (text: string) => void;
}

export interface Opened {
  pool: Pool;
  counters: Counters;
  /** True if this start has made the table. */
  made: boolean;
  schemaVersion: number;
  table: Table;
}

/** Opens the database, which messages call `name`; retries while it cannot be reached or does not exist. */
export async function openDatabase(url: string, name: string, options: OpenOptions): Promise<Opened> {
  const { connections = 2, shards, mustExist, openWaitMs = 30_000, warn = () => undefined } = options;
  const { migrations = MIGRATIONS } = options;
  const deadline = performance.now() + openWaitMs;
  const warned = new Set<string>();
  /** Every new connection is checked, and would repeat the same warnings. */
  const warnOnce = (text: string): void => {
    if (!warned.has(text)) warn(`the store ${name}: ${text}`);
    warned.add(text);
  };
  const searchPath = searchPathOf(url);
  const pool = createPool(url, connections, async (client) => {
    await checkSearchPath(client, searchPath);
    await checkConnection(client, warnOnce);
  });
  const counters = new Counters(pool);
  let made = false;
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    try {
      let found = await look(url, pool, migrations, warnOnce);
      const other = mustExist ? otherSchema(found.version, migrations.length) : undefined;
      if (other !== undefined) throw new Unsuitable(other);
      if (!found.current && !mustExist) {
        const waitMs = Math.max(1, deadline - performance.now());
        made = (await migrate(url, migrations, shards, waitMs, warnOnce)) || made;
        found = await look(url, pool, migrations, warnOnce);
      }
      const { version, table } = found;
      if (!mustExist) await checkInsert(pool, table.name);
      const others = mustExist ? leftOut(await columnsOf(pool, table.name)) : undefined;
      if (others !== undefined) warnOnce(others);
      return { pool, counters, made, schemaVersion: version, table };
    } catch (error) {
      const isFinal = error instanceof Unsuitable || !(isPassing(error) || isUnanswered(error));
      if (isFinal || performance.now() + pauseMs > deadline) {
        void pool.end();
        throw error;
      }
      warn(`the store ${name} cannot be opened yet: ${explain(error)}`);
      await sleep(pauseMs);
    }
  }
}

/** The state of a database. If it has nothing to migrate, the start takes no lock and makes no table. */
async function look(
  url: string,
  pool: Pool,
  migrations: readonly string[],
  warn: (text: string) => void,
): Promise<{ version: number; table: Table; current: boolean }> {
  const client = await pool.connect();
  const other = createClient(url);
  try {
    await checkPooler(client, async () => other.connect().then(() => other));
    const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
    if (rows[0]?.server_encoding !== 'UTF8') {
      throw new Unsuitable(
        `its encoding is ${rows[0]?.server_encoding}, which does not hold every text. Create it anew with ENCODING 'UTF8'`,
      );
    }
    const schema = await schemaOf(client);
    const version = schema === undefined ? 0 : await versionOf(client, `${schema}.plants_migrations`);
    // An empty database is looked at again, once it is migrated.
    const name = `${schema ?? 'public'}.plants`;
    if (version < migrations.length) return { version, table: { name, citus: false }, current: false };
    if (version > migrations.length)
      warn(`its schema is of version ${version}, and this program knows ${migrations.length}`);
    await checkTable(client, name, warn);
    const citus = await isCitus(client);
    if (citus) await checkNodes(client);
    return { version, table: { name, citus }, current: !citus || (await isDistributed(client, name)) };
  } finally {
    client.release();
    void other.end();
  }
}

/**
 * Brings the schema up to date in one transaction, under a lock that makes processes that start together take turns; resolves to true if it
 * has made the table.
 */
async function migrate(
  url: string,
  migrations: readonly string[],
  shards: number | undefined,
  waitMs: number,
  warn: (text: string) => void,
): Promise<boolean> {
  const client = createClient(url);
  const slow = setTimeout(warn, SLOW_MS, 'its migration takes long. See pg_stat_activity for what is waited for');
  try {
    await client.connect();
    // Not what the database may have as its default: with a snapshot from before the wait, each would make the table.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    await client.query('SET LOCAL statement_timeout = 0');
    await takeTurn(client, waitMs);
    // While ALTER TABLE waits for a reader, all creates wait behind it: so it gives up after a second, and retries.
    await client.query(`SET LOCAL lock_timeout = '1s'`);
    // What is made would be in the first schema of the search path, also where the tables are in another one.
    const path = `concat_ws(', ', $1::text, nullif(current_setting('search_path'), ''))`;
    await client.query(`SELECT set_config('search_path', ${path}, true)`, [await schemaOf(client)]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS plants_migrations (version int4 PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())',
    );
    const version = await versionOf(client, 'plants_migrations');
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      await client.query(withTimeout(NO_TIMEOUT, migration));
      await client.query('INSERT INTO plants_migrations (version) VALUES ($1)', [index + 1]);
    }
    // Not one of others in another schema.
    const table = `${await schemaOf(client)}.plants`;
    await checkColumns(client, table);
    if ((await isCitus(client)) && !(await isDistributed(client, table))) {
      const count = shards === undefined ? '' : `, shard_count => ${shards}`;
      await client.query(withTimeout(NO_TIMEOUT, `SELECT create_distributed_table('plants', 'id'${count})`));
    }
    await commit(client, waitMs);
    return version === 0;
  } finally {
    clearTimeout(slow);
    // Not awaited: a frozen server does not close its side.
    void client.end();
  }
}

/** Takes the migrations' lock. Only a wait for another process counts, so that a free lock is had however little time is left. */
async function takeTurn(client: Queries, waitMs: number): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = ${Math.ceil(waitMs)}`);
  try {
    await client.query(withTimeout(waitMs + ANSWER_MS, `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`));
  } catch (error) {
    if (sqlState(error) !== PostgresCode.LOCKED) throw error;
    throw new Unsuitable('another process has been migrating it for too long. See what holds its advisory lock');
  }
}

/** Commits the migration. If its standby is away, it is committed all the same, but may be lost with the server. */
async function commit(client: Client, waitMs: number): Promise<void> {
  try {
    await client.query(withTimeout(waitMs + ANSWER_MS, 'COMMIT'));
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    await cancel(client, CANCEL_MS);
    throw new Unsuitable(
      'it has not confirmed the commit of its migration. See pg_stat_activity for what is waited for, such as a synchronous standby',
    );
  }
}

/** The last migration of a table of them; 0 if it has none. */
async function versionOf(client: Queries, table: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT coalesce(max(version), 0)::int4 AS version FROM ${table}`,
  );
  return rows[0]?.version ?? 0;
}

async function isCitus(client: Queries): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rowCount !== 0;
}

/** True if Citus has distributed the table over its workers. */
async function isDistributed(client: Queries, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)`, [
    table,
  ]);
  return rowCount !== 0;
}
