/** The end of a script: its exit code, and the message of an error. */
import { messageOf } from '../errors/api-error';
import { printable } from '../process/printable';

/**
 * Runs a script, and exits with the code that it returns; if it throws, with 1 and its message.
 *
 * @example
 * exitWith(async () => {
 *   await importBeds(process.argv[2]);
 *   return 0;
 * });
 */
export function exitWith(script: () => number | Promise<number>): void {
  const run = async (): Promise<number> => script();
  run().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      console.error(printable(messageOf(error)));
      process.exitCode = 1;
    },
  );
}
