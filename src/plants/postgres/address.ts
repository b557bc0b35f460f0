/** The `DATABASE_URL` of a PostgreSQL: its name in messages, and the parts that `pg` would misread. */
import { Unsuitable } from './advice';

const TEXT = /^/;
const MILLISECONDS = /^[1-9]\d{0,8}$/;
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * The parameters of a connection string that `pg` reads; it ignores all others silently. Each with the values that it does not misread: an
 * unknown mode is no TLS, `ssl=no` is TLS, and `5s` are 5 ms.
 */
const PARAMETERS: Readonly<Record<string, RegExp | readonly string[]>> = {
  host: TEXT,
  port: TEXT,
  user: TEXT,
  password: TEXT,
  ssl: ['true', '1', '0', 'no-verify'],
  sslmode: MODES,
  sslcert: TEXT,
  sslkey: TEXT,
  sslrootcert: TEXT,
  sslnegotiation: ['postgres', 'direct'],
  uselibpqcompat: ['true', 'false'],
  application_name: TEXT,
  fallback_application_name: TEXT,
  options: TEXT,
  statement_timeout: MILLISECONDS,
  lock_timeout: MILLISECONDS,
  idle_in_transaction_session_timeout: MILLISECONDS,
  query_timeout: MILLISECONDS,
};

/** The name of a database in messages: its host and name, also from PGHOST and PGDATABASE, without a password. */
export function nameOf(text: string): string {
  const { hostname, port, pathname, username, searchParams } = urlOf(text);
  const { PGHOST = 'localhost', PGUSER = '', PGDATABASE = username || PGUSER } = process.env;
  const host = searchParams.get('host') ?? (hostname || PGHOST);
  const shownPort = searchParams.get('port') ?? port;
  return `postgres://${host}${shownPort && `:${shownPort}`}/${pathname.slice(1) || PGDATABASE}`;
}

/** Refuses an address, or a mode of TLS in the environment, that `pg` would misread, or ignore parts of. */
export function refuseMisread(text: string): void {
  const { hostname, searchParams } = urlOf(text);
  if (`${hostname}${searchParams.get('host')}`.includes(',')) {
    throw new Unsuitable(
      'DATABASE_URL names several hosts. Name one: an address that follows the primary server, or a pooler that does',
    );
  }
  for (const [name, value] of searchParams) refuseParameter(name, value);
  const { PGSSLMODE } = process.env;
  if (PGSSLMODE && !MODES.includes(PGSSLMODE)) throw misread('PGSSLMODE is', PGSSLMODE, MODES);
}

function refuseParameter(name: string, value: string): void {
  const expected = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (expected === undefined) {
    const known = Object.keys(PARAMETERS).join(', ');
    throw new Unsuitable(
      `DATABASE_URL has the parameter ${name}, which would be ignored. Take it out; known are ${known}`,
    );
  }
  if (expected instanceof RegExp ? expected.test(value) : expected.includes(value)) return;
  throw misread(`DATABASE_URL has ${name} =`, value, expected);
}

function misread(what: string, value: string, expected: RegExp | readonly string[]): Unsuitable {
  const values = expected instanceof RegExp ? 'milliseconds from 1 on' : expected.join(', ');
  return new Unsuitable(`${what} ${JSON.stringify(value)}, which would be misread. Expected ${values}`);
}

/** Parses as `pg` does, which allows an empty host behind a user. */
function urlOf(text: string): URL {
  return new URL(URL.canParse(text) ? text : 'postgres:///');
}
