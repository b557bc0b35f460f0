/** The driver `pg`: pools with time limits, and the meaning of errors. */
import { connect } from 'node:net';
import type * as Pg from 'pg';
import type { Client, ClientConfig, Pool, PoolConfig, QueryConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { messageOf } from '../../engine';

/** Time limits for every wait; parameters of the connection string with pg's names take precedence. */
const LIMITS = {
  /** To connect and authenticate. */
  connectionTimeoutMillis: 2_000,
  /** To run a statement; then the server cancels it (57014). */
  statement_timeout: 2_000,
  /** To get the answer: a server that is frozen or unreachable cancels nothing. */
  query_timeout: 3_000,
  /** To get the next statement of a transaction, of which only migrations have more than one. */
  idle_in_transaction_session_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig;

const POOL_LIMITS = {
  /** Idle connections are closed before a firewall forgets them. */
  idleTimeoutMillis: 30_000,
  /** Connections are replaced after this time, so that load spreads to servers that were added later. */
  maxLifetimeSeconds: 600,
} satisfies PoolConfig;

/** A pool of at most `max` connections, made when they are needed; `check` accepts each before it is used. */
export function createPool(url: string, max: number, check: (client: Queries) => Promise<void>): Pool {
  const { Client, Pool } = pg();
  const config = configOf(url);
  // Not `verify`: it never gives back a connection whose caller's time limit has passed meanwhile. The type of pg lacks the promise.
  const hooks: { onConnect: (client: Queries) => Promise<void> } = { onConnect: check };
  const pool = new Pool({
    ...LIMITS,
    ...POOL_LIMITS,
    max,
    ...hooks,
    Client: class extends Client {
      constructor() {
        super(config());
        guard(this);
      }
    },
  });
  // Ignored: a connection that is lost while idle, or after its statement has failed, is replaced when it is needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A client outside of the pool; not connected yet. */
export function createClient(url: string): Client {
  const client = new (pg().Client)(configOf(url)());
  client.on('error', () => undefined);
  guard(client);
  return client;
}

/**
 * The configuration of connections to `url`, read anew for each of them, because certificates are replaced; throws if their files cannot be
 * read now. If they cannot be read later, as while they are replaced, the last ones are used: pg would throw that outside of its promises.
 */
function configOf(url: string): () => ClientConfig {
  const read = (): ClientConfig => ({
    ...LIMITS,
    fallback_application_name: APPLICATION,
    ...parseIntoClientConfig(url),
  });
  let last = read();
  return () => {
    try {
      last = read();
    } catch {
      // See above.
    }
    return last;
  };
}

/**
 * Ends the connection if pg cannot read what the server sends, such as a garbled reply or a request for GSSAPI. It throws then, outside of
 * its promises, which would end the process.
 */
function guard({ connection }: Client): void {
  const guardStream = (): void => {
    const { stream } = connection;
    const emit = stream.emit.bind(stream);
    stream.emit = (event: string | symbol, ...args: unknown[]) => {
      try {
        return emit(event, ...args);
      } catch (error) {
        stream.destroy(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    };
  };
  connection.on('connect', guardStream).on('sslconnect', guardStream);
}

/** A statement with another `query_timeout` than its connection has. */
export function withTimeout(query_timeout: number, text: string): QueryConfig {
  return Object.assign({ text }, { query_timeout });
}

/** The longest timer of Node, for a statement that may take any time: the keep-alive of its connection notices a server that is gone. */
export const NO_TIMEOUT = 2 ** 31 - 1;

/**
 * Cancels the statement of a connection in the server, which may wait for a standby that is away: closing the connection alone would leave
 * its server process running for good. Resolves when the statement or the connection has ended, or after `waitMs`.
 */
export function cancel(client: Client, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    client.once('drain', resolve).once('end', resolve);
    setTimeout(resolve, waitMs).unref();
    // The message CancelRequest. The secret in it cancels statements of this connection alone, which takes no more, so that it needs no TLS.
    const { host, port, processID, secretKey } = client as Client & Record<'processID' | 'secretKey', number>;
    const message = Buffer.alloc(16);
    [16, 80877102, processID, secretKey].forEach((word, index) => message.writeInt32BE(word, 4 * index));
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    socket.on('error', () => undefined).setTimeout(CANCEL_MS, () => socket.destroy());
    // The server ends it. PgBouncer drops the request of a client that has gone, and 1.18 ends when several go at once.
    socket.resume().write(message, () => socket.unref());
  });
}

/** Longer than a pooler lets such a request wait for a connection (`cancel_wait_timeout`). */
const CANCEL_MS = 15_000;

/** A text as an SQL literal. */
export function quoted(text: string): string {
  return pg().escapeLiteral(text);
}

/** A connection that takes queries. */
export type Queries = Pick<Client, 'query'>;

/** The SQLSTATEs that are handled (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export const PostgresCode = {
  INVALID_AUTHORIZATION: '28000',
  INVALID_PASSWORD: '28P01',
  UNKNOWN_DATABASE: '3D000',
  UNKNOWN_SCHEMA: '3F000',
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
  const code = fieldOf(error, 'code');
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * True if the server refuses the values themselves: data exceptions, constraints, limits of a row or an index, and what a function of a check
 * raises, with a code of its own or without.
 */
export function isAboutContent(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  // Messages of class 54 quote no values: no plant passes for a wraparound.
  return state !== '' && !OF_THE_SERVER.test(state) && !isWraparound(error);
}

/** The classes of PostgreSQL's own SQLSTATEs but 21 to 23, 38, 39, 44, 54 and P0. */
const OF_THE_SERVER = /^(?:0.|10|2[04-8BDF]|34|3[BDF]|4[02]|5[3578]|72|F0|HV|XX)/;

/**
 * True if the server is running out of transaction ids: it warns with each of the last 40 million, and then refuses all writes with the
 * SQLSTATE of a row that is too large. The routine is not translated; for a worker of Citus the message has to do.
 */
export function isWraparound(notice: unknown): boolean {
  return (
    /^GetNew(?:TransactionId|MultiXactId)$/.test(fieldOf(notice, 'routine')) ||
    /must be vacuumed|wraparound data loss/.test(fieldOf(notice, 'message'))
  );
}

/** The column of a NOT NULL violation; undefined for any other error. */
export function emptyColumn(error: unknown): string | undefined {
  return sqlState(error) === PostgresCode.NOT_NULL ? fieldOf(error, 'column') : undefined;
}

/**
 * True if the same statement may soon succeed on another connection: this one was lost or ended by the server (08, 57P), none was
 * available, the server is a standby, or the transaction conflicted with another (40, 55P03). False if there is no time for another attempt
 * (57014, no answer), or it would fail in the same way.
 */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(?:08|40|57P|25006|53300|55P03)/.test(state) && !isStartupParameter(error);
  return !isUnanswered(error) && !isTls(error) && !isNotAuthenticated(error);
}

/** True if the server has not answered within `query_timeout`, and may still run the statement. */
export function isUnanswered(error: unknown): boolean {
  return messageOf(error) === 'Query read timeout';
}

/** True if the connection was lost, or could not be made. */
export function isLost(error: unknown): boolean {
  return sqlState(error) === undefined ? !isUnanswered(error) : /^(?:08|57P)/.test(sqlState(error) ?? '');
}

/** True if a prepared statement is missing on this connection, or on it although it was prepared on another one. */
export function isUnprepared(error: unknown): boolean {
  return /^(?:26000|42P05)$/.test(sqlState(error) ?? '');
}

/** True if PgBouncer refuses a startup parameter. */
export function isStartupParameter(error: unknown): boolean {
  return messageOf(error).startsWith('unsupported startup parameter');
}

/** True if the server asks for a password where there is none, or for what pg does not know, such as GSSAPI. */
export function isNotAuthenticated(error: unknown): boolean {
  return /client password must be a|^Unknown authenticationOk/.test(messageOf(error));
}

/** True if a certificate was refused or cannot be read, or the server has no TLS although it is required. */
export function isTls(error: unknown): boolean {
  return (
    fieldOf(error, 'syscall') === 'open' ||
    /CERT|SIGNATURE|SSL|TLS/.test(fieldOf(error, 'code')) ||
    messageOf(error) === 'The server does not support SSL connections'
  );
}

/** A field of an error, or of a notice of the server; empty if there is none. Errors of native code may be of another realm. */
function fieldOf(error: unknown, name: 'code' | 'column' | 'message' | 'routine' | 'syscall'): string {
  return typeof error === 'object' && error !== null && name in error ? String(Reflect.get(error, name)) : '';
}

const APPLICATION = 'plant-store';

/** Loads `pg` only if it is used, because that takes 40 ms. */
function pg(): typeof Pg {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('pg') as typeof Pg;
}
