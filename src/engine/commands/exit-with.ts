/** The end of a script: its exit code, and the message of an error. */
import { messageOf } from '../errors/api-error';
import { printable } from '../process/printable';

/**
 * Runs a script, and exits with the code that it returns; if it throws or never ends, or what it has printed was lost, with 1 and a message.
 *
 * @example
 * exitWith(async () => {
 *   await importBeds(process.argv[2]);
 *   return 0;
 * });
 */
export function exitWith(script: () => number | Promise<number>): void {
  const run = async (): Promise<number> => script();
  let [isEnded, hasFailed] = [false, false];
  let lost: Error | undefined;
  const fail = (error: unknown): void => {
    hasFailed = true;
    console.error(printable(messageOf(error)));
    process.exitCode = 1;
  };
  process.stdout.on('error', (error: Error) => (lost = error));
  // Node would exit with 0 in both cases: console.log ignores a full disk.
  process.once('beforeExit', () => {
    if (!isEnded) fail('expected the script to come to its end, but it waits for what never comes');
    else if (lost && !hasFailed) fail(`what was printed is lost: ${lost.message}`);
  });
  run()
    .then((code) => (process.exitCode = code), fail)
    .finally(() => (isEnded = true));
}
