/**
 * Moves what is committed from SQLite's log into its file, between commits, whenever the log has some pages. This is what SQLite's automatic
 * checkpoint does, but it says nothing of a sync that failed, and it does not know how long the log may become.
 *
 * A checkpoint that reaches the end of the log syncs the file before it marks the pages as moved, so that a failed one is done
 * again. One that a reader keeps from the end marks them without a sync (`walCheckpoint` in sqlite3.c). If the next sync fails,
 * the system forgets what the disk has not taken, and a second sync would succeed without it (https://wiki.postgresql.org/wiki/Fsync_Errors).
 * The log still has all of it, and the next start reads it: so the process has to end.
 */
import { messageOf } from '../../engine';
import { type Database, SQLITE_IOERR_FSYNC, type Statement } from './driver';

export interface CheckpointOptions {
  /** At how many pages the log is moved. More make fewer writes, and longer ones that a create may have to wait for. */
  logPages?: number;
  /** How large the log may become while another process reads, which keeps it from being begun anew. */
  logBytesMax?: number;
}

export class Checkpoints {
  private readonly logPages: number;
  private readonly logBytesMax: number;
  /** At which size an operator is told that the log grows. */
  private readonly logBytesTold: number;
  private readonly passive: Statement;
  private readonly pageBytes: number;
  /** How many plants have come since the last checkpoint, and how many are to come before the next. */
  private plants = 0;
  private plantsMax = 100;
  private logBytes = 0;

  constructor(
    private readonly store: string,
    private readonly database: Database,
    { logPages = 250, logBytesMax = 2 ** 30 }: CheckpointOptions,
    private readonly tell: (text: string) => void,
    /** Throws if what is in the log must not be moved. */
    private readonly assertInPlace: () => void,
  ) {
    this.logPages = logPages;
    this.logBytesMax = logBytesMax;
    this.logBytesTold = Math.floor(logBytesMax / 8);
    // A log that had to grow gives its room back once it begins anew.
    database.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${this.logBytesTold}`);
    this.passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.pageBytes = pageBytesOf(database);
  }

  /** To be called before so many plants are committed. Throws while the log has reached its bound, and if it cannot be synced. */
  beforeCommit(plants: number): void {
    if (this.plants >= this.plantsMax || this.logBytes >= this.logBytesMax) this.move();
    if (this.logBytes >= this.logBytesMax) {
      const size = megabytes(this.logBytes);
      throw new Error(
        `the log of the store ${this.store} has ${size}: expected the process that reads it for long to end`,
      );
    }
    this.plants += plants;
  }

  /** Moves all that is left, unless another process reads it. Throws if the database must not be closed. */
  beforeClose(): void {
    this.assertInPlace();
    this.attempt(() => this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  private move(): void {
    this.assertInPlace();
    const { log = -1, checkpointed } = this.attempt(() => this.passive.get()) ?? {};
    const pages = Number(log);
    if (pages < 0) return; // another process is at it
    // How many pages a plant takes depends on the ids: it is taken to be as many as it was.
    this.plantsMax = Math.min((this.plants * this.logPages) / pages, 10_000);
    this.plants = 0;
    // A log that is moved as a whole is overwritten from its start.
    const before = this.logBytes;
    this.logBytes = log === checkpointed ? 0 : pages * this.pageBytes;
    if (before < this.logBytesTold && this.logBytes >= this.logBytesTold) this.tellSize();
  }

  /** Goes on after any other error: the pages stay in the log, and what hinders it is reported once a plant cannot be stored. */
  private attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (isNotSynced(error)) throw new NotSynced(this.store, error);
      return undefined;
    }
  }

  private tellSize(): void {
    this.tell(
      `the log of the store ${this.store} has ${megabytes(this.logBytes)} and grows while another process reads it without an end; ` +
        `from ${megabytes(this.logBytesMax)} on plants are refused until that has ended`,
    );
  }
}

export function pageBytesOf(database: Database): number {
  return Number(database.prepare('PRAGMA page_size').get()?.page_size);
}

/** The store must neither be written to nor closed any more. */
export class NotSynced extends Error {
  override readonly name = 'NotSynced';

  constructor(store: string, cause: unknown) {
    super(
      `the store ${store} could not be synced to its disk (${messageOf(cause)}). ` +
        'Nothing is lost: see that the disk works, then start again',
      { cause },
    );
  }
}

function isNotSynced(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_IOERR_FSYNC;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
