/** Every plant as a line of JSON, out of a store or into one, also while it serves; and the full check of a store. */
import { parseArgs } from 'node:util';
import { exportPlants } from './export';
import { importPlants } from './import';
import { verifyStore } from './verify';

const usage = `plants COMMAND
Works on the store that DATABASE_URL names, also while it serves.

  export FILE   writes each plant as a line of JSON, in the order of their ids; goes on where a file ends that is there
  import FILE   stores each plant that a line of FILE has; run again it goes on, as what is there already is passed over
  verify        reads the whole store, and looks for damage

FILE - stands for stdout or stdin (with npm: npm run --silent plants). Each ends with how many plants there were, and the
SHA-256 of their lines, which is the sha256sum of an exported file.`;

/** Resolves to the code that the process ends with. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const [command, file, ...rest] = positionals;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (rest.length === 0) {
    if (command === 'verify' && file === undefined) return verifyStore();
    if (command === 'export' && file !== undefined) return exportPlants(file);
    if (command === 'import' && file !== undefined) return importPlants(file);
  }
  console.error(`expected export FILE, import FILE or verify, got ${JSON.stringify(positionals)}\n${usage}`);
  return 1;
}
