/** The number of connections that the process can hold open, and of what else takes a file descriptor. */
import { readFileSync } from 'node:fs';

/** The largest number of connections: an idle one takes up to 0.1 MB. */
const CONNECTIONS_MAX = 10_000;
/** The most temporary files that are open at once for the files of forms. */
export const TEMPORARY_FILES_MAX = 64;
/** The most connections to `ADMIN_PORT`. */
export const ADMIN_CONNECTIONS_MAX = 50;
/** File descriptors that are left for those, the store, watched files, and all else that the process opens. */
const OTHER_DESCRIPTORS = 100 + TEMPORARY_FILES_MAX + ADMIN_CONNECTIONS_MAX;

/**
 * The limit of file descriptors, less those for other purposes: beyond it the system refuses connections, and any other file that has to be
 * opened, and Node does not report it.
 */
export function connectionsMax(): number {
  const descriptors = descriptorsMax();
  return Math.min(CONNECTIONS_MAX, Math.max(descriptors - OTHER_DESCRIPTORS, Math.floor(descriptors / 2)));
}

function descriptorsMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(?<soft>\d+)/m.exec(limits)?.groups?.soft ?? Infinity);
  } catch {
    return Infinity; // not Linux
  }
}
