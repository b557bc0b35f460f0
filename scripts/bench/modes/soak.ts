/** Memory and creates per second of this server over a long time, at 64 connections. */
import { join } from 'node:path';
import { atLeast, atMost, describeFigure, type Figure } from '../report/figures';
import { median, spreadOf } from '../report/statistics';
import { writeJson } from '../report/write-result';
import { databaseName, findEntry, ours, token } from '../servers/entries';
import { residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';
import { auditRows } from '../stores/audit-rows';
import type { Context } from './context';

const sliceSecondsMax = 10;
const slicesMin = 10;

interface Slice {
  seconds: number;
  perSecond: number;
  p99Ms: number;
  residentMb: number;
}

export async function soak(context: Context, soakSeconds: number): Promise<void> {
  const { options, machine, directory } = context;
  const server = await ServerProcess.start(findEntry(context.entries, ours), directory);
  const seconds = Math.min(sliceSecondsMax, soakSeconds / slicesMin);
  const count = Math.round(soakSeconds / seconds);
  const all: Slice[] = [];
  let first = 0;
  while (all.length < count) {
    const order = { port: server.port, token, connections: 64, seconds, first, ids: options.ids };
    const { perSecond, p99, acknowledged, wrong, firstWrong } = await context.generator.run(order);
    if (wrong > 0) throw new Error(`${wrong} wrong answers; the first: ${firstWrong}`);
    first += acknowledged;
    const slice = { seconds: seconds * (all.length + 1), perSecond, p99Ms: p99, residentMb: residentMbOf(server.pid) };
    all.push(slice);
    console.log(
      `${slice.seconds.toFixed(0)} of ${soakSeconds} s: ${Math.round(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ` +
        `${slice.residentMb.toFixed(0)} MB resident, ${first} plants stored`,
    );
  }
  await server.stop();
  const fault = auditRows(join(directory, databaseName), first, options.ids);
  if (fault) throw new Error(fault);

  const figures = figuresOf(all);
  console.log(`\n${figures.map(describeFigure).join('\n')}`);
  writeJson('soak.json', { machine, ids: options.ids, acknowledged: first, slices: all, figures });
}

function figuresOf(all: Slice[]): Figure[] {
  const tenth = Math.ceil(all.length / 10);
  const [first, second, last] = [all.slice(0, tenth), all.slice(tenth, 2 * tenth), all.slice(-tenth)];
  const speed = middle(last, 'perSecond') / middle(first, 'perSecond');
  // In the first tenth the heap still grows to its working size.
  const memory = middle(last, 'residentMb') / middle(second, 'residentMb');
  return [
    atLeast(0.8, 'creates/s in the last tenth, to the first', spreadOf([speed])),
    atMost(1.1, 'resident memory in the last tenth, to the second', spreadOf([memory])),
  ];
}

function middle(slices: Slice[], of: 'perSecond' | 'residentMb'): number {
  return median(slices.map((slice) => slice[of]));
}
