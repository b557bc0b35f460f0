/** The `DATABASE_URL` of a PostgreSQL: its name in messages, and the parts that `pg` would misread. */
import { Unsuitable } from './advice';

/** The parameters of a connection string that `pg` reads; it ignores all others silently. */
const PARAMETERS = [
  'host',
  'port',
  'user',
  'password',
  'ssl',
  'sslmode',
  'sslcert',
  'sslkey',
  'sslrootcert',
  'sslnegotiation',
  'uselibpqcompat',
  'application_name',
  'fallback_application_name',
  'options',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

/** The name of a database in messages: its host and name, also from PGHOST and PGDATABASE, without a password. */
export function nameOf(text: string): string {
  const { hostname, port, pathname, username, searchParams } = urlOf(text);
  const { PGHOST = 'localhost', PGUSER = '', PGDATABASE = username || PGUSER } = process.env;
  const host = searchParams.get('host') ?? (hostname || PGHOST);
  const shownPort = searchParams.get('port') ?? port;
  return `postgres://${host}${shownPort && `:${shownPort}`}/${pathname.slice(1) || PGDATABASE}`;
}

/** Refuses an address that `pg` would misread, or ignore parts of: a misspelt `sslmode` is no TLS. */
export function refuseMisread(text: string): void {
  const { hostname, searchParams } = urlOf(text);
  if (`${hostname}${searchParams.get('host')}`.includes(',')) {
    throw new Unsuitable(
      'DATABASE_URL names several hosts. Name one: an address that follows the primary server, or a pooler that does',
    );
  }
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new Unsuitable(
      `DATABASE_URL has the parameter ${unknown}, which would be ignored. Take it out; known are ${PARAMETERS.join(', ')}`,
    );
  }
}

/** Parses as `pg` does, which allows an empty host behind a user. */
function urlOf(text: string): URL {
  return new URL(URL.canParse(text) ? text : 'postgres:///');
}
