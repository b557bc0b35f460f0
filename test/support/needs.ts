/** Tests that need a program which a machine may not have. */
import { existsSync } from 'node:fs';

/**
 * `describe`, for tests that need a program: without it they are skipped, and their name says why. Where `CI` is set they run,
 * and fail.
 */
export function describeWith(program: string, name: string, tests: () => void): void {
  if (existsSync(program) || process.env.CI) describe(name, tests);
  else describe.skip(`${name} (skipped: there is no ${program})`, tests);
}
