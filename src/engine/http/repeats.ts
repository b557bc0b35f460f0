/**
 * Errors that come again and again as one line a second for each kind: the first is logged in full, those that follow
 * within a second are counted. A full disk fails thousands of requests a second, for one reason.
 */
import type { Logger } from 'pino';
import { type ApiError, messageOf } from './api-error';

/** Kinds that are told apart in a second; all others are one. */
const KINDS_MAX = 20;

/** Logs errors that are answered with a status of 500 and above; a kind that comes again within `eachMs` is counted. */
export function errorLog(log: Logger, eachMs: number): (error: ApiError) => void {
  let repeated = new Map<string, { error: ApiError; times: number }>();

  function logRepeats(): void {
    const told = repeated;
    repeated = new Map();
    for (const [kind, { error, times }] of told) {
      if (times === 0) continue;
      const level = levelOf(error);
      log[level]({ error: error.code, times, reason: reasonOf(error) }, `${error.message}, ${times} times more`);
      // It goes on: the next of its kind is only counted, too.
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

/** What is not written yet is no fault. */
function levelOf({ status }: ApiError): 'warn' | 'error' {
  return status === 501 ? 'warn' : 'error';
}

function reasonOf(error: ApiError): string {
  try {
    return messageOf(error.cause ?? error);
  } catch {
    return 'something that cannot be written as text'; // handlers can throw anything
  }
}
