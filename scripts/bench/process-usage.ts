/** CPU time and memory of a process, from /proc; NaN if there is none (on other systems than Linux). */
import { readFileSync } from 'node:fs';

/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** User and system time since the start: of all threads, and of children that have ended. */
export function cpuSecondsOf(pid: number | string): number {
  // Fields 14 to 17 are utime, stime, cutime and cstime; field 2, the name in parentheses, may contain spaces.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = fields.slice(11, 15).map(Number);
  return (user + system + endedUser + endedSystem) / TICKS_PER_SECOND;
}

/** Resident memory in MB. */
export function residentMbOf(pid: number): number {
  return statusOf(pid, 'VmRSS') / 1024;
}

export function parentOf(pid: string): number {
  return statusOf(pid, 'PPid');
}

function statusOf(pid: number | string, field: string): number {
  return Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1]);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
