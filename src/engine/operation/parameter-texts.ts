/** What is sent of parameters, as texts: pairs of names and values, percent-encoded. */
import { malformed } from '../http/errors';

/** What a query or a cookie has under one name, as it was sent. */
export interface Sent {
  texts: string[];
  /** Whether it belongs to a declared parameter. */
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
export const decodeForm: Decode = (text) => decode(text.replaceAll('+', ' '));
export const decode: Decode = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed('percent-encoded UTF-8');
  }
};

/** The texts under a name, unless another parameter has them. */
export function take(sent: Sent | undefined): readonly string[] {
  if (!sent || sent.isRead) return [];
  sent.isRead = true;
  return sent.texts;
}

/** `name=value`. */
export function memberOf(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

export function pairsUp(pieces: readonly string[]): [name: string, value: string][] {
  return pieces.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [],
  );
}

/** So that `__proto__` is an ordinary name. */
export function record(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
