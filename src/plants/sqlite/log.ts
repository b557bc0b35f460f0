/**
 * Compares the log of SQLite (-wal) with its index (-shm), which all processes share that have the file open
 * (https://www.sqlite.org/walformat.html). The index has the number of frames in the log: 0 once all of them are in the file, after which
 * it may be emptied, as `PRAGMA wal_checkpoint(TRUNCATE)` does. A log that another program has emptied or truncated has fewer; SQLite
 * appends behind the hole, and the next start reads nothing from there on. The index also has the number of pages of the database, each of
 * which is in the file or in the log.
 */
import { readSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

export class Log {
  /** The header as 32-bit words in native byte order, as SQLite writes it. */
  private readonly header = new Uint32Array(HEADER_BYTES / 4);
  private readonly index = new Uint32Array(25);
  /** The last frame that was seen, and a buffer to compare it with. */
  private readonly seen: Buffer;
  private readonly found: Buffer;
  private seenFrames = 0;
  private seenSalts: readonly unknown[] = [];
  /** The number of frames that were ever seen to be written, those of other processes included. */
  written = 0;

  /** Reads by descriptors of the two files, and does not close them. */
  constructor(
    private readonly logDescriptor: number,
    private readonly indexDescriptor: number,
    pageBytes: number,
  ) {
    this.seen = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
    this.found = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  }

  /**
   * True if the log has all that its index counts: its header, the last frame of the previous check, and the last frame now. Other
   * processes may write meanwhile: false is a fault only under the write lock.
   */
  isWhole(): boolean {
    readSync(this.indexDescriptor, this.index, { position: 0 });
    const { 4: frames = 0, 8: salt, 9: otherSalt } = this.index;
    if (frames === 0) return true;
    // Both salts change whenever the log is restarted.
    if (readSync(this.logDescriptor, this.header, { position: 0 }) < HEADER_BYTES) return false;
    if (this.header[4] !== salt || this.header[5] !== otherSalt) return false;
    const isSame = this.seenSalts[0] === salt && this.seenSalts[1] === otherSalt;
    if (isSame) {
      if (!this.read(this.seenFrames, this.found) || !this.found.equals(this.seen)) return false;
      if (this.seenFrames === frames) return true;
    }
    this.written += frames - (isSame ? this.seenFrames : 0);
    this.seenFrames = frames;
    this.seenSalts = [salt, otherSalt];
    return this.read(frames, this.seen);
  }

  /**
   * True if the file has every page that the log does not have, or of which the log's frame was moved into the file. To be called under
   * the write lock; `fileBytes` is called once the index is read, as a checkpoint may go on.
   */
  isFileWhole(fileBytes: () => number): boolean {
    readSync(this.indexDescriptor, this.index, { position: 0 });
    const { 4: frames = 0, 5: pages = 0, 24: moved = 0 } = this.index;
    const inFile = Math.floor(fileBytes() / (this.seen.length - FRAME_HEADER_BYTES));
    const inLog = new Set<number>();
    const page = Buffer.alloc(4);
    for (let frame = moved + 1; frame <= frames; frame++) {
      readSync(this.logDescriptor, page, { position: HEADER_BYTES + (frame - 1) * this.seen.length });
      inLog.add(page.readUInt32BE());
    }
    for (let number = inFile + 1; number <= pages; number++) if (!inLog.has(number)) return false;
    return true;
  }

  /** Reads a frame, counted from 1; returns false if it is incomplete. */
  private read(frame: number, into: Buffer): boolean {
    const position = HEADER_BYTES + (frame - 1) * into.length;
    return readSync(this.logDescriptor, into, { position }) === into.length;
  }
}
