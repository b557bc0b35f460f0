/** The end of an operation's life, as its answers say it: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
import type { OperationObject } from './document';

export interface Lifecycle {
  isDeprecated: boolean;
  /** The headers of its answers. A deprecation without a date has none. */
  headers: Readonly<Record<string, string>>;
  /** The names of extensions whose dates are wrong, each with its fault. */
  faults: readonly (readonly [name: string, fault: string])[];
}

const WRONG = 'expected a date such as 2027-01-31, or one with a time such as 2027-01-31T12:00:00Z';

export function lifecycleOf(operation: OperationObject): Lifecycle {
  const { deprecated = false, 'x-deprecated-since': since, 'x-sunset': sunset } = operation;
  const [from, end] = [dateOf(since), dateOf(sunset)];
  const faults: [string, string][] = [];
  if (since !== undefined && !from) faults.push(['x-deprecated-since', WRONG]);
  if (sunset !== undefined && !end) faults.push(['x-sunset', WRONG]);
  if (from && end && end < from) faults.push(['x-sunset', 'expected a sunset after the deprecation (RFC 9745)']);
  return {
    isDeprecated: deprecated || since !== undefined,
    headers: {
      ...(from && { Deprecation: `@${Math.floor(from.getTime() / 1000)}` }),
      ...(end && { Sunset: end.toUTCString() }),
    },
    faults,
  };
}

/** A date, or a time with its offset (RFC 3339). */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

function dateOf(text: unknown): Date | undefined {
  const [, day] = DATE.exec(typeof text === 'string' ? text : '') ?? [];
  // 2027-02-30 would be a day of March.
  const isDay = day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  const date = new Date(String(text));
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined;
}
