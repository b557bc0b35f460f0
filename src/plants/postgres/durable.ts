/** Checks that a commit that PostgreSQL acknowledges is on disk: on every new connection, and with every batch. */
import type { PoolClient } from 'pg';
import { IN_PLACE_OF_OPTIONS, StandBy, Unsuitable } from './advice';
import { isUnprepared, type Queries } from './driver';

/**
 * An SQL expression for the unsafe settings of a session: with these a commit may be lost, or the warning that it did not reach its standby
 * is not sent; '' if there is none.
 */
export const UNSAFE = `concat_ws(', ',
  CASE current_setting('fsync') WHEN 'off' THEN 'fsync = off' END,
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'synchronous_commit = off' WHEN 'local' THEN 'synchronous_commit = local' END,
  CASE current_setting('client_min_messages') WHEN 'error' THEN 'client_min_messages = error' END)`;

/**
 * The same, once the rows that the statement reads are on disk, and on the synchronous standby if there is one, whatever the settings with
 * which they were stored: if a row may not be, the statement writes to the log too, so that its commit waits for all earlier ones.
 */
export const UNSAFE_ONCE_FLUSHED = `CASE WHEN current_setting('synchronous_standby_names') = ''
    AND pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn()
  OR pg_logical_emit_message(true, 'plant-store', '') IS NOT NULL THEN ${UNSAFE} END`;

/** Throws if the value of one of the two expressions above is not ''. */
export function assertSafe(unsafe: unknown, where = ''): void {
  if (unsafe === '') return;
  throw new Unsuitable(
    `it is not durable: with ${String(unsafe)}${where} a plant that was answered 200 could be lost. ` +
      'Change that for this server, database and user',
  );
}

/**
 * Settings that the store relies on, whatever the defaults of the server, the database or the user are. The last keeps its value, and is
 * set so that no reload changes it. Citus passes on the warnings of its workers in a two-phase commit as debug1. Without a limit of 10 s the
 * server would send the reply of a batch for 15 minutes to an instance that is gone, and keep its ids locked.
 */
const SESSION = `SELECT set_config('extra_float_digits', '1', false), set_config('datestyle', 'ISO', false),
  set_config('tcp_user_timeout', '10000', false), set_config('default_transaction_isolation', 'read committed', false),
  set_config('client_min_messages', CASE WHEN current_setting('citus.version', true) IS NULL THEN 'warning' ELSE 'debug1' END, false),
  set_config('citus.worker_min_messages', 'warning', false), set_config('synchronous_commit', current_setting('synchronous_commit'), false)`;

/** Prepares a new connection; refuses a server that may lose commits or takes none. */
export async function checkConnection(client: Queries, warn: (text: string) => void): Promise<void> {
  await client.query(SESSION);
  const { rows } = await client.query<Record<'unsafe' | 'pages' | 'read_only', string>>(
    `SELECT ${UNSAFE} AS unsafe, current_setting('full_page_writes', true) AS pages,
       current_setting('transaction_read_only') AS read_only`,
  );
  assertSafe(rows[0]?.unsafe);
  if (rows[0]?.read_only === 'on') throw new StandBy();
  if (rows[0]?.pages === 'off') {
    warn('full_page_writes is off: a loss of power may damage plants, unless its file system writes whole pages');
  }
}

/** Refuses a connection without the search path that the address asks for: a pooler may have passed over its options, and its tables are others. */
export async function checkSearchPath(client: Queries, expected: string | undefined): Promise<void> {
  if (expected === undefined) return;
  const { rows } = await client.query<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  const path = rows[0]?.path;
  if (path !== expected)
    throw new Unsuitable(
      `its search_path is ${path}, and the options of DATABASE_URL ask for ${expected}: a pooler has passed over them. ${IN_PLACE_OF_OPTIONS}`,
    );
}

/** Checks every node of Citus, by a connection to each worker. Its inserts cannot check the settings themselves. */
export async function checkNodes(client: Queries): Promise<void> {
  const { rows } = await client.query<{ node: string; success: boolean; result: string | null }>(
    `SELECT 'the coordinator' AS node, true AS success, ${UNSAFE} AS result
     UNION ALL SELECT concat(nodename, ':', nodeport), success, result FROM run_command_on_workers($1)`,
    [`SELECT ${UNSAFE}`],
  );
  for (const { node, success, result } of rows) {
    if (!success) throw new Error(`the worker ${node}: ${result}`);
    assertSafe(result, ` on ${node}`);
  }
}

/** Refuses a pooler in transaction mode that does not support prepared statements. */
export async function checkPooler(one: PoolClient, connectOther: () => Promise<Queries>): Promise<void> {
  const probe = { name: 'probe', text: 'SELECT pg_backend_pid() AS pid' };
  try {
    const { rows } = await one.query<{ pid: number }>(probe);
    // A pooler reports another process id to its clients than that of the server.
    if (rows[0]?.pid === Reflect.get(one, 'processID')) return;
    await (await connectOther()).query(probe);
    await one.query(probe);
  } catch (error) {
    if (!isUnprepared(error)) throw error;
    throw new Unsuitable(
      'a connection pooler is in front of it that loses prepared statements. Let it pool sessions, or, from PgBouncer 1.21 on, ' +
        'set max_prepared_statements to 100 (src/plants/postgres/README.md)',
    );
  }
}
