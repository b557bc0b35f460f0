/**
 * Writes lines to stdout and stderr without ever blocking. If the disk is full, or the reader of a pipe has stopped, lines are kept
 * up to a limit, and those beyond it are dropped and counted; serving and ending the process go on as usual.
 *
 * Node's own streams and pino's destinations do not do that: a write to a full pipe blocks one of libuv's threads, for
 * which `process.exit` waits, and after an error they retry forever in `flushSync`, or close the stream for good.
 */
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** How many characters are kept while they cannot be written. */
const KEPT_MAX = 1024 * 1024;
/** How long after a failure a write is tried again. */
const RETRY_MS = 500;

/** What lines are written to. */
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
  /** What is written next, once the current write has ended. */
  private kept = '';
  private writing = false;
  private lost = 0;
  /** How many lines have been dropped since startup. */
  lostTotal = 0;
  private idle: (() => void) | undefined;

  /** `reportLost` is called with the number of dropped lines once there is room for a line that says so. */
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

  /** Writes as much as possible at once, when the process ends for whatever reason. */
  private writeRest(): void {
    try {
      if (this.kept !== '') writeSync(this.descriptor, this.kept);
    } catch {
      // There is nowhere to report it.
    }
  }
}

/** For pipes and sockets, on which libuv's streams do not block. */
function streamWriter(stream: Writable): (bytes: Buffer, written: Written) => void {
  stream.on('error', () => undefined); // each write gets it too
  return (bytes, written) => stream.write(bytes, (error) => written(error, bytes.length));
}

/** For files, which do not block, and terminals, which do while they are stopped (Ctrl-S), unless they are opened again. */
function nonBlocking(descriptor: number): number {
  if (!isatty(descriptor)) return descriptor;
  try {
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
