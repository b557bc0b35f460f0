/** The number of connections that the process can hold open, and of what else takes a file descriptor. */
import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

/** The largest number of connections. */
const CONNECTIONS_MAX = 10_000;
/** The heap for each of them: an idle one takes up to 0.1 MB, and what Node reads of one at a time, parsed, as much again. */
const CONNECTION_HEAP_BYTES = 250_000;
/** The heap that is left for all else. */
const OTHER_HEAP_BYTES = 64 * 2 ** 20;
/** The most temporary files that are open at once for the files of forms. */
export const TEMPORARY_FILES_MAX = 64;
/** The most connections to `ADMIN_PORT`. */
export const ADMIN_CONNECTIONS_MAX = 50;
/** File descriptors that are left for those, the store, watched files, and all else that the process opens. */
const OTHER_DESCRIPTORS = 100 + TEMPORARY_FILES_MAX + ADMIN_CONNECTIONS_MAX;

/**
 * As many as there is heap for, which is half of a container's memory, and file descriptors, less those for other purposes: beyond them the
 * system refuses connections, and any other file that has to be opened, and Node does not report it.
 */
export function connectionsMax(): number {
  const descriptors = descriptorsMax();
  return Math.min(
    CONNECTIONS_MAX,
    Math.floor((getHeapStatistics().heap_size_limit - OTHER_HEAP_BYTES) / CONNECTION_HEAP_BYTES),
    Math.max(descriptors - OTHER_DESCRIPTORS, Math.floor(descriptors / 2)),
  );
}

function descriptorsMax(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(?<soft>\d+)/m.exec(limits)?.groups?.soft ?? Infinity);
  } catch {
    return Infinity; // not Linux
  }
}
