/**
 * Before all tests: starts one PostgreSQL for the whole run, unless TEST_DATABASE_URL names one. Where none can be started
 * the tests that need it are skipped, with the reason; in CI that is a failure.
 */
import { query } from './postgres';
import { PostgresServer } from '../../scripts/postgres-server';

let server: PostgresServer | undefined;

export default async function setup(): Promise<void> {
  try {
    server = await PostgresServer.create();
    if (!process.env.TEST_DATABASE_URL) {
      await server.start();
      process.env.TEST_DATABASE_URL = server.url();
    }
  } catch (error) {
    if (process.env.CI) throw error;
    process.env.TEST_POSTGRES_MISSING = `PostgreSQL cannot be started here: ${String(error).split('\n')[0]}`;
    console.warn(`\nTests are skipped, because ${process.env.TEST_POSTGRES_MISSING}`);
  }
  if (process.env.TEST_DATABASE_URL) await findCitus(process.env.TEST_DATABASE_URL);
}

/** Citus is in no package of npm's or Debian's: the tests on it run where TEST_DATABASE_URL names a coordinator. */
async function findCitus(url: string): Promise<void> {
  const rows = await query(url, `SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (rows.length === 0) process.env.TEST_CITUS_MISSING = 'TEST_DATABASE_URL does not name a coordinator of Citus';
}

export async function teardown(): Promise<void> {
  await server?.dispose();
}
