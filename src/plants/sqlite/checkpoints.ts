/**
 * Moves what is committed from SQLite's write-ahead log into its file, a part after every few hundred plants, and syncs the
 * file beside the commits. SQLite's own automatic checkpoint moves and syncs at once, and a commit waits for both: with
 * millions of plants in the file for a thousand writes all over the disk. Durability does not depend on this: what is
 * committed is in the log, and SQLite syncs the file itself before it begins the log anew (https://www.sqlite.org/wal.html).
 *
 * A process that reads for long keeps SQLite from beginning the log anew. It then grows; from `logBytesMax` on plants are
 * refused until the reader has ended.
 */
import { fdatasync } from 'node:fs';
import { type Database, openDatabase, type Statement } from './driver';
import { endLog } from './leftover-log';
import type { StoreFile } from './file';
import type { Tell } from './open';

export interface CheckpointOptions {
  /** How many plants are committed before a part is moved. */
  partPlants?: number;
  /** How many pages are moved before the file is synced and the log begun anew; until then each commit makes it longer. */
  logPages?: number;
  /** How large the log may become while another process reads. */
  logBytesMax?: number;
}

export interface CheckpointEvents {
  /** The file could not be synced: the store must neither be written to nor closed any more. */
  broken: (error: Error) => void;
  tell: Tell;
}

export class Checkpoints {
  private readonly partPlants: number;
  private readonly logPages: number;
  private readonly logBytesMax: number;
  private readonly checkpoint: Statement;
  private readonly reader: Database;
  private readonly look: Statement;
  private readonly frameBytes: number;
  /** How many plants have come since the last part. */
  private plants = 0;
  private syncing = false;
  private closed = false;
  private logBytes = 0;
  /** At which size of the log the operator is told of it. */
  private tellAtBytes: number;

  /** For the one connection that writes to the file. */
  constructor(
    private readonly writer: Database,
    private readonly file: StoreFile,
    { partPlants = 500, logPages = 4_000, logBytesMax = 2 ** 30 }: CheckpointOptions,
    private readonly events: CheckpointEvents,
  ) {
    this.partPlants = partPlants;
    this.logPages = logPages;
    this.logBytesMax = logBytesMax;
    this.tellAtBytes = logBytesMax / 8;
    // A log that had to grow gives its room back once it begins anew.
    writer.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = ${Math.floor(logBytesMax / 8)}`);
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.frameBytes = FRAME_HEADER_BYTES + Number(writer.prepare('PRAGMA page_size').get()?.page_size);
    this.reader = openDatabase(file.path);
    this.look = this.reader.prepare('SELECT id FROM plants LIMIT 1');
  }

  /**
   * Runs a transaction that adds so many plants; where a part is due, moves what was in the log before it. Throws a
   * LogTooLarge before the transaction where the log has reached its bound.
   */
  around<T>(plants: number, transaction: () => T): T {
    if (this.logBytes >= this.logBytesMax) this.assertRoom();
    this.plants += plants;
    if (this.syncing || this.plants < this.partPlants) return transaction();
    this.plants = 0;
    // A checkpoint that reaches the end of the log also syncs the file. A read snapshot from before this commit stops it short of that.
    attempt(() => this.lookAtThisState());
    try {
      const result = transaction();
      attempt(() => this.movePart());
      return result;
    } finally {
      if (this.reader.isTransaction) this.reader.exec('COMMIT');
    }
  }

  /** Moves all that is left, and closes the connections; whoever reads at the same time keeps the log. */
  close(): void {
    this.closed = true;
    // The backport keeps a file open until the statements are garbage: without the checkpoint, plants would stay in the log.
    attempt(() => endLog(this.writer, () => this.move()));
    attempt(() => this.writer.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    this.writer.close();
    this.reader.close();
  }

  private lookAtThisState(): void {
    this.reader.exec('BEGIN');
    this.look.get();
  }

  private movePart(): void {
    const moved = this.move();
    if (moved >= this.logPages) this.finish();
  }

  /** Moves what no reader holds back; gives how many pages of this log are in the file by now. */
  private move(): number {
    const { log = 0, checkpointed = 0 } = this.checkpoint.get() ?? {};
    // A log that is checkpointed as a whole is overwritten from its start.
    this.logBytes = log === checkpointed ? 0 : Number(log) * this.frameBytes;
    if (this.logBytes < this.logBytesMax / 8) this.tellAtBytes = this.logBytesMax / 8;
    else if (this.logBytes >= this.tellAtBytes) this.tellSize();
    return Number(checkpointed);
  }

  private tellSize(): void {
    this.tellAtBytes = this.logBytes * 2;
    this.events.tell(
      `the store's log has ${megabytes(this.logBytes)} and grows while another process reads the store without an end; ` +
        `from ${megabytes(this.logBytesMax)} on plants are refused until that has ended`,
    );
  }

  private assertRoom(): void {
    this.move();
    if (this.logBytes >= this.logBytesMax) throw new LogTooLarge(this.logBytes);
    endLog(this.writer, () => this.move());
  }

  /** Syncs what has been moved while commits go on; then SQLite moves and syncs the rest, which is little. */
  private finish(): void {
    this.syncing = true;
    fdatasync(this.file.descriptor, (error) => {
      this.syncing = false;
      if (this.closed) return;
      if (error) this.events.broken(new NotSynced(error));
      else attempt(() => endLog(this.writer, () => this.move()));
    });
  }
}

const FRAME_HEADER_BYTES = 24;

/**
 * Ends the process, as PostgreSQL does (https://wiki.postgresql.org/wiki/Fsync_Errors): the system drops what a disk has not
 * taken, and another sync would succeed without it. The log still has it all, and is read by the next start.
 */
class NotSynced extends Error {
  override readonly name = 'NotSynced';

  constructor(cause: Error) {
    super('the store could not be synced to its disk. Nothing is lost: see that the disk works, then start again', {
      cause,
    });
  }
}

class LogTooLarge extends Error {
  override readonly name = 'LogTooLarge';

  constructor(bytes: number) {
    super(`the store's log has ${megabytes(bytes)}: expected the process that reads the store for long to end`);
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** Goes on where a part cannot be moved: it stays in the log, and what hinders it is reported once a plant cannot be stored. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The next part is another attempt.
  }
}
