/** Resources of a process, as Linux tells them; 0 elsewhere. */
import { readdirSync, readFileSync } from 'node:fs';

/** How many descriptors are open. */
export function descriptorsOf(pid: number): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

/** The memory that is resident, in units of 1,000,000 bytes: now, and at most so far. */
export function residentMbOf(pid: number): { now: number; max: number } {
  if (process.platform !== 'linux') return { now: 0, max: 0 };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024) / 1e6;
  return { now: of('VmRSS'), max: of('VmHWM') };
}

/** The seconds of processor time so far. */
export function processorSecondsOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}
