/** How a script ends. */
import { messageOf } from '../src/api-error';

/** Runs a script, and has the process end with the code that it resolves to; with 1 and its message where it rejects. */
export function exitWith(script: () => Promise<number>): void {
  script().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      console.error(messageOf(error));
      process.exitCode = 1;
    },
  );
}
