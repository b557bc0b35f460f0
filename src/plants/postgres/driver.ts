/** PostgreSQL as `pg` speaks to it: how long anything may take, and what an error says of the statement that failed. */
import { connect } from 'node:net';
import type * as Pg from 'pg';
import type { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg';
import { messageOf } from '../../engine';

/** Every way of waiting for a database has a limit; parameters of the connection string with pg's names come first. */
const LIMITS = {
  /** To connect, to authenticate. */
  connectionTimeoutMillis: 2_000,
  /** For the server to run a statement; it then cancels the statement (57014). */
  statement_timeout: 2_000,
  /** For the answer to arrive: a server that is frozen, or no longer reachable, cancels nothing. */
  query_timeout: 3_000,
  /** For the next statement of a transaction; only migrations have any. */
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;

const POOL_LIMITS = {
  /** Idle connections are closed before a firewall forgets them. */
  idleTimeoutMillis: 30_000,
  /** A connection is replaced after this time, so that load spreads to servers that came later. */
  maxLifetimeSeconds: 600,
} satisfies PoolConfig;

/** At most `max` connections, made when they are needed; each is let through by `check` before it is used. */
export function createPool(url: string, max: number, check: (client: Queries) => Promise<void>): Pool {
  const pool = new (pg().Pool)({
    ...LIMITS,
    ...POOL_LIMITS,
    connectionString: url,
    fallback_application_name: APPLICATION,
    max,
    verify: (client, done) => void check(client).then(() => done(), done),
  });
  // A connection that is lost while nobody uses it, or after its statement has failed, is replaced when it is needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection of its own, for what may take as long as it likes. Not connected yet. */
export function createClient(url: string): Client {
  const { connectionTimeoutMillis, idle_in_transaction_session_timeout, keepAlive } = LIMITS;
  const client = new (pg().Client)({
    connectionTimeoutMillis,
    idle_in_transaction_session_timeout,
    keepAlive,
    connectionString: url,
    fallback_application_name: APPLICATION,
  });
  client.on('error', () => undefined);
  return client;
}

/**
 * Has the server end what a connection still waits for, which may be a standby that is away: closing the connection alone
 * leaves its process in the server for good. Resolves to whether it has ended within a second.
 */
export function cancel(client: PoolClient): Promise<boolean> {
  return new Promise((resolve) => {
    client.once('drain', () => resolve(true)).once('end', () => resolve(true));
    setTimeout(resolve, CANCEL_MS, false).unref();
    // The message CancelRequest. The secret in it is worth nothing once this connection is closed, so that it needs no TLS.
    const { host, port, processID, secretKey } = client as PoolClient &
      Record<'processID' | 'secretKey', number> &
      Client;
    const message = Buffer.alloc(16);
    [16, 80877102, processID, secretKey].forEach((word, index) => message.writeInt32BE(word, 4 * index));
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    socket.on('error', () => undefined).setTimeout(CANCEL_MS, () => socket.destroy());
    socket.resume().end(message);
  });
}

const CANCEL_MS = 1_000;

/** What may be asked of a connection. */
export type Queries = Pick<Client, 'query'>;

/** The SQLSTATEs that are told apart (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export const PostgresCode = {
  INVALID_AUTHORIZATION: '28000',
  INVALID_PASSWORD: '28P01',
  UNKNOWN_DATABASE: '3D000',
  READ_ONLY: '25006',
  NOT_NULL: '23502',
  PRIVILEGE: '42501',
  UNKNOWN_COLUMN: '42703',
  UNKNOWN_TABLE: '42P01',
  DUPLICATE_TABLE: '42P07',
  LOCKED: '55P03',
  DISK_FULL: '53100',
  TOO_MANY_CONNECTIONS: '53300',
  QUERY_CANCELED: '57014',
} as const;

/** The SQLSTATE of an error that the server gave, or undefined. */
export function sqlState(error: unknown): string | undefined {
  // Every SQLSTATE has a digit; Node's own codes, such as EPIPE, have none.
  const code = codeOf(error);
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether the server refuses the values themselves (data exceptions, constraints, limits of a row or an index). */
export function isAboutContent(error: unknown): boolean {
  return /^(?:22|23|54)/.test(sqlState(error) ?? '');
}

/** The column that must be filled and was not, if that is what the server refuses. */
export function emptyColumn(error: unknown): string | undefined {
  if (sqlState(error) !== PostgresCode.NOT_NULL) return undefined;
  return typeof error === 'object' && error !== null && 'column' in error ? String(error.column) : undefined;
}

/**
 * Whether the same statement may succeed in a moment, on another connection: this one was lost or ended by the server
 * (08, 57P), there was none to be had, the server was or became a standby, or the transaction met another one (40, 55P03).
 * Otherwise the time for another attempt is used up (57014, and no answer at all), or it would come to the same.
 */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:08|40|57P|25006|53300|55P03)/.test(state) && !isStartupParameter(error);
  return !isUnanswered(error) && !isTls(error);
}

/** Whether the server has not answered within `query_timeout`, and may still be at the statement. */
export function isUnanswered(error: unknown): boolean {
  return messageOf(error) === 'Query read timeout';
}

/** Whether the connection was lost, or could not be made. */
export function isLost(error: unknown): boolean {
  return sqlState(error) === undefined ? !isUnanswered(error) : /^(?:08|57P)/.test(sqlState(error) ?? '');
}

/** Whether a prepared statement is not on this connection, or is on it although it was prepared on another one. */
export function isUnprepared(error: unknown): boolean {
  return /^(?:26000|42P05)$/.test(sqlState(error) ?? '');
}

/** Whether PgBouncer refuses a parameter with which a connection begins. */
export function isStartupParameter(error: unknown): boolean {
  return messageOf(error).startsWith('unsupported startup parameter');
}

/** Whether a certificate was refused, or TLS was asked for and the server has none. */
export function isTls(error: unknown): boolean {
  return (
    /CERT|SIGNATURE|SSL|TLS/.test(codeOf(error)) || messageOf(error) === 'The server does not support SSL connections'
  );
}

/** The server's code or Node's; empty if there is none. What native code throws need not be of this realm's Error. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

const APPLICATION = 'plant-store';

/** Loaded only if it is used: it takes 40 ms. */
function pg(): typeof Pg {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('pg') as typeof Pg;
}
