/**
 * Writes lines to stdout and stderr without ever blocking. If the disk is full, or the reader of a pipe has stopped, lines are buffered up
 * to a limit; those beyond it are dropped and counted, and the process serves and ends as usual.
 *
 * Node's own streams and pino's destinations would block: a write to a full pipe blocks a thread of libuv, for which `process.exit` waits,
 * and after an error they retry without end in `flushSync`, or close the stream for good.
 */
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** The size of the buffer, in characters. */
const KEPT_MAX = 1024 * 1024;
/** The delay before a failed write is repeated. */
const RETRY_MS = 500;

/** The target of lines. */
export interface Output {
  descriptor: number;
  /** Node's stream of the descriptor; used for pipes and sockets only. */
  stream: () => Writable;
}

export const standardOutput: Output = { descriptor: 1, stream: () => process.stdout };
export const standardError: Output = { descriptor: 2, stream: () => process.stderr };

type Written = (error: Error | null | undefined, bytes: number) => void;

export class Lines {
  private readonly descriptor: number;
  private readonly send: (bytes: Buffer, written: Written) => void;
  /** The buffered lines, written once the current write has ended. */
  private kept = '';
  private writing = false;
  private lost = 0;
  /** The number of lines that were dropped since startup. */
  lostTotal = 0;
  private idle: (() => void) | undefined;

  /** `reportLost` is called with the number of dropped lines once the buffer has room for a line about them. */
  constructor(
    { descriptor, stream }: Output,
    private readonly reportLost: (lines: number) => void = () => undefined,
    private readonly keptMax = KEPT_MAX,
  ) {
    const kind = fstatSync(descriptor);
    const byStream = kind.isFIFO() || kind.isSocket();
    this.descriptor = byStream ? descriptor : nonBlocking(descriptor);
    this.send = byStream ? streamWriter(stream()) : (bytes, written) => write(this.descriptor, bytes, written);
    process.once('exit', () => this.writeRest());
  }

  /** Writes one line or more, each with its line end. */
  write(lines: string): void {
    if (this.kept.length + lines.length > this.keptMax) {
      this.lost++;
      this.lostTotal++;
      return;
    }
    this.kept += lines;
    if (!this.writing) this.next();
  }

  /** Resolves when all lines are written, or `withinMs` have passed. */
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
      this.reportLost(lost);
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

  /** Writes as much of the buffer as possible, synchronously, when the process ends. */
  private writeRest(): void {
    try {
      if (this.kept !== '') writeSync(this.descriptor, this.kept);
    } catch {
      // Nothing is left to report it to.
    }
  }
}

/** Writes to pipes and sockets by libuv's streams, which do not block on them. */
function streamWriter(stream: Writable): (bytes: Buffer, written: Written) => void {
  stream.on('error', () => undefined); // each write gets the error too
  return (bytes, written) => stream.write(bytes, (error) => written(error, bytes.length));
}

/** A non-blocking descriptor for a file or a terminal: a terminal blocks while it is stopped (Ctrl-S), unless it is opened again. */
function nonBlocking(descriptor: number): number {
  if (!isatty(descriptor)) return descriptor;
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
