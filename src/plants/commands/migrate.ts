/**
 * Brings the store's schema up to date and ends, so that a role that may make tables does it once, before the instances of
 * a new version start with one that may not.
 */
import { readArguments } from '../../engine';
import { openNamedStore } from './named-store';

const usage = `migrate
Brings the schema of the store that DATABASE_URL names up to date. Safe to run twice, and while others start.`;

/** Resolves to the code that the process ends with. */
export async function run(args: string[]): Promise<number> {
  const { values } = readArguments({ args, options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const store = await openNamedStore();
  await store.close();
  console.log('the schema is up to date');
  return 0;
}
