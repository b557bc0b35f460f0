import { openPostgresStore, type PostgresStoreOptions } from '../../../src/plants/postgres/store';

/** What is said against opening the database, after its name; its password is not part of it. */
export async function refusal(url: string, options: PostgresStoreOptions = {}): Promise<string> {
  const { host, pathname, password } = new URL(url);
  const start = `the store postgres://${host}${pathname} cannot be opened: `;
  try {
    await (await openPostgresStore(url, { openWaitMs: 50, ...options })).close();
    return 'the store was opened';
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(start)) throw error;
    expect(`${error.stack}${String(error.cause)}`).not.toContain(password || 'there is none');
    // What native code throws says a little more under Jest, being of another realm's Error.
    return error.message.slice(start.length).replace('Error: ', '');
  }
}
