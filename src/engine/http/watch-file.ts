/** Tells when a file has changed, for files that are read again without a restart: accepted tokens, certificates. */
import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/**
 * Polling rather than `fs.watch`: it also sees a file that is replaced by a rename, or through a symbolic link in its path, as
 * Kubernetes does, and works on network file systems. A change is seen in time for a token to be revoked within a second.
 */
const POLL_MS = 250;

/** Calls `changed` whenever the file is another than at the call before, the first time than now; returns what ends it. */
export function watchFile(file: string, changed: () => void): () => void {
  let seen = stampOf(statSync(file, { bigint: true, throwIfNoEntry: false }));
  let closed = false;
  const look = async (): Promise<void> => {
    const now = stampOf(await stat(file, { bigint: true }).catch(() => undefined));
    if (closed || now === seen) return;
    seen = now;
    changed();
  };
  const timer = setInterval(() => void look(), POLL_MS).unref();
  return () => {
    closed = true;
    clearInterval(timer);
  };
}

/** The fields of `stat` that tell two versions of a file apart; the same text for every file that cannot be found. */
function stampOf(stats: Record<'ino' | 'size' | 'mtimeNs' | 'ctimeNs', bigint> | undefined): string {
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` : 'missing';
}
