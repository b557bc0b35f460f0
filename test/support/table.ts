/** Tables as text, for `it.each`. */
import { parse } from 'yaml';

/**
 * The rows of a table: each line is one, ` | ` stands between its cells, and a line that is indented further continues the row
 * above. A backslash is a backslash; `${...}` puts any text into a cell, also such as begins or ends with a space.
 */
export function table({ raw }: TemplateStringsArray, ...values: readonly (string | number)[]): string[][] {
  const text = raw.reduce((before, part, index) => `${before}\0${index - 1}\0${part}`);
  const newRow = new RegExp(`${/^\n *(?=\S)/.exec(text)?.[0] ?? '\n'}(?=\\S)`);
  const [, ...rows] = text.trimEnd().split(newRow);
  const valueAt = (_mark: string, index: string): string => String(values[Number(index)]);
  return rows.map((row) =>
    row.split(/\s\|(?=\s|$)/).map((cell) =>
      cell
        .trim()
        .replace(/\s*\n\s*/g, ' ')
        .replace(/\0(\d+)\0/g, valueAt),
    ),
  );
}

/** A value as YAML writes it, with integers beyond those that a double has as bigints. */
export function valueOf(text: string): unknown {
  const narrow = (_key: unknown, value: unknown): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return parse(text, narrow, { intAsBigInt: true });
}
