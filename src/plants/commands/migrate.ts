/**
 * Brings the store's schema up to date and ends: run once by a role that may make tables, before the instances of a new version start with
 * a role that may not.
 */
import { readArguments } from '../../engine';
import { onNamedStore } from './named-store';

const usage = `migrate
Brings the schema of the store that DATABASE_URL names up to date. Safe to run twice, and while others start.`;

/** Runs the command; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const { values } = readArguments({ args, options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { store } = await onNamedStore(({ description }) => Promise.resolve(description));
  console.log(`the schema of the store ${store} is up to date`);
  return 0;
}
