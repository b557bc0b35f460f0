/** The end of a script: its exit code, and the message of an error. */
import { messageOf } from '../errors/api-error';
import { printable } from '../process/printable';

/**
 * Runs a script, and exits with the code that it returns; if it throws or never ends, with 1 and a message.
 *
 * @example
 * exitWith(async () => {
 *   await importBeds(process.argv[2]);
 *   return 0;
 * });
 */
export function exitWith(script: () => number | Promise<number>): void {
  const run = async (): Promise<number> => script();
  const fail = (error: unknown): void => {
    console.error(printable(messageOf(error)));
    process.exitCode = 1;
  };
  // Node would exit with 0.
  const neverEnds = (): void => fail('expected the script to come to its end, but it waits for what never comes');
  process.once('beforeExit', neverEnds);
  run()
    .then((code) => (process.exitCode = code), fail)
    .finally(() => process.off('beforeExit', neverEnds));
}
