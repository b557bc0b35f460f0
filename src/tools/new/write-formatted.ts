/** Files of a project as its own formatter leaves them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format } from 'prettier';

/** Code is formatted as the project's own command does it; the contract stays as its authors have written it. */
export async function writeFormatted(file: string, text: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const style = { printWidth: 120, singleQuote: true };
  writeFileSync(file, /\.(?:ts|json|mjs)$/.test(file) ? await format(text, { filepath: file, ...style }) : text);
}
