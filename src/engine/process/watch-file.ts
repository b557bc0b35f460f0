/** Watches files that are read again without a restart: accepted tokens, certificates. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface Watch {
  /** Calls `changed` after the next poll, even if the file has not changed. */
  again: () => void;
  close: () => void;
}

/**
 * The interval of polls, which revoke a token within a second. Unlike `fs.watch`, polls notice a file that is replaced by a rename or
 * through a symbolic link in its path, as Kubernetes does, and work on network file systems.
 */
const POLL_MS = 250;

/**
 * Calls `changed` when the file has changed and then stayed the same from one poll to the next, so that a file that is first emptied and
 * then written is not read in between. There is at most one call for each poll.
 */
export function watchFile(file: string, changed: () => void): Watch {
  let seen = stampOf(statSync(file, { bigint: true, throwIfNoEntry: false }));
  let reported: string | undefined = seen;
  let closed = false;
  let isLooking = false;
  const look = async (): Promise<void> => {
    // Another look at a file system that does not answer would take one more of the few threads, which DNS and signatures need.
    if (isLooking) return;
    isLooking = true;
    const now = stampOf(await stat(file, { bigint: true }).catch(() => undefined));
    isLooking = false;
    const isSettled = now === seen;
    seen = now;
    if (closed || !isSettled || now === reported) return;
    reported = now;
    changed();
  };
  const timer = setInterval(() => void look(), POLL_MS).unref();
  return {
    again: () => (reported = undefined),
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

/** The size limit of a file that is read again: some 50,000 tokens, which are read in half a second. */
const MEBIBYTES_MAX = 4;

/** Reads a file; throws if it cannot be read, is too large, or is a pipe or a device, which could block the process or be endless. */
export function readRegularFile(file: string): Buffer {
  // With O_NONBLOCK, which Windows does not have, opening a pipe does not wait for its writer.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error(`${file}, which is not a regular file`);
    if (stats.size > MEBIBYTES_MAX * 2 ** 20) throw new Error(`${file}, which is larger than ${MEBIBYTES_MAX} MiB`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const PASSING: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EAGAIN', 'ESTALE'];

/**
 * True for an error whose cause is that the system could not read a file just now: the file itself may be sound, and will not change
 * before the next attempt.
 */
export function isPassing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && PASSING.includes(cause.code);
}

/** A text that differs between two versions of a file, made from its `stat`; the same for every missing file. */
export function stampOf(stats: Record<'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint> | undefined): string {
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : 'missing';
}
