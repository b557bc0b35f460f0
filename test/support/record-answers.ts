/**
 * Records all answers for `npm run check`, which compares them with the contract: a line of JSON for each operation,
 * status and error code, in the file that `ANSWERS_FILE` names, if it is set.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { serverCodes } from '../../src/engine/rules/error-rules';

type Line = Readonly<Record<string, unknown>>;

const known = new Set<string>();

/** To be called with each line of a log of the engine's tests: what it answers by itself, it answers to any operation. */
export function recordServerAnswer({ msg, status, error }: Line): void {
  if (typeof error === 'number' && serverCodes.includes(error)) recordAnswer({ msg, status, error });
}

/** To be called with each line of the log of the contract that is served. */
export function recordAnswer({ msg, operation, status, error }: Line): void {
  const file = process.env.ANSWERS_FILE;
  if (!file || typeof status !== 'number' || (msg !== 'request' && msg !== 'request refused')) return;
  const line = `${JSON.stringify({ operation, status, error })}\n`;
  if (known.has(file + line)) return;
  known.add(file + line);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, line);
}
