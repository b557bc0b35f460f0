/** CPU time and memory of a process, from /proc; NaN where there is none (on other systems than Linux). */
import { readFileSync } from 'node:fs';

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads since the start; optionally also of children that have ended. */
export function cpuSecondsOf(pid: number, { withEnded = false } = {}): number {
  // Fields 14 to 17 are utime, stime, cutime and cstime; field 2, the name in parentheses, may contain spaces.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticks = fields.slice(11, withEnded ? 15 : 13).map(Number);
  return ticks.length > 0 ? ticks.reduce((sum, each) => sum + each) / TICKS_PER_SECOND : NaN;
}

/** Resident memory in MB. */
export function residentMbOf(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
