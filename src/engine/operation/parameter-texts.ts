/** Parameters as they are sent: pairs of names and values, percent-encoded. */
import { malformed } from '../http/errors';

/** The values under one name of a query or of cookies, as they were sent. */
export interface Sent {
  texts: string[];
  /** True once a declared parameter has taken the values. */
  isRead: boolean;
}

export function pairsOf(text: string, separator: string | RegExp, decodeName: Decode): Map<string, Sent> {
  const pairs = new Map<string, Sent>();
  for (const piece of text.split(separator)) {
    if (piece === '') continue;
    const [written, value] = memberOf(piece);
    const name = decodeName(written);
    const known = pairs.get(name);
    if (known) known.texts.push(value);
    else pairs.set(name, { texts: [value], isRead: false });
  }
  return pairs;
}

export type Decode = (text: string) => string;
export const asItIs: Decode = (text) => text;
/** The text of a header or a cookie: nothing says what a byte beyond ASCII means there (RFC 9110 section 5.5), and Node takes each for a character. */
export const ascii: Decode = (text) => {
  if (/[^\t -~]/.test(text)) throw malformed('parameters of ASCII in headers and cookies');
  return text;
};
export const decodeForm: Decode = (text) => decode(text.replaceAll('+', ' '));
export const decode: Decode = (text) => {
  ascii(text);
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('percent-encoded UTF-8');
  }
};

/** Takes the texts under a name; none if another parameter has taken them. */
export function take(sent: Sent | undefined): readonly string[] {
  if (!sent || sent.isRead) return [];
  sent.isRead = true;
  return sent.texts;
}

/** The name and value of `name=value`; the value is empty without an equals sign. */
export function memberOf(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

export function pairsUp(pieces: readonly string[]): [name: string, value: string][] {
  return pieces.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [],
  );
}

/** An empty object without a prototype, so that `__proto__` is an ordinary name. */
export function record(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
