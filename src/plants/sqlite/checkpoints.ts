/**
 * Checkpoints: moves committed pages from SQLite's log into its file, between commits, whenever the log has some pages. SQLite's automatic
 * checkpoint does the same, but does not report a failed sync, and has no bound for the log.
 *
 * A checkpoint that reaches the end of the log syncs the file before it marks the pages as moved, so that a failed one is repeated. One
 * that a reader keeps from the end marks them without a sync (`walCheckpoint` in sqlite3.c). If the next sync fails, the kernel drops the
 * pages that the disk has not taken, and a second sync would succeed without them (https://wiki.postgresql.org/wiki/Fsync_Errors). They are
 * still in the log, and the next start reads it: so the process has to end.
 */
import { messageOf } from '../../engine';
import { StoreBroken } from '../store';
import { type Database, SQLITE_IOERR_FSYNC, type Statement } from './driver';
import type { FilesInPlace } from './file';

export interface CheckpointOptions {
  /** The number of pages in the log that starts a checkpoint. A larger number makes fewer and longer checkpoints, for which creates wait. */
  logPages?: number;
  /** The largest size of the log: it grows while another process reads, which prevents it from being restarted. */
  logBytesMax?: number;
}

export class Checkpoints {
  private readonly logPages: number;
  private readonly logBytesMax: number;
  /** The size of the log at which an operator is warned. */
  private readonly logBytesWarned: number;
  private readonly passive: Statement;
  private readonly pageBytes: number;
  /** The number of pages that were written to the log by the last checkpoint. */
  private writtenBefore = 0;
  private logBytes = 0;

  constructor(
    private readonly store: string,
    private readonly database: Database,
    { logPages = 250, logBytesMax = 2 ** 30 }: CheckpointOptions,
    private readonly warn: (text: string) => void,
    private readonly files: FilesInPlace,
  ) {
    this.logPages = logPages;
    this.logBytesMax = logBytesMax;
    this.logBytesWarned = Math.floor(logBytesMax / 8);
    // A log that has grown is truncated when it is restarted.
    database.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${this.logBytesWarned}`);
    this.passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.pageBytes = pageBytesOf(database);
  }

  /**
   * To be called before a commit: makes a checkpoint if one is due. Throws while the log has reached its bound, and if it
   * cannot be synced.
   */
  beforeCommit(): void {
    const { pagesWritten = Infinity } = this.files;
    const isDue = pagesWritten - this.writtenBefore >= this.logPages;
    if (isDue || this.logBytes >= this.logBytesMax) this.move();
    if (this.logBytes >= this.logBytesMax) {
      const size = megabytes(this.logBytes);
      throw new Error(
        `the log of the store ${this.store} has ${size}: expected the process that reads it for long to end`,
      );
    }
  }

  /** Moves the rest of the log, or warns that another process reads it. Throws if the database must not be closed. */
  beforeClose(): void {
    this.files.assert();
    const { busy = 1 } = this.attempt(() => this.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()) ?? {};
    if (Number(busy) === 0) return;
    this.warn(
      `the log of the store ${this.store} still has the latest plants, as another process uses it: a copy needs the file and its -wal`,
    );
  }

  private move(): void {
    this.files.assert();
    const { log = -1, checkpointed } = this.attempt(() => this.passive.get()) ?? {};
    const pages = Number(log);
    if (pages < 0) return; // another process makes a checkpoint
    this.writtenBefore = this.files.pagesWritten ?? 0;
    // A log that was moved completely is overwritten from its start.
    const before = this.logBytes;
    this.logBytes = log === checkpointed ? 0 : pages * this.pageBytes;
    if (before < this.logBytesWarned && this.logBytes >= this.logBytesWarned) this.warnOfSize();
  }

  /** Ignores any error but a failed sync: the pages stay in the log, and a persistent cause is reported when a plant cannot be stored. */
  private attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (isNotSynced(error)) throw new NotSynced(this.store, error);
      return undefined;
    }
  }

  private warnOfSize(): void {
    this.warn(
      `the log of the store ${this.store} has ${megabytes(this.logBytes)} and grows while another process reads it without an end; ` +
        `from ${megabytes(this.logBytesMax)} on plants are refused until that has ended`,
    );
  }
}

export function pageBytesOf(database: Database): number {
  return Number(database.prepare('PRAGMA page_size').get()?.page_size);
}

/** Thrown if a sync has failed: the store must neither be written to nor closed any more. */
export class NotSynced extends StoreBroken {
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
