/** Watches files, and reports changes once they have settled. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stampOf } from '../../engine/tooling';

/**
 * The interval of polls. Unlike `fs.watch`, polls notice each file that is replaced by another of its name, as editors, `sed -i` and
 * `git checkout` do, and work on file systems of containers and networks.
 */
const POLL_MS = 200;

/**
 * Calls `changed` when one of the files, or anything in `folder`, has changed and then stayed the same from one poll to the next: an editor
 * saves a file in several steps, and a checkout writes many files. Returns a function that stops watching. `files` is called again after
 * each change.
 */
export function watchFiles(files: () => Iterable<string>, folder: string, changed: () => void): () => void {
  let watched = [...files()];
  let seen = stampOfAll(watched, folder);
  let reported = seen;
  const look = (): void => {
    const now = stampOfAll(watched, folder);
    const isSettled = now === seen;
    seen = now;
    if (!isSettled || now === reported) return;
    watched = readable(files) ?? watched;
    seen = stampOfAll(watched, folder);
    reported = seen;
    changed();
  };
  const timer = setInterval(look, POLL_MS);
  return () => clearInterval(timer);
}

/** The files; undefined if the contract that names them cannot be read just now, of which `changed` tells. */
function readable(files: () => Iterable<string>): string[] | undefined {
  try {
    return [...files()];
  } catch {
    return undefined;
  }
}

/** A text that differs between two states of the files and of all that is in the folder. */
function stampOfAll(files: readonly string[], folder: string): string {
  const stamp = (file: string): string => `${file} ${stampOf(statSync(file, { bigint: true, throwIfNoEntry: false }))}`;
  return [...files, ...filesIn(folder)].map(stamp).join('\n');
}

/** All files and folders in a folder; none if one of the folders is removed meanwhile. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
