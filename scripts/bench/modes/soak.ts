/** Memory and creates per second of this server over a long time, at 64 connections. */
import { brief, median } from '../report/statistics';
import type { Bench } from '../run';
import { token } from '../servers/entries';
import { residentMbOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';

const SLICES_MIN = 10;
const SLICE_SECONDS_MAX = 10;

export async function soak(bench: Bench, total: number): Promise<void> {
  const { ours, generator, directory, store } = bench;
  const { ids } = bench.options;
  const server = await ServerProcess.start(ours, directory, await store.fresh(directory));
  const seconds = Math.min(SLICE_SECONDS_MAX, total / SLICES_MIN);
  const slices: { perSecond: number; residentMb: number }[] = [];
  let stored = 0;
  while (slices.length * seconds < total) {
    const order = { ports: [server.port], token, connections: 64, seconds, first: stored, ids };
    const { perSecond, p99Ms, acknowledged, wrong, firstWrong } = await generator.run(order);
    if (wrong > 0) throw new Error(`${wrong} wrong answers; the first: ${firstWrong}`);
    stored += acknowledged;
    const residentMb = residentMbOf(server.pid);
    slices.push({ perSecond, residentMb });
    const time = `${Math.round(slices.length * seconds)} of ${total} s`;
    console.log(`${time}: ${brief(perSecond)}/s, p99 ${brief(p99Ms)} ms, ${brief(residentMb)} MB, ${stored} plants`);
  }
  await server.stop();
  const fault = await store.audit(directory, stored, ids);
  if (fault !== undefined) throw new Error(fault);

  const tenth = Math.ceil(slices.length / 10);
  const middle = (from: number, key: 'perSecond' | 'residentMb'): number =>
    median(slices.slice(from, from + tenth).map((slice) => slice[key]));
  const last = slices.length - tenth;
  console.log(`\ncreates/s, last tenth to first: ${brief(middle(last, 'perSecond') / middle(0, 'perSecond'))}`);
  // During the first tenth the heap still grows to its working size.
  console.log(`memory, last tenth to second: ${brief(middle(last, 'residentMb') / middle(tenth, 'residentMb'))}`);
}
