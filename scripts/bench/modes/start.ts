/** CPU time of this server from its start to its first answer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange } from '../load/exchange';
import { idOf, kindOf } from '../load/plants';
import { describeFigure, atMost } from '../report/figures';
import { spreadOf } from '../report/statistics';
import { writeJson } from '../report/write-result';
import { findEntry, ours, token } from '../servers/entries';
import { cpuSecondsOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';
import type { Context } from './context';

const starts = 5;

export async function measureStart({ entries, options, machine, directory }: Context): Promise<void> {
  const entry = findEntry(entries, ours);
  const cpuSeconds: number[] = [];
  for (let start = 1; start <= starts; start++) {
    const place = join(directory, `start-${start}`);
    mkdirSync(place);
    const server = await ServerProcess.start(entry, place);
    const fault = await createPlant(server.port, options.ids);
    const cpu = cpuSecondsOf(server.pid);
    await server.stop();
    if (fault) throw new Error(fault);
    cpuSeconds.push(cpu);
    console.log(`start ${start} of ${starts}: ${cpu.toFixed(2)} s of CPU`);
  }
  const figure = atMost(1, 'CPU seconds from start to first answer', spreadOf(cpuSeconds));
  console.log(`\n${describeFigure(figure)}`);
  writeJson('start.json', { machine, cpuSeconds, figure });
}

/** Creates one plant; resolves with what is wrong with the answer. */
async function createPlant(port: number, ids: Context['options']['ids']): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: idOf(0, ids), ...kindOf(0) }),
  });
  return new Exchange(token, ids).fault(0, String(response.status), await response.text());
}
