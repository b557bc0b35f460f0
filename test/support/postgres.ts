/** A PostgreSQL store of a test's own: a schema in the database of the test run, which is removed with it. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Where tests find a database; undefined where there is none. */
const serverUrl = process.env.TEST_DATABASE_URL || undefined;

/** Why tests on a PostgreSQL are skipped; undefined where they run. */
export const missing = serverUrl === undefined ? process.env.TEST_POSTGRES_MISSING : undefined;

/** Describes tests that need PostgreSQL; they show as skipped, with the reason, where there is none. */
export const describeOnPostgres = describeUnless(missing);

/** The same for tests that start and stop servers of their own. */
export const describeWithServers = describeUnless(process.env.TEST_POSTGRES_MISSING);

/** The same for tests that need Citus. */
export const describeOnCitus = describeUnless(missing ?? process.env.TEST_CITUS_MISSING);

function describeUnless(reason: string | undefined): (name: string, tests: () => void) => void {
  return (name, tests) => {
    if (reason === undefined) describe(name, tests);
    else describe.skip(`${name} (skipped: ${reason})`, tests);
  };
}

export interface TestDatabase {
  /** For DATABASE_URL. */
  url: string;
  /** Runs a statement by a connection of its own; several, with ; in between, one after another, as Citus asks for. */
  sql(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** The stored plants, by id. */
  rows(): Promise<Row[]>;
  drop(): Promise<void>;
}

/** An empty schema. */
export async function freshDatabase(server = serverUrl): Promise<TestDatabase> {
  if (server === undefined) throw new Error(missing);
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await query(server, `CREATE SCHEMA ${schema}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    url: url.href,
    async sql(text, values) {
      let rows: Record<string, unknown>[] = [];
      for (const statement of text.split(';')) rows = await query(url.href, statement, values);
      return rows;
    },
    rows: () => rowsIn(url.href),
    async drop() {
      await query(server, `DROP SCHEMA ${schema} CASCADE`);
    },
  };
}

type Row = Record<string, bigint | string | null>;

/** The plants of a database, by id. */
export async function rowsIn(url: string): Promise<Row[]> {
  const rows = (await query(url, 'SELECT id, name, tag FROM plants ORDER BY id')) as TextRow[];
  return rows.map(({ id, ...content }) => ({ id: BigInt(id), ...content }));
}

/** Runs one statement on a connection of its own. */
export async function query(
  url: string,
  text: string,
  values?: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values ? [...values] : undefined)).rows;
  } finally {
    await client.end();
  }
}

/** A row as pg reads it, without a parser for int8. */
type TextRow = { id: string; name: string; tag: string | null };
