/** Tells of changes to files, once things have calmed down. */
import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** An editor writes a file in several steps, and a checkout writes many files. */
const CALM_MS = 100;

/**
 * Calls `changed` after a change to `file` or to anything in `folder`; gives what ends it. Folders are watched rather than
 * files, so that a file which is replaced by another of its name is not lost.
 */
export function watchFiles(root: string, file: string, folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let watchers: FSWatcher[] = [];
  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // There may be new folders by now.
      begin();
      changed();
    }, CALM_MS);
  };
  const begin = (): void => {
    end();
    watchers = [
      watch(root, (_event, name) => {
        if (name === file) touched();
      }),
      ...foldersIn(join(root, folder)).map((each) => watch(each, touched)),
    ];
    // A folder that is removed is told of by the one above it.
    for (const watcher of watchers) watcher.on('error', () => undefined);
  };
  const end = (): void => {
    for (const watcher of watchers) watcher.close();
  };
  begin();
  return () => {
    clearTimeout(timer);
    end();
  };
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return [
    folder,
    ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => foldersIn(join(folder, name))),
  ];
}
