/** What a process has used, from /proc; NaN where there is none (anywhere but on Linux). */
import { readFileSync } from 'node:fs';

/** Linux counts CPU time for user space in hundredths of a second, whatever its own clock does. */
const ticksPerSecond = 100;

/** CPU time since its start, user and system, of all its threads. */
export function cpuSecondsOf(pid: number): number {
  // The second field is the name in parentheses, and may hold anything; fields 14 and 15 are utime and stime.
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
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
