/** Watches files, and reports changes once they have settled. */
import { watch } from 'node:fs';
import { join } from 'node:path';

/** An editor saves a file in several steps, and a checkout writes many files. */
const SETTLE_MS = 100;

/** Calls `changed` after a change of `file` or of anything in `folder`; returns a function that stops watching. */
export function watchFiles(root: string, file: string, folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, SETTLE_MS);
  };
  const watchers = [
    // The folder of the file, because a watched file that is replaced by another of its name is lost.
    watch(root, (_event, name) => {
      if (name === file) touched();
    }),
    watch(join(root, folder), { recursive: true }, touched),
  ];
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
