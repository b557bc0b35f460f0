/** Watches files, and reports changes once they have settled. */
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** An editor saves a file in several steps, and a checkout writes many files. */
const SETTLE_MS = 100;

/**
 * Calls `changed` after a change of one of the files, or of anything in `folder`; returns a function that stops watching. Which
 * files there are is asked again after each change.
 */
export function watchFiles(files: () => Iterable<string>, folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let watched = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchAll();
      changed();
    }, SETTLE_MS);
  };
  const watchAll = (): void => {
    watched = new Set(files());
    // The folders of the files, because a watched file that is replaced by another of its name is lost.
    for (const each of new Set([...watched].map((file) => dirname(file)))) {
      if (watchers.has(each)) continue;
      const watcher = watch(each, (_event, name) => {
        if (name !== null && watched.has(join(each, name))) touched();
      });
      watchers.set(each, watcher);
    }
  };
  watchAll();
  const others = watch(folder, { recursive: true }, touched);
  return () => {
    clearTimeout(timer);
    for (const watcher of [others, ...watchers.values()]) watcher.close();
  };
}
