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
 * Parses such a text. A reviver of `JSON.parse` is given doubles only, so that integers are turned to marked texts first, and texts get
 * another mark.
 */
export function parseJsonText(text: string): unknown {
  const marked = text.replace(TOKEN, (token: string, string?: string, colon?: string) => {
    if (string !== undefined) return colon === undefined ? `"s${string}"` : token;
    return /^-?\d+$/.test(token) ? `"i${token}"` : token;
  });
  return JSON.parse(marked, (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value.startsWith('i') ? BigInt(value.slice(1)) : value.slice(1);
  });
}

/** A string, the colon that makes it a key, or a number. */
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*/g;
