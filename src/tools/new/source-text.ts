/** Texts of a contract in the code and pages that are made of it: what is in them must not end a comment, a text or a table. */

/** A text as one line, cut at a length. */
export function oneLine(text: string, lengthMax = 100): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1).trimEnd()}…` : line;
}

/** A text within a comment. */
export function inComment(text: string): string {
  return oneLine(text).replaceAll('*/', '*\\/');
}

/** A text as a literal of TypeScript. */
export function literal(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A text in Markdown, as it is: no markup, and no end of a table's cell. */
export function inMarkdown(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_[\]<>|#~&]/g, '\\$&');
}
