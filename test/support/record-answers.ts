/**
 * Records all answers for `npm run check`, which compares them with the contract: a line of JSON for each operation,
 * status and error code, in the file that `ANSWERS_FILE` names, if it is set.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const known = new Set<string>();

/** To be called with each line of the service's log. */
export function recordAnswer({ msg, operation, status, error }: Readonly<Record<string, unknown>>): void {
  const file = process.env.ANSWERS_FILE;
  if (!file || typeof status !== 'number' || (msg !== 'request' && msg !== 'request refused')) return;
  const line = `${JSON.stringify({ operation, status, error })}\n`;
  if (known.has(file + line)) return;
  known.add(file + line);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, line);
}
