/**
 * Moves what is committed from SQLite's write-ahead log into its file, a part after every few hundred plants, and lets the
 * disk take it in beside the commits. SQLite's own checkpoint moves and syncs at once, and a commit waits for both: with
 * millions of plants in the file for a thousand writes all over the disk. Whether a plant is safe is not decided here: it
 * is in the log, and SQLite syncs the file itself before it begins the log anew (https://www.sqlite.org/wal.html).
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { type Database, openDatabase, type Statement } from './driver';

export interface CheckpointOptions {
  /** How many plants are committed before a part is moved. */
  partPlants?: number;
  /** How many pages are moved before the file is synced and the log begun anew; until then each commit makes it longer. */
  logPages?: number;
}

export class Checkpoints {
  private readonly partPlants: number;
  private readonly logPages: number;
  private readonly checkpoint: Statement;
  private readonly reader: Database;
  private readonly look: Statement;
  private readonly descriptor: number;
  /** How many plants have come since the last part. */
  private plants = 0;
  private syncing = false;
  private closed = false;

  /** For the one connection that writes to the file at this path. */
  constructor(writer: Database, path: string, { partPlants = 500, logPages = 4_000 }: CheckpointOptions = {}) {
    this.partPlants = partPlants;
    this.logPages = logPages;
    writer.exec('PRAGMA wal_autocheckpoint = 0');
    this.checkpoint = writer.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    this.reader = openDatabase(path);
    this.look = this.reader.prepare('SELECT id FROM plants LIMIT 1');
    this.descriptor = openSync(path, 'r+');
  }

  /** Runs a transaction that adds so many plants; where a part is due, moves what was in the log before it. */
  around<T>(plants: number, transaction: () => T): T {
    this.plants += plants;
    if (this.syncing || this.plants < this.partPlants) return transaction();
    this.plants = 0;
    // What a reader still sees as it was keeps SQLite from moving all, and where it does not move all it does not sync.
    attempt(() => this.lookAtThisState());
    try {
      const result = transaction();
      attempt(() => this.movePart());
      return result;
    } finally {
      if (this.reader.isTransaction) this.reader.exec('COMMIT');
    }
  }

  /** After the connection that writes: whoever closes a file gives up all locks that the process has on it. */
  close(): void {
    this.closed = true;
    this.reader.close();
    closeSync(this.descriptor);
  }

  private lookAtThisState(): void {
    this.reader.exec('BEGIN');
    this.look.get();
  }

  private movePart(): void {
    const moved = Number(this.checkpoint.get()?.checkpointed);
    if (moved >= this.logPages) this.finish();
  }

  /** Syncs what has been moved while commits go on; then SQLite moves and syncs the rest, which is little. */
  private finish(): void {
    this.syncing = true;
    fdatasync(this.descriptor, (error) => {
      this.syncing = false;
      if (this.closed) return;
      if (error) throw new NotSynced(error);
      attempt(() => this.checkpoint.get());
    });
  }
}

/**
 * Ends the process, as PostgreSQL does (https://wiki.postgresql.org/wiki/Fsync_Errors): what a disk has not taken the system
 * drops, and another sync would succeed without it. The log still has it all, and is read by the next start.
 */
class NotSynced extends Error {
  override readonly name = 'NotSynced';

  constructor(cause: Error) {
    super('the store could not be synced to its disk. Nothing is lost: see that the disk works, then start again', {
      cause,
    });
  }
}

/** Goes on where a part cannot be moved: it stays in the log, and what hinders it is reported once a plant cannot be stored. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The next part is another attempt.
  }
}
