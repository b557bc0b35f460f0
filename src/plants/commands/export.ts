/** Writes every plant of a store as a line of JSON, and the end mark. */
import { appendFileSync, existsSync, fstatSync, realpathSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { countPlants } from './counted';
import { endMarkOf } from './end-mark';
import { type Append, writeExportFile } from './export-file';
import { lineOf, Tally } from './lines';
import { existingDatabase, onExistingStore } from './named-store';
import { pagesOf } from './pages';
import { Progress } from './progress';

/** Exports to a file, or to stdout for `-`; resolves to the exit code. */
export function exportPlants(name: string): Promise<number> {
  // Before the target is checked: by then SQLite has made its files beside the store, so that none of them passes for a free name.
  return onExistingStore(async (store) => {
    refuseJournal(name);
    if (name === '-') refuseNowhere();
    const assertWhole = await countPlants(store);
    const tally = new Tally();
    const writeAll = async (append: Append): Promise<void> => {
      const progress = new Progress('exported');
      for await (const page of pagesOf(store)) {
        const lines = page.map(lineOf);
        await append(`${lines.join('\n')}\n`);
        tally.add(lines);
        progress.report(tally.count);
      }
      await assertWhole(tally.count);
      // A program that is newer may have migrated the store meanwhile, and stored what this one does not know: opening it again refuses that.
      await onExistingStore(() => Promise.resolve());
      await append(`${endMarkOf(tally)}\n`);
    };
    await (name === '-' ? writeAll(print) : writeExportFile(name, writeAll));
    console.error(`exported ${String(tally)}`);
    return 0;
  });
}

/** Refuses the name of the journal that SQLite takes for its own, and removes, when it opens a store again. */
function refuseJournal(name: string): void {
  const database = existingDatabase();
  const folder = dirname(resolve(name));
  const place = join(existsSync(folder) ? realpathSync(folder) : folder, basename(name));
  if (database.kind === 'sqlite' && place === `${realpathSync(database.file)}-journal`)
    throw new Error(`expected a FILE that does not belong to the store, got ${name}`);
}

/** Refuses a standard output that keeps nothing: the null device, which Node opens in place of one that is closed. */
function refuseNowhere(): void {
  const stdout = fstatSync(1);
  if (stdout.isCharacterDevice() && stdout.rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev)
    throw new Error(`expected stdout to be a file or a pipe, got ${devNull}, which stands for one that is closed, too`);
}

function print(text: string): Promise<void> {
  const { stdout } = process;
  return new Promise((done, reject) => {
    if (!(stdout instanceof Socket)) {
      // Standard output is a file: Node's own stream takes a short write, as on a nearly full disk, for a complete one.
      appendFileSync(1, text);
      done();
      return;
    }
    stdout.once('error', reject);
    stdout.write(text, (error) => {
      if (error) return;
      stdout.off('error', reject);
      done();
    });
  });
}
