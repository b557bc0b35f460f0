/** The store's files: made for their owner alone, and looked for after each commit. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Log } from './log';

/**
 * Makes the file if there is none, and the folders above it if `makeFolders`; gives its path without symbolic links, because SQLite
 * puts its log beside the file that a link leads to.
 */
export function makeFile(given: string, makeFolders: boolean): string {
  // A whole path is always a file; SQLite takes `:memory:` and `file:?mode=memory` for stores that are on no disk.
  const path = resolve(given);
  assertFileOfLog(path);
  if (!existsSync(path)) {
    if (makeFolders) makeFolder(dirname(path));
    else assertFolder(dirname(path));
    // SQLite gives its log and the index of it the mode of this file. Closing a file that SQLite has open already would give up
    // its locks (https://www.sqlite.org/howtocorrupt.html, section 2.2), so one that is there is not opened.
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  }
  const real = realpathSync(path);
  assertFileOfLog(real);
  return real;
}

/** Refuses a file that is missing or empty beside a log that is not: SQLite would delete the log, and the plants in it. */
export function assertFileOfLog(path: string): void {
  // In this order: a process that makes a store writes to its file first.
  const logBytes = sizeOf(`${path}-wal`);
  const bytes = sizeOf(path);
  if (!logBytes || bytes) return;
  throw new Error(
    `it is ${bytes === undefined ? 'missing' : 'empty'}, and its log ${path}-wal is not: plants that were answered with 200 may be there alone. ` +
      'Put back the file that belongs to the log; or move the -wal and -shm files away, to begin with an empty store',
  );
}

/** How many bytes a file has; undefined if there is none. */
function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** The files that SQLite has open, to be made once it has opened all of them. */
export class FilesInPlace {
  private readonly file: string;
  /** The log has no locks, so that it may be opened and closed; the index has some, and SQLite's own descriptor of it is used. */
  private readonly log: OpenFile;
  private readonly index: OpenFile;
  private readonly frames: Log | undefined;
  private readonly inPlace: string;

  /** `whileUnchanged` calls a function while no other process can write to the files. */
  constructor(
    given: string,
    path: string,
    pageBytes: number,
    private readonly whileUnchanged: (look: () => boolean) => boolean,
  ) {
    this.file = resolve(given);
    this.log = { path: `${path}-wal`, descriptor: openSync(`${path}-wal`, constants.O_RDONLY) };
    this.index = { path: `${path}-shm`, descriptor: descriptorOf(`${path}-shm`) };
    if (this.log.descriptor !== undefined && this.index.descriptor !== undefined) {
      this.frames = new Log(this.log.descriptor, this.index.descriptor, pageBytes);
    }
    this.inPlace = this.look();
  }

  /**
   * Throws NotInPlace if a path no longer leads to the file that SQLite has open, or what is in the log is gone: what SQLite commits would
   * be gone with the process, and what it moves into the file would be none of it.
   */
  assert(): void {
    if (this.look() !== this.inPlace) throw new NotInPlace(this.file);
    if (!this.frames || this.frames.isWhole()) return;
    const { frames } = this;
    if (!this.whileUnchanged(() => frames.isWhole())) throw new NotInPlace(this.file);
  }

  close(): void {
    if (this.log.descriptor !== undefined) closeSync(this.log.descriptor);
  }

  private look(): string {
    const file = statSync(this.file, { throwIfNoEntry: false });
    // Only the log may be empty: the file has had its first page since it was opened.
    return [file?.size !== 0 && file?.ino, placeOf(this.log), placeOf(this.index)].join();
  }
}

interface OpenFile {
  path: string;
  descriptor: number | undefined;
}

const LINKS = '/proc/self/fd';
const hasLinks = existsSync(LINKS);
const DESCRIPTORS = hasLinks ? LINKS : '/dev/fd';

/**
 * What changes once an open file is removed, renamed or replaced: the path that the system has for it, which says where it is now, or that it
 * was deleted. From Linux 6.13 on, a stat of the log would make the next sync of it slower; it is asked for only where there are no such links.
 */
function placeOf({ path, descriptor }: OpenFile): string {
  if (hasLinks && descriptor !== undefined) return readlinkSync(`${LINKS}/${descriptor}`);
  return String(statSync(path, { throwIfNoEntry: false })?.ino);
}

/** The descriptor by which this process has a file open; undefined if it has not, or the system does not say. */
function descriptorOf(path: string): number | undefined {
  const { dev, ino } = statSync(path);
  return readdirSync(DESCRIPTORS)
    .map(Number)
    .find((descriptor) => {
      try {
        const open = fstatSync(descriptor);
        return open.dev === dev && open.ino === ino;
      } catch {
        return false; // that of the folder, which is closed by now
      }
    });
}

export class NotInPlace extends Error {
  override readonly name = 'NotInPlace';

  constructor(path: string) {
    super(
      `the store ${path}, its -wal or its -shm file was removed, renamed, replaced, emptied or cut while it was served. ` +
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
