/**
 * Before all tests: starts one PostgreSQL for the whole run, unless TEST_DATABASE_URL names one. Where none can be started
 * the tests on it are skipped, with the reason; in CI that is a failure.
 */
import { PostgresServer } from './postgres-server';

let server: PostgresServer | undefined;

export default async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  try {
    server = await (await PostgresServer.create()).start();
    process.env.TEST_DATABASE_URL = server.url();
  } catch (error) {
    if (process.env.CI) throw error;
    const [reason] = String(error).split('\n');
    console.warn(`\nThe tests on PostgreSQL are skipped: it cannot be started here (${reason})`);
    process.env.TEST_DATABASE_MISSING = reason;
  }
}

export async function teardown(): Promise<void> {
  await server?.dispose();
}
