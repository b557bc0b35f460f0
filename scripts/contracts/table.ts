/** Prints the results for contracts of files and folders as a table in Markdown; with `--all`, their details below it. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';

export interface Row {
  cells: readonly (string | number)[];
  details: readonly string[];
}

/** Prints the table for the contracts that the command line names, the first column their names. Throws if it names none. */
export async function printTable(
  columns: readonly string[],
  rowOf: (file: string) => Row | Promise<Row>,
): Promise<Row[]> {
  const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
  const files = positionals.flatMap(contractsIn);
  if (files.length === 0)
    throw new Error(
      `expected contracts (.json, .yaml), or folders with some, got ${positionals.join(' ') || 'nothing'}`,
    );
  console.log(`| contract | ${columns.join(' | ')} |\n|---|${columns.map(() => '---|').join('')}`);
  const rows: Row[] = [];
  const details: string[] = [];
  for (const file of files) {
    // Files of a folder are named after their repository and path, with `+` in between.
    const name = basename(file).replaceAll('+', '/');
    const row = await rowOf(file);
    await setImmediate(); // what weak references hold is kept until then
    console.log(`| ${[name, ...row.cells].join(' | ')} |`);
    details.push(`\n${name}`, ...row.details.map((line) => `  ${line.replaceAll('\n', '\n  ')}`));
    rows.push(row);
  }
  if (values.all) console.log(details.join('\n'));
  return rows;
}

function contractsIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  const names = readdirSync(place).filter((name) => /\.(?:json|ya?ml)$/.test(name));
  return names.map((name) => join(place, name));
}
