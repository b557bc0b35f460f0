/** The store's file on its file system: made for its owner alone, and noticed where it is removed, renamed or replaced. */
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

export class StoreFile {
  /** Without symbolic links: SQLite puts its log beside the file that a link leads to. */
  readonly path: string;
  /**
   * The one descriptor of ours, for reading and writing. It must not be closed before SQLite's: whoever closes any
   * descriptor of a file gives up all POSIX locks that the process has on it (https://www.sqlite.org/howtocorrupt.html,
   * section 2.2).
   */
  readonly descriptor: number;
  /** The database, its log and the log's index, as they were when SQLite had opened them. */
  private inPlace: string | undefined;
  /** The folder, and that of the link if the file is one. */
  private readonly folders: readonly string[];
  /** How those were when all was last found to be in place. */
  private unchanged: string | undefined;

  /** Opens the file. It is made where there is none, and so are the folders above it. */
  constructor(private readonly given: string) {
    // A whole path is always a file; SQLite takes `:memory:` and `file:?mode=memory` for stores that are on no disk.
    const path = resolve(given);
    makeFolder(dirname(path));
    // SQLite gives its log and the index of it the mode of this file.
    this.descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    this.path = realpathSync(path);
    this.folders = [...new Set([path, this.path].map((each) => dirname(each)))];
  }

  /** Takes the files that are there now for those of the store; to be called once SQLite has opened all of them. */
  remember(): void {
    this.unchanged = undefined;
    this.inPlace = this.identities();
  }

  /**
   * Throws NotInPlace if a path no longer leads to the file that SQLite has open: what it commits would be gone with the
   * process. A folder that has not changed still has the same files in it, so that one look at it is enough in most cases.
   */
  assertInPlace(): void {
    const now = this.folders.map((folder) => stamp(look(folder))).join();
    if (now === this.unchanged) return;
    this.assertEachInPlace();
    this.unchanged = now;
  }

  /** The same without relying on the folder's time of change, which has the granularity of the system's clock. */
  assertEachInPlace(): void {
    if (this.identities() !== this.inPlace) throw new NotInPlace(this.given);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private identities(): string | undefined {
    const files = [resolve(this.given), this.path, `${this.path}-wal`, `${this.path}-shm`].map(look);
    const open = fstatSync(this.descriptor, { bigint: true });
    if (files.slice(0, 2).some((file) => identity(file) !== identity(open))) return undefined;
    return files.map(identity).join();
  }
}

/**
 * Makes a folder and those above it. Node's `recursive` tries for ever where a file system answers ENOENT although the folder above is
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

/** The database, its log or the folder was removed, renamed or replaced while the store was open. */
export class NotInPlace extends Error {
  override readonly name = 'NotInPlace';

  constructor(file: string) {
    super(
      `the store ${file}, its -wal or its -shm file was removed, renamed or replaced while it was served. ` +
        'What was answered with 200 before that is in the files which were there; put them back, then start again',
    );
  }
}

function look(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined; // whatever keeps it from being seen keeps the next start from it
  }
}

function identity(file: BigIntStats | undefined): string {
  return file ? `${file.dev}:${file.ino}` : 'none';
}

function stamp(folder: BigIntStats | undefined): string {
  return `${identity(folder)}:${folder?.ctimeNs}`;
}
