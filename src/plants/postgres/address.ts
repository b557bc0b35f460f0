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

/** True for an address that `pg` reads as it is meant. */
export function isAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(withoutEmptyHost(text)) && !isCutInPassword(urlOf(text));
}

/**
 * True for an address whose password has a `/`, `?` or `#` that is not percent-encoded: what is behind it would be a path or a parameter,
 * which messages show.
 */
function isCutInPassword({ port, pathname, search, searchParams, hash }: URL): boolean {
  // Its first characters are a port then.
  const behind = port !== '' && pathname === '' ? [search, hash] : [pathname, ...searchParams.keys(), hash];
  return behind.some((part) => part.includes('@'));
}

/** The name of a database in messages: its host and name, also from PGHOST and PGDATABASE, without a password. */
export function nameOf(text: string): string {
  const url = urlOf(text);
  const { PGUSER = '', PGDATABASE = url.username || PGUSER } = process.env;
  const port = url.searchParams.get('port') ?? url.port;
  return `postgres://${hostOf(url)}${port && `:${port}`}/${url.pathname.slice(1) || PGDATABASE}`;
}

/** Refuses an address, or a mode of TLS, that `pg` would misread, or ignore parts of; both may be in the environment. */
export function refuseMisread(text: string): void {
  const url = urlOf(text);
  if (hostOf(url).includes(',')) {
    throw new Unsuitable(
      'DATABASE_URL or PGHOST names several hosts. Name one: an address that follows the primary server, or a pooler that does',
    );
  }
  for (const [name, value] of url.searchParams) refuseParameter(name, value);
  const { PGSSLMODE } = process.env;
  if (PGSSLMODE && !MODES.includes(PGSSLMODE)) throw misread('PGSSLMODE is', PGSSLMODE, MODES);
}

/** The search path that the options of an address, or of the environment, ask for; undefined if they ask for none. */
export function searchPathOf(text: string): string | undefined {
  const options = urlOf(text).searchParams.get('options') ?? process.env.PGOPTIONS ?? '';
  // The server splits them at blanks of ASCII, and a backslash keeps the next character.
  const words = (options.match(/(?:\\.|[^\\ \t-\r])+/gs) ?? []).map((word) => word.replaceAll(/\\(.)/gs, '$1'));
  const paths = words.map((word) => /^(?:-c|--)?search[_-]path=(.*)$/is.exec(word)?.[1]);
  return paths.findLast((path) => path !== undefined);
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

/** The host as `pg` has it, or several with commas in between, which it would take for one. */
function hostOf({ hostname, searchParams }: URL): string {
  return searchParams.get('host') ?? (hostname || process.env.PGHOST || 'localhost');
}

/** The URL of an address. */
function urlOf(text: string): URL {
  return new URL(withoutEmptyHost(text));
}

/** Leaves out the user before an empty host, which `pg` allows and a URL does not: `postgres://me:secret@/plants?host=/run/postgresql`. */
function withoutEmptyHost(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/)[^/?#]*@(?=\/)/, '$1');
}
