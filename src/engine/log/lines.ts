/**
 * Lines for stdout and stderr, written so that nobody ever waits for whoever reads them. A disk may be full, a pipe may have
 * a reader that has stopped: lines are then kept up to a limit, dropped beyond it and counted, and the process serves
 * and ends as it would.
 *
 * Node's own streams and pino's destinations do not give that: a write to a full pipe blocks one of libuv's threads, for
 * which `process.exit` waits, and after an error they retry for ever in `flushSync`, or close the stream for good.
 */
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** How many characters are kept for a reader that is slow or a disk that is full. */
const KEPT_MAX = 1024 * 1024;
/** After how long a write that has failed is tried again. */
const RETRY_MS = 500;

/** Where lines go. */
export interface Output {
  descriptor: number;
  /** The stream that Node has for the descriptor; used for pipes and sockets only. */
  stream: () => Writable;
}

export const standardOutput: Output = { descriptor: 1, stream: () => process.stdout };
export const standardError: Output = { descriptor: 2, stream: () => process.stderr };

type Written = (error: Error | null | undefined, bytes: number) => void;

export class Lines {
  private readonly descriptor: number;
  private readonly send: (bytes: Buffer, written: Written) => void;
  /** What waits until the write under way has ended. */
  private kept = '';
  private writing = false;
  private lost = 0;
  /** How many lines were dropped since the start. */
  lostTotal = 0;
  private idle: (() => void) | undefined;

  /** `tellLost` is called with a number of lines once there is room for a line that says so. */
  constructor(
    { descriptor, stream }: Output,
    private readonly tellLost: (lines: number) => void = () => undefined,
    private readonly keptMax = KEPT_MAX,
  ) {
    const kind = fstatSync(descriptor);
    const byStream = kind.isFIFO() || kind.isSocket();
    this.descriptor = byStream ? descriptor : nonBlocking(descriptor);
    this.send = byStream ? streamWriter(stream()) : (bytes, written) => write(this.descriptor, bytes, written);
    process.once('exit', () => this.writeRest());
  }

  /** A line, or more, each with its end. */
  write(lines: string): void {
    if (this.kept.length + lines.length > this.keptMax) {
      this.lost++;
      this.lostTotal++;
      return;
    }
    this.kept += lines;
    if (!this.writing) this.next();
  }

  /** Resolves when all is written, or `withinMs` are over. */
  async flush(withinMs: number): Promise<void> {
    if (!this.writing) return;
    await new Promise<void>((resolve) => {
      const timeout = setTimeout(resolve, withinMs);
      this.idle = () => {
        clearTimeout(timeout);
        resolve();
      };
    });
  }

  private next(): void {
    this.writing = this.kept !== '';
    if (!this.writing) {
      this.idle?.();
      return;
    }
    const bytes = Buffer.from(this.kept);
    this.kept = '';
    if (this.lost > 0) {
      const { lost } = this;
      this.lost = 0;
      this.tellLost(lost);
    }
    this.sendAll(bytes);
  }

  private sendAll(bytes: Buffer): void {
    this.send(bytes, (error, written) => {
      const rest = error ? bytes : bytes.subarray(written);
      if (rest.length === 0) this.next();
      else if (error) setTimeout(() => this.sendAll(rest), RETRY_MS).unref();
      else this.sendAll(rest);
    });
  }

  /** As much as can be written at once, when the process ends for whatever reason. */
  private writeRest(): void {
    try {
      if (this.kept !== '') writeSync(this.descriptor, this.kept);
    } catch {
      // Then there is nobody to tell.
    }
  }
}

/** Pipes and sockets: libuv's streams do not block on them, and the descriptor does not either from then on. */
function streamWriter(stream: Writable): (bytes: Buffer, written: Written) => void {
  stream.on('error', () => undefined); // it is told to each write
  return (bytes, written) => stream.write(bytes, (error) => written(error, bytes.length));
}

/** Files do not block. A terminal that is stopped (Ctrl-S) does, unless it is opened anew so that it does not. */
function nonBlocking(descriptor: number): number {
  if (!isatty(descriptor)) return descriptor;
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
