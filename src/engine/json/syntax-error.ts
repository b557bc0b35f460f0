/** A JSON syntax error for the one who wrote the text: line, column and, where it can be told, the kind of mistake. */
import type { JsonSyntaxError } from './json';

/** Texts at or behind the place of an error, and what they are; none of them is quoted. */
const KINDS: readonly (readonly [text: RegExp, kind: string])[] = [
  [/^\uFEFF/, 'got a byte order mark'],
  [/^'/, 'a text has double quotes'],
  [/^(?:\/[/*]|#)/, 'JSON has no comments'],
  [/^(?:None|undefined|NULL|Null|nil)\b/, 'nothing is written null'],
  [/^(?:True|TRUE|False|FALSE)\b/, 'booleans are written true and false'],
  [/^[+-]?(?:NaN|Infinity)\b/, 'JSON has finite numbers only'],
  [/^\0/, 'got UTF-16: expected UTF-8'],
  [/^[+.]/, 'a number begins with a digit or -'],
];

/** `expected a key at line 2, column 5: a trailing comma`. */
export function explainSyntax(text: string, { expected, offset }: JsonSyntaxError): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const kind = kindOf(before, text.slice(offset, offset + 20), expected);
  return `expected ${expected} at line ${line}, column ${offset - lineStart + 1}${kind === undefined ? '' : `: ${kind}`}`;
}

function kindOf(before: string, rest: string, expected: string): string | undefined {
  const known = KINDS.find(([text]) => text.test(rest));
  if (known) return known[1];
  if (rest === '') return 'the text ends there';
  if (/^[}\]]/.test(rest) && before.trimEnd().endsWith(',')) return 'a trailing comma';
  if (expected === 'a key' && /^[\w$]/.test(rest)) return 'a key has double quotes';
  if (/^\d/.test(rest) && before.endsWith('0')) return 'a number has no leading zero';
  return expected.startsWith('"') && /^["\w[{]/.test(rest) ? 'a mark is missing before it' : undefined;
}
