/** The full check of a store: the database's own check, then a read of every plant. */
import { statSync } from 'node:fs';
import { verifySqliteFile } from '../sqlite/open';
import { countPlants } from './counted';
import { lineOf, Tally } from './lines';
import { existingDatabase, onExistingStore } from './named-store';
import { pagesOf } from './pages';
import { Progress } from './progress';

/** The check of a larger file takes seconds, in which SQLite says nothing. */
const LARGE_BYTES = 1e8;

/** Runs the check; resolves to the exit code. */
export async function verifyStore(): Promise<number> {
  const database = existingDatabase();
  if (database.kind === 'sqlite' && statSync(database.file).size > LARGE_BYTES)
    console.error(`checking ${database.file}, then reading every plant ...`);
  const problems = database.kind === 'sqlite' ? verifySqliteFile(database.file) : [];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;

  return onExistingStore(async (store) => {
    const assertWhole = await countPlants(store);
    const [tally, progress] = [new Tally(), new Progress('read')];
    for await (const page of pagesOf(store)) {
      tally.add(page.map(lineOf));
      progress.report(tally.count);
    }
    await assertWhole(tally.count);
    console.error(`read ${String(tally)}`);
    return 0;
  });
}
