/**
 * The text of a column that holds a list, an object or null. Handlers have an int64 in it as a `bigint`, whatever its size, and any other
 * number as a `number`: `5` is written for the former, and `5.0` for the latter. To SQL both are the same number.
 */

export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Number.isInteger(value)) return `${BigInt(value as number)}.0`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`).join()}}`;
}

/**
 * Parses such a text. A reviver of `JSON.parse` is given doubles only, so that integers are turned to marked texts first, and texts and
 * keys get another mark.
 */
export function parseJsonText(text: string): unknown {
  let isInText = false;
  const marked = text.replace(TOKEN, (token) => {
    if (token === '"') {
      isInText = !isInText;
      return isInText ? '"s' : token;
    }
    return !isInText && /^-?\d+$/.test(token) ? `"i${token}"` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value === 'string') return value.startsWith('i') ? BigInt(value.slice(1)) : value.slice(1);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.slice(1), member as unknown]));
  });
}

/** An escaped character, the quote around a text, or a number: short ones, as the stack of an expression is bounded. */
const TOKEN = /\\.|"|-?\d[\d.eE+-]*/g;
