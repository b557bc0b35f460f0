/** Files that are read again without a restart: accepted tokens, certificates. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

export interface Watch {
  /** Has the file read again at the next look, even if it has not changed. */
  again: () => void;
  close: () => void;
}

/**
 * Polling rather than `fs.watch`: it also sees a file that is replaced by a rename, or through a symbolic link in its path, as
 * Kubernetes does, and works on network file systems. A change is seen in time for a token to be revoked within a second.
 */
const POLL_MS = 250;

/**
 * Calls `changed` when the file is another than at the call before, the first time than now, and has stayed the same from one
 * look to the next: a file that is emptied and then written is not read in between. However often it changes, and `again` is
 * called, that is one call for each look at most.
 */
export function watchFile(file: string, changed: () => void): Watch {
  let seen = stampOf(statSync(file, { bigint: true, throwIfNoEntry: false }));
  let reported: string | undefined = seen;
  let closed = false;
  const look = async (): Promise<void> => {
    const now = stampOf(await stat(file, { bigint: true }).catch(() => undefined));
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

/** Reads a file at once; throws if it cannot be read, or is a pipe or a device, which could block the process or have no end. */
export function readRegularFile(file: string): Buffer {
  // Without O_NONBLOCK, which Windows does not have, opening a pipe waits for whoever writes to it.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK || 0));
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error(`${file}, which is not a regular file`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The fields of `stat` that tell two versions of a file apart; the same text for every file that cannot be found. */
function stampOf(stats: Record<'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint> | undefined): string {
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : 'missing';
}
