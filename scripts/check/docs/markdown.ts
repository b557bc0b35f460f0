/** Extracts from a Markdown text what can be checked: the rows of its tables, and what it mentions. */

export interface Row {
  line: number;
  /** The code spans of each cell. */
  cells: readonly (readonly string[])[];
}

export interface Mention {
  line: number;
  text: string;
}

/** The rows of all tables, headings included. */
export function tableRows(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) =>
    text.startsWith('|')
      ? {
          line: index + 1,
          cells: text
            .split('|')
            .slice(1, -1)
            .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)),
        }
      : [],
  );
}

/** Every match of the expression, as the text of its first group if it has one. */
export function mentions(text: string, expression: RegExp): Mention[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(expression)].map((match) => ({ line: index + 1, text: match[1] ?? match[0] })),
    );
}
