/**
 * The log of SQLite (-wal) beside its index (-shm), which every process shares that has the file open
 * (https://www.sqlite.org/walformat.html). The index says how many frames the log has: 0 once all of it is in the file, after which it
 * may be emptied, as `PRAGMA wal_checkpoint(TRUNCATE)` does. A log that was emptied or cut behind SQLite's back lacks what the
 * index says; SQLite writes on behind the hole, and the next start reads nothing from there on.
 */
import { readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

export class Log {
  /** As words in the order of bytes of this machine, in which SQLite writes the index. */
  private readonly header = new Uint32Array(HEADER_BYTES / 4);
  private readonly index = new Uint32Array(12);
  /** The last frame that was seen, and what it is compared with. */
  private readonly seen: Buffer;
  private readonly found: Buffer;
  private seenFrames = 0;
  private seenSalts: readonly unknown[] = [];

  /** On descriptors of the two files, which are left open. */
  constructor(
    private readonly logDescriptor: number,
    private readonly indexDescriptor: number,
    pageBytes: number,
  ) {
    this.seen = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
    this.found = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  }

  /**
   * Whether the log has what its index says: its header, the last frame that was there when it was last looked at, and the one that is
   * the last now. Other processes write at the same time: only what is false while none of them can is a fault.
   */
  isWhole(): boolean {
    readSync(this.indexDescriptor, this.index, { position: 0 });
    const { 4: frames = 0, 8: salt, 9: otherSalt } = this.index;
    if (frames === 0) return true;
    // Both salts change whenever the log is begun anew.
    if (readSync(this.logDescriptor, this.header, { position: 0 }) < HEADER_BYTES) return false;
    if (this.header[4] !== salt || this.header[5] !== otherSalt) return false;
    if (this.seenSalts[0] === salt && this.seenSalts[1] === otherSalt) {
      if (!this.read(this.seenFrames, this.found) || !this.found.equals(this.seen)) return false;
      if (this.seenFrames === frames) return true;
    }
    this.seenFrames = frames;
    this.seenSalts = [salt, otherSalt];
    return this.read(frames, this.seen);
  }

  /** Reads a frame, counted from 1; whether all of it is there. */
  private read(frame: number, into: Buffer): boolean {
    const position = HEADER_BYTES + (frame - 1) * into.length;
    return readSync(this.logDescriptor, into, { position }) === into.length;
  }
}
