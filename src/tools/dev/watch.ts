/** Watches files, and reports changes once they have settled. */
import { unwatchFile, watch, watchFile } from 'node:fs';

/**
 * Time without changes before they are reported: an editor saves a file in several steps, and a checkout writes many
 * files.
 */
const SETTLE_MS = 50;
/** Polling interval for files outside of the folder: a watcher loses a file that is replaced by another of its name. */
const LOOK_MS = 100;

/**
 * Calls `changed` after a change of one of the files, or of anything in `folder`; returns a function that stops
 * watching. `files` is called again after each change.
 */
export function watchFiles(files: () => Iterable<string>, folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watched = new Set<string>();
  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchAll();
      changed();
    }, SETTLE_MS);
  };
  const watchAll = (): void => {
    for (const file of files()) if (!watched.has(file)) watchFile(file, { interval: LOOK_MS }, touched);
    for (const file of files()) watched.add(file);
  };
  watchAll();
  const watcher = watch(folder, { recursive: true }, touched);
  return () => {
    clearTimeout(timer);
    watcher.close();
    for (const file of watched) unwatchFile(file);
  };
}
