/** Writes every plant of a store as a line of JSON. */
import { type FileHandle, open } from 'node:fs/promises';
import { ID_MAX, pagesOf } from './pages';
import { lineOf, plantOf, readLines, Tally } from './lines';
import { openExistingStore } from './named-store';
import { Progress } from './progress';

/** Resolves to the code that the process ends with. A file that is there already is continued after its last whole line. */
export async function exportPlants(name: string): Promise<number> {
  const store = await openExistingStore();
  const output = name === '-' ? undefined : await open(name, 'a+');
  try {
    const tally = new Tally();
    const progress = new Progress('exported');
    const last = output && (await readBack(output, name, tally));
    if (last !== ID_MAX) {
      for await (const page of pagesOf(store, last === undefined ? undefined : last + 1n)) {
        const lines = page.map(lineOf);
        await write(output, `${lines.join('\n')}\n`);
        tally.add(lines);
        progress.tell(tally.count);
      }
    }
    await output?.sync();
    console.error(`exported ${String(tally)}`);
    return 0;
  } finally {
    await output?.close();
    await store.close();
  }
}

/** Counts what an earlier run has written, cuts off a line that it did not finish, and resolves to the last id. */
async function readBack(file: FileHandle, name: string, tally: Tally): Promise<bigint | undefined> {
  const { size } = await file.stat();
  if (size === 0) return undefined;
  let [last, whole]: [Buffer | undefined, number] = [undefined, 0];
  for await (const line of readLines(name)) {
    if (whole + line.length + 1 > size) break;
    whole += line.length + 1;
    tally.add([line.toString()]);
    last = line;
  }
  await file.truncate(whole);
  if (!last) return undefined;
  console.error(`${name} has ${tally.count} plants already: going on after them`);
  return plantOf(last).id;
}

async function write(output: FileHandle | undefined, text: string): Promise<void> {
  if (output) {
    await output.appendFile(text);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
