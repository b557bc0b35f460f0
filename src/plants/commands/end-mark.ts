/**
 * The last line of an export: how many plants the lines before it hold, and their SHA-256. A file that was cut off at the end of
 * a line lacks it, and is otherwise no different from a whole one.
 */
import type { Tally } from './lines';

/** The mark that ends these lines; no line of a plant looks like it, because a plant has an id. */
export function endMarkOf(tally: Tally): string {
  return `{"end":{"plants":${tally.count},"sha256":"${tally.sha256()}"}}`;
}

export function isEndMark(line: string): boolean {
  return END_MARK.test(line);
}

/** Longer than any end mark with the line feed before it and the one after it. */
export const END_MARK_BYTES = 256;

/** Whether a file ends with one, of which these are the last `END_MARK_BYTES`, or all. */
export function endsWithMark(text: string): boolean {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return isEndMark(lines.at(-1) ?? '');
}

const END_MARK = /^\{"end":\{"plants":\d{1,16},"sha256":"[0-9a-f]{64}"\}\}$/;
