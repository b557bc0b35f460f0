/** How many connections the process can hold open. */
import { readFileSync } from 'node:fs';

/** An idle connection takes up to 0.1 MB. */
const CONNECTIONS_MAX = 10_000;
/** For the store, the files that are read again, and whatever else the process opens. */
const OTHER_DESCRIPTORS = 100;

/**
 * As many as there are file descriptors for, less those for other things: beyond them the system refuses connections, and everything else that
 * has to be opened, and Node says nothing of it.
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
