/** The store's files: made readable for their owner alone, and checked to be in place after each commit. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreBroken } from '../store';
import { Log } from './log';

/**
 * Makes the file if there is none, and with `makeFolders` the folders above it. Returns its path without symbolic links, because SQLite
 * puts its log beside the file that a link leads to.
 */
export function makeFile(given: string, makeFolders: boolean): string {
  // An absolute path always names a file; SQLite reads `:memory:` and `file:?mode=memory` as databases in memory.
  const path = resolve(given);
  assertFileOfLog(path);
  if (!existsSync(path)) {
    if (makeFolders) makeFolder(dirname(path));
    else assertFolder(dirname(path));
    // SQLite gives its log and the log's index the mode of this file. An existing file is not opened here: if this process had it open in
    // SQLite, closing it would drop SQLite's locks (https://www.sqlite.org/howtocorrupt.html, section 2.2).
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  }
  const real = realpathSync(path);
  assertFileOfLog(real);
  assertOneName(real);
  return real;
}

/** Refuses a file with a second name, by which other processes would have another log: what is in one of them alone is lost. */
export function assertOneName(path: string): void {
  const found = statSync(path);
  if (found.isFile() && found.nlink > 1) {
    throw new Error(
      'it has several names (hard links), and SQLite keeps a log for each: plants of one log are lost to the others. Keep one name; a copy is made with plants export',
    );
  }
  if (isMounted(path)) {
    throw new Error(
      'it is mounted without its folder, so that its log, where the last plants are, stays behind. Mount the folder that it is in',
    );
  }
}

/** True for a file that is a mount of its own, as with `docker run -v ./plants.db:/data/plants.db`. */
function isMounted(path: string): boolean {
  if (!existsSync(MOUNTS)) return false; // not Linux
  const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  const written = path.replace(/[ \t\n\\]/g, octal);
  return readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[4] === written);
}

const MAY_LACK = { throwIfNoEntry: false } as const;
const MOUNTS = '/proc/self/mountinfo';

/** Refuses a missing or empty file beside a log that is not empty: SQLite would delete the log, and the plants in it. */
export function assertFileOfLog(path: string): void {
  // The log first: a process that makes a store writes to its file before.
  const logBytes = sizeOf(`${path}-wal`);
  const bytes = sizeOf(path);
  if (!logBytes || bytes) return;
  throw new Error(
    `it is ${bytes === undefined ? 'missing' : 'empty'}, and its log ${path}-wal is not: plants that were answered with 200 may be there alone. ` +
      'Put back the file that belongs to the log; or move the -wal and -shm files away, to begin with an empty store',
  );
}

/** The size of a file; undefined if there is none. */
function sizeOf(path: string): number | undefined {
  return statSync(path, MAY_LACK)?.size;
}

/** Watches the files that SQLite has open; constructed once it has opened all of them. */
export class FilesInPlace {
  private readonly file: string;
  /** The log has no locks, so that it may be opened and closed; the index has some, so that SQLite's own descriptor of it is used. */
  private readonly log: OpenFile;
  private readonly index: OpenFile;
  private readonly frames: Log | undefined;
  private readonly inPlace: Places;
  /** The size of the file when it was last looked at. */
  private bytes = 0;

