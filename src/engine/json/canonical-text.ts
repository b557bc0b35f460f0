/** Canonical texts of JSON values with exact numbers: two values are equal if and only if their texts are. */
import { canonicalNumber, isNumber } from './number';

/**
 * `{"b":[1.0],"a":1e3}` as `{"a":1e3,"b":[1e0]}`: one text for all orders of keys and spellings of numbers.
 *
 * @example
 * const isSame = canonicalText(stored.content) === canonicalText(body.content);
 */
export function canonicalText(value: unknown): string {
  if (isNumber(value)) return canonicalNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`).join()}}`;
}
