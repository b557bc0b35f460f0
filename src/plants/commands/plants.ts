/** The command `plants`: exports and imports plants as lines of JSON, and verifies a store, also while it serves. */
import { readArguments } from '../../engine';
import { exportPlants } from './export';
import { importPlants } from './import';
import { verifyStore } from './verify';

const usage = `plants COMMAND
Works on the store that DATABASE_URL names, also while it serves.

  export FILE   writes each plant as a line of JSON, in the order of their ids, and an end mark, into FILE.part, which
                replaces FILE at the end; FILE is left as it is if it is anything but an earlier whole export
  import FILE   stores each plant that a line of FILE has; run again it goes on, as what is there already is passed over.
                --without-end takes a file without an end mark for whole: one written by hand, or by an earlier version
  verify        reads the whole store, and looks for damage

FILE - stands for stdout or stdin (with npm: npm run --silent plants). Each ends with how many plants there were, and the
SHA-256 of their lines, which the end mark of an export has too.`;

/** Runs the command; resolves to the exit code. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    options: { help: { type: 'boolean', short: 'h' }, 'without-end': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [command, file, ...rest] = positionals;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const withoutEnd = values['without-end'];
  if (rest.length === 0) {
    if (command === 'import' && file) return importPlants(file, withoutEnd);
    if (command === 'verify' && file === undefined && !withoutEnd) return verifyStore();
    if (command === 'export' && file && !withoutEnd) return exportPlants(file);
  }
  console.error(`expected export FILE, import [--without-end] FILE or verify, got ${JSON.stringify(args)}\n${usage}`);
  return 1;
}