  /** `whileUnchanged` calls a function under the write lock. */
  constructor(
    given: string,
    private readonly path: string,
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
   * Throws NotInPlace if a path no longer leads to the file that SQLite has open, the file was cut, or the log has lost content: commits
   * would be lost with the process, and a checkpoint would write something else into the file.
   */
  assert(): void {
    const { bytes, frames } = this;
    const { file, log, index } = this.look();
    const isFile = file === this.inPlace.file && (this.bytes >= bytes || this.hasPages());
    if (!isFile || log !== this.inPlace.log || index !== this.inPlace.index)
      throw new NotInPlace(this.file, log === this.inPlace.log ? this.moveLogAside(bytes) : undefined);
    if (frames && !frames.isWhole() && !this.whileUnchanged(() => frames.isWhole())) throw new NotInPlace(this.file);
  }

  /** The number of pages that were written to the log by the last `assert`; undefined if the system does not show it. */
  get pagesWritten(): number | undefined {
    return this.frames?.written;
  }

  /** True if a file that is smaller than before has all its pages, as behind a VACUUM. */
  private hasPages(): boolean {
    const { frames, file } = this;
    return !frames || this.whileUnchanged(() => frames.isFileWhole(() => sizeOf(file) ?? 0));
  }

  /** Renames the log if another file is beside it, or one that was cut: the next start would write it into that. Returns its new name. */
  private moveLogAside(bytesBefore: number): string | undefined {
    const beside = statSync(this.path, MAY_LACK);
    // Beside a missing or empty file the start is refused, so that the file may be put back.
    if (!beside?.size || (identityOf(beside) === this.inPlace.file && beside.size >= bytesBefore)) return undefined;
    // Below another disk, the path is the same and leads to the log of another store.
    if (!this.isLogAtPath()) return undefined;
    const aside = `${this.log.path}.${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    try {
      renameSync(this.log.path, aside);
      return aside;
    } catch {
      return undefined; // in a folder that cannot be written no start can write it either
    }
  }

  private isLogAtPath(): boolean {
    const { path, descriptor } = this.log;
    return descriptor !== undefined && identityOf(fstatSync(descriptor)) === identityOf(statSync(path, MAY_LACK));
  }

  close(): void {
    if (this.log.descriptor !== undefined) closeSync(this.log.descriptor);
  }

  private look(): Places {
    const file = statSync(this.file, MAY_LACK);
    this.bytes = file?.size ?? 0;
    // The log may be empty, but not the file: it has had a page since it was opened.
    const place = this.bytes > 0 ? identityOf(file) : 'empty';
    return { file: place, log: placeOf(this.log), index: placeOf(this.index) };
  }
}

/** Texts that change when the paths of a store lead to other files. */
interface Places {
  file: string;
  log: string;
  index: string;
}

interface OpenFile {
  path: string;
  descriptor: number | undefined;
}

const LINKS = '/proc/self/fd';
const hasLinks = existsSync(LINKS);
const DESCRIPTORS = hasLinks ? LINKS : '/dev/fd';

/**
 * A text that changes when an open file is removed, renamed or replaced: its path in /proc, which shows its new path or "(deleted)". Where
 * there is no /proc it is the file's inode: from Linux 6.13 on, a stat of the log makes its next sync slower.
 */
function placeOf({ path, descriptor }: OpenFile): string {
  if (hasLinks && descriptor !== undefined) return readlinkSync(`${LINKS}/${descriptor}`);
  return identityOf(statSync(path, MAY_LACK));
}

/** The disk of a file and its number there: disks that were formatted alike give the same numbers. */
function identityOf(found: Stats | undefined): string {
  return found ? `${found.dev}:${found.ino}` : 'missing';
}

/** The descriptor with which this process has a file open; undefined if the system shows none. */
function descriptorOf(path: string): number | undefined {
  const { dev, ino } = statSync(path);
  return readdirSync(DESCRIPTORS)
    .map(Number)
    .find((descriptor) => {
      try {
        const open = fstatSync(descriptor);
        return open.dev === dev && open.ino === ino;
      } catch {
        return false; // the descriptor of /proc/self/fd itself, which is closed by now
      }
    });
}

export class NotInPlace extends StoreBroken {
  override readonly name = 'NotInPlace';

  /** `logAside` is the new name of a log that was left beside another file. */
  constructor(path: string, logAside?: string) {
    super(
      `the store ${path}, its -wal or its -shm file was removed, renamed, replaced, emptied or cut while it was served. ` +
        'What was answered with 200 before that is in the files which were there; put them back, then start again' +
        (logAside === undefined
          ? ''
          : `. Their log is ${logAside} by now, so that no start writes it into another file`),
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
 * Makes a folder and those above it. Node's `recursive` retries without end if a file system answers ENOENT although the parent exists, as
 * /proc does (seen with Node 20 and 24).
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process has made it
  }
}
