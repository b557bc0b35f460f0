/** An export as it is written down in the documentation, made without the program. */
import { createHash } from 'node:crypto';

/** The file of these lines, with its end mark. */
export function exportOf(lines: readonly string[]): string {
  return `${textOf(lines)}{"end":{"plants":${lines.length},"sha256":"${sha256Of(lines)}"}}\n`;
}

export function sha256Of(lines: readonly string[]): string {
  return createHash('sha256').update(textOf(lines)).digest('hex');
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
