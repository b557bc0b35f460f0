/** Bodies in chunks. */

/** Their headers, in place of a length. */
export const CHUNKED = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };

/** A chunk of text of which each character is a byte. */
export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}
