/**
 * Before all tests: starts one PostgreSQL for the whole run, unless TEST_DATABASE_URL names one. Where none can be started
 * the tests that need it are skipped, with the reason; in CI that is a failure.
 */
import { PostgresServer } from './postgres-server';

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
}

export async function teardown(): Promise<void> {
  await server?.dispose();
}
