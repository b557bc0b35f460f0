/** The store's files: made for their owner alone, and looked for after each commit. */
import { closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the file if there is none, and the folders above it if `makeFolders`; gives its path without symbolic links, because SQLite
 * puts its log beside the file that a link leads to.
 */
export function makeFile(given: string, makeFolders: boolean): string {
  // A whole path is always a file; SQLite takes `:memory:` and `file:?mode=memory` for stores that are on no disk.
  const path = resolve(given);
  if (!existsSync(path)) {
    if (makeFolders) makeFolder(dirname(path));
    else assertFolder(dirname(path));
    // SQLite gives its log and the index of it the mode of this file. Closing a file that SQLite has open already would give up
    // its locks (https://www.sqlite.org/howtocorrupt.html, section 2.2), so one that is there is not opened.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  }
  return realpathSync(path);
}

/** The files that SQLite has open, to be made once it has opened all of them. */
export class FilesInPlace {
  private readonly paths: readonly string[];
  private readonly inPlace: string;

  constructor(
    private readonly given: string,
    path: string,
  ) {
    this.paths = [resolve(given), `${path}-wal`, `${path}-shm`];
    this.inPlace = this.look();
  }

  /** Throws NotInPlace if a path no longer leads to the file that SQLite has open: what it commits would be gone with the process. */
  assert(): void {
    if (this.look() !== this.inPlace) throw new NotInPlace(resolve(this.given));
  }

  private look(): string {
    const [file, ...beside] = this.paths.map((path) => statSync(path, { throwIfNoEntry: false }));
    // Only the log may be empty: the file has had its first page since it was opened.
    return [file?.size !== 0 && file?.ino, ...beside.map((each) => each?.ino)].join();
  }
}

export class NotInPlace extends Error {
  override readonly name = 'NotInPlace';

  constructor(path: string) {
    super(
      `the store ${path}, its -wal or its -shm file was removed, renamed, replaced or emptied while it was served. ` +
        'What was answered with 200 before that is in the files which were there; put them back, then start again',
    );
  }
}

function assertFolder(folder: string): void {
  if (existsSync(folder)) return;
  throw new Error(
    `there is no folder ${folder}. Make it, or name another file in DATABASE_URL: ` +
      'with NODE_ENV=production a store is made only in a folder that is there',
  );
}

/**
 * Makes a folder and those above it. Node's `recursive` tries for ever if a file system answers ENOENT although the folder above is
 * there, as /proc does (seen with Node 20 and 24).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process was faster
  }
}
