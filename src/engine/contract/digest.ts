/** The digest that tells whether `generated/` was made from this contract. */
import { createHash } from 'node:crypto';

/** SHA-256 of the parsed document, in hex: comments, quotes and line endings make no difference. */
export function digestOf(document: unknown): string {
  const text = JSON.stringify(document, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(text).digest('hex');
}
