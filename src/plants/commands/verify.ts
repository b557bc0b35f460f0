/** The full check of a store: the database's own check, then a read of every plant. */
import { verifySqliteFile } from '../sqlite/open';
import { lineOf, Tally } from './lines';
import { existingDatabase, openExistingStore } from './named-store';
import { pagesOf } from './pages';
import { Progress } from './progress';

/** Runs the check; resolves to the exit code. */
export async function verifyStore(): Promise<number> {
  const database = existingDatabase();
  const problems = database.kind === 'sqlite' ? verifySqliteFile(database.file) : [];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) return 1;

  const store = await openExistingStore();
  try {
    const [tally, progress] = [new Tally(), new Progress('read')];
    for await (const page of pagesOf(store)) {
      tally.add(page.map(lineOf));
      progress.report(tally.count);
    }
    console.error(`read ${String(tally)}`);
    return 0;
  } finally {
    await store.close();
  }
}
