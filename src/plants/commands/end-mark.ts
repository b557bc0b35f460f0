/**
 * The last line of an export: the number of plants in the lines before it, and the SHA-256 of these lines. Without it a file that was cut
 * off at the end of a line would look complete.
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

/** True if a file ends with an end mark; `text` is its last `END_MARK_BYTES` bytes, or all of it. */
export function endsWithMark(text: string): boolean {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return isEndMark(lines.at(-1) ?? '');
}

const END_MARK = /^\{"end":\{"plants":\d{1,16},"sha256":"[0-9a-f]{64}"\}\}$/;
