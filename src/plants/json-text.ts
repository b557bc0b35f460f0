/**
 * The text of a column that holds a list, an object or null. Handlers have an int64 in it as a `bigint`, whatever its size, and any other
 * number as a `number`, or as an ExactNumber if no double has it: `5` is written for the first, and `5.0` for the second, or `1e+300`, as short
 * as it came. To SQL both are the same number.
 */
import { canonicalText, ExactNumber } from '../engine';
import type { JsonKind } from './column-types';

export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof ExactNumber) return value.text;
  if (Number.isInteger(value)) return String(value).replace(/^-?\d+$/, '$&.0');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join()}}`;
}

/**
 * Parses such a text; of a column without int64 also one in which others have written `5` for a number. A reviver of `JSON.parse` is given
 * doubles only, so that integers are turned to marked texts first, and texts and keys get another mark.
 */
export function parseJsonText(text: string, kind: JsonKind): unknown {
  let isInText = false;
  const marked = text.replace(TOKEN, (token) => {
    if (token === '"') {
      isInText = !isInText;
      return isInText ? '"s' : token;
    }
    if (isInText || token.startsWith('\\')) return token;
    return `"${kind === 'json64' && /^-?\d+$/.test(token) ? 'i' : 'n'}${token}"`;
  });
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value === 'string') return MARKED[value.slice(0, 1)]?.(value.slice(1));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.slice(1), member as unknown]));
  });
}

/** Readers of texts by their marks. */
const MARKED: Readonly<Record<string, (text: string) => unknown>> = {
  i: BigInt,
  n: numberOf,
  s: (text) => text,
};

/** The double that the text is of, as it was written here, by versions before (with all digits) or elsewhere, or else the number of the text. */
function numberOf(text: string): number | ExactNumber {
  const [double, exact] = [Number(text), new ExactNumber(text)];
  if (!Number.isFinite(double)) return exact;
  const isWritten = jsonText(double) === text || canonicalText(double) === canonicalText(exact);
  return isWritten || (Number.isInteger(double) && `${BigInt(double)}.0` === text) ? double : exact;
}

/**
 * False if a value is certainly not that of a text, which `JSON.parse` has parsed with its numbers as doubles: found at the first difference,
 * however long the text is.
 */
export function isAlike(value: unknown, parsed: unknown): boolean {
  if (typeof value === 'bigint') return Number(value) === parsed;
  if (value instanceof ExactNumber) return Number(value.text) === parsed;
  if (typeof value !== 'object' || value === null) return value === parsed;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(value) !== Array.isArray(parsed)) return false;
  const members = Object.entries(value);
  if (members.length !== Object.keys(parsed).length) return false;
  return members.every(([key, member]) => Object.hasOwn(parsed, key) && isAlike(member, Reflect.get(parsed, key)));
}

/** An escaped character, the quote around a text, or a number: short ones, as the stack of an expression is bounded. */
const TOKEN = /\\.|"|-?\d[\d.eE+-]*/g;
