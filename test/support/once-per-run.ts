/** What several files of tests need, made once per run by the worker that comes first; the others wait for it. */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `make` with a new folder, unless a worker of this run has done so; resolves to the folder when it is done. */
export async function oncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(process.env.RUN_FOLDER ?? '', name);
  const done = `${folder}.done`;
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) await make(folder).finally(() => writeFileSync(done, ''));
  while (!existsSync(done)) await sleep(100); // as long as it takes: the limit is that of a test
  return folder;
}
