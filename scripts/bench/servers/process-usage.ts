/** CPU time and memory of a process, from /proc; NaN where there is none (on other systems than Linux). */
import { readFileSync } from 'node:fs';

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** User and system time of all threads since the start. */
export function cpuSecondsOf(pid: number): number {
  // Fields 14 and 15 are utime and stime; field 2, the name in parentheses, may contain spaces.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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
