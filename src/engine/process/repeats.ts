/**
 * Logs repeated errors as one line a second for each kind: the first in full, then the number of those that follow. A full disk, for
 * example, fails thousands of requests a second.
 */
import type { Logger } from 'pino';
import { type ApiError, messageOf } from '../errors/api-error';

/** The maximum number of kinds; all others count as one. */
const KINDS_MAX = 20;

/** Returns a function that logs server errors; repeats of the same kind within `eachMs` are counted. */
export function errorLog(log: Logger, eachMs: number): (error: ApiError) => void {
  let repeated = new Map<string, { error: ApiError; times: number }>();

  function logRepeats(): void {
    const last = repeated;
    repeated = new Map();
    for (const [kind, { error, times }] of last) {
      if (times === 0) continue;
      const level = levelOf(error);
      log[level]({ error: error.code, times, reason: reasonOf(error) }, `${error.message}, ${times} times more`);
      // Count the repeats of the next period, too.
      remember(kind, error);
    }
  }

  function remember(kind: string, error: ApiError): void {
    if (eachMs === 0) return;
    if (repeated.size === 0) setTimeout(logRepeats, eachMs).unref();
    repeated.set(kind, { error, times: 0 });
  }

  return function logError(error) {
    const own = `${error.code} ${reasonOf(error)}`.slice(0, 200);
    const kind = repeated.has(own) || repeated.size < KINDS_MAX ? own : 'others';
    const before = repeated.get(kind);
    if (before) {
      before.times++;
      return;
    }
    remember(kind, error);
    if (levelOf(error) === 'warn') log.warn({ error: error.code }, error.message);
    else log.error({ err: error.cause ?? error, error: error.code }, error.message);
  };
}

/** The log level of an error; a handler that is not written yet (501) is not a fault. */
function levelOf({ status }: ApiError): 'warn' | 'error' {
  return status === 501 ? 'warn' : 'error';
}

function reasonOf(error: ApiError): string {
  try {
    return messageOf(error.cause ?? error);
  } catch {
    return 'something that cannot be written as text'; // handlers can throw any value
  }
}
