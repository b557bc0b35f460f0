/** The files of a new project that are the same for every contract but for some places: `template/NAME.txt`, with `{{places}}`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, 'template');

/** Its text with the places filled; a line that has nothing but an empty place is left out. */
export function fill(name: string, places: Readonly<Record<string, string>> = {}): string {
  const text = readFileSync(join(FOLDER, `${name}.txt`), 'utf8');
  return text.replaceAll(
    /^([ \t]*)\{\{(\w+)\}\}\n|\{\{(\w+)\}\}/gm,
    (_all, indent: string | undefined, line, within) => {
      const place = String(line ?? within);
      const value = places[place];
      if (value === undefined) throw new Error(`${name}.txt has the place ${place}, which nothing fills`);
      if (line === undefined) return value;
      return value === '' ? '' : `${value.replaceAll(/^(?=.)/gm, indent ?? '')}\n`;
    },
  );
}
