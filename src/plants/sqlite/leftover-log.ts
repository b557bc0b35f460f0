/**
 * Refuses a write-ahead log that lies beside a database file to which it does not belong, before SQLite sees the two.
 *
 * SQLite applies any complete log that it finds beside a file: the log's salts and checksums say that its frames belong to
 * each other, and nothing says to which file. A backup that is restored beside the log of what was there before is ruined.
 * So the file gets a random mark, `application_id`, which is on its first page, and a new one at the end of each log
 * (checkpoints.ts). Each log begins with a copy of the first page, so that the mark of the file is in it: the one from
 * before the log, or the one that the log has moved there. A file with another mark is of another time, or another store.
 *
 * Nothing is refused where a process was killed: SQLite replays up to the last commit whose checksums are right, and only
 * those frames are looked at. A log without a copy of the first page (written by another program) is not refused.
 * The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { randomInt } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Database } from './driver';

/** Gives a file that has no log yet its first mark, in the file itself. Two processes may do this at the same time. */
export function markNewFile(database: Database): void {
  database.exec('BEGIN EXCLUSIVE');
  if (database.prepare('PRAGMA journal_mode').get()?.journal_mode !== 'wal') setMark(database, randomMark());
  database.exec('COMMIT');
}

/**
 * Ends a log: `checkpoint` is to move all of it into the file. The file then has a new mark. The old one is written first, so
 * that this log has it even where it was begun without one; the new one is written again to have it at the beginning of
 * the next log. SQLite writes a page that is set to what it was.
 */
export function endLog(database: Database, checkpoint: () => void): void {
  setMark(database, Number(database.prepare('PRAGMA application_id').get()?.application_id));
  const next = randomMark();
  setMark(database, next);
  checkpoint();
  setMark(database, next);
}

function setMark(database: Database, value: number): void {
  database.exec(`PRAGMA application_id = ${value}`);
}

function randomMark(): number {
  return randomInt(1, 2 ** 31);
}

/** A database file of which nobody knows whether the log beside it belongs to it. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

/** Throws a ForeignLog if the log beside the file at `path`, which is open as `descriptor`, is of another file. */
export function refuseForeignLog(descriptor: number, path: string): void {
  const log = openIfThere(`${path}-wal`);
  if (log === undefined) return;
  try {
    // Where another process serves the same file, both may change between two looks. It has passed this check itself.
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = heads(descriptor, log);
      if (belongs(descriptor, log)) return;
      if (before === heads(descriptor, log))
        throw new ForeignLog('its log, the -wal file beside it, is of another file');
    }
  } finally {
    closeSync(log); // SQLite holds no locks on this one
  }
}

const ATTEMPTS = 20;
const FILE_HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined; // and if it is there, SQLite says why it cannot be read
  }
}

function heads(file: number, log: number): string {
  return read(file, 0, FILE_HEADER_BYTES).toString('hex') + read(log, 0, LOG_HEADER_BYTES).toString('hex');
}

function belongs(descriptor: number, log: number): boolean {
  const file = read(descriptor, 0, FILE_HEADER_BYTES);
  const hasLog = file.length === FILE_HEADER_BYTES && file[18] === 2;
  let [frames, firstPages] = [0, 0];
  for (const firstPage of committedFrames(log)) {
    frames++;
    if (!firstPage) continue;
    firstPages++;
    if (hasLog && mark(firstPage) === mark(file)) return true;
  }
  return frames === 0 || (hasLog && firstPages === 0);
}

/** `application_id` in the header of a database. */
function mark(firstPage: Buffer): number {
  return firstPage.readUInt32BE(68);
}

/** The frames that SQLite would replay, in their order: the page for the first page of the file, null for others. */
function* committedFrames(log: number): Generator<Buffer | null> {
  const header = read(log, 0, LOG_HEADER_BYTES);
  if (header.length < LOG_HEADER_BYTES || (header.readUInt32BE(0) & ~1) !== 0x377f0682) return;
  const read32 = (header.readUInt32BE(0) & 1) === 1 ? 'readUInt32BE' : 'readUInt32LE';
  const pageBytes = header.readUInt32BE(8);
  const salts = header.subarray(16, 24);
  let sums = checksum(header.subarray(0, 24), [0, 0], read32);
  if (!matches(header.subarray(24), sums)) return;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  let uncommitted: (Buffer | null)[] = [];
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= fstatSync(log).size; at += frameBytes) {
    const frame = read(log, at, frameBytes);
    sums = checksum(frame.subarray(0, 8), sums, read32);
    sums = checksum(frame.subarray(FRAME_HEADER_BYTES), sums, read32);
    if (frame.length < frameBytes || !salts.equals(frame.subarray(8, 16)) || !matches(frame.subarray(16), sums)) return;
    uncommitted.push(frame.readUInt32BE(0) === 1 ? frame.subarray(FRAME_HEADER_BYTES) : null);
    if (frame.readUInt32BE(4) === 0) continue; // the last frame of a commit has the size of the file there
    yield* uncommitted;
    uncommitted = [];
  }
}

type Sums = readonly [number, number];

/** SQLite's checksum, over words in the byte order that the log's first bytes name. */
function checksum(bytes: Buffer, [first, second]: Sums, read32: 'readUInt32BE' | 'readUInt32LE'): Sums {
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + bytes[read32](at) + second) >>> 0;
    second = (second + bytes[read32](at + 4) + first) >>> 0;
  }
  return [first, second];
}

function matches(stored: Buffer, [first, second]: Sums): boolean {
  return stored.readUInt32BE(0) === first && stored.readUInt32BE(4) === second;
}

function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}
