/** CPU time of this server from its start to its first answer. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, Exchange, idOf } from '../load/exchange';
import { describe, spreadOf } from '../report/statistics';
import type { Bench } from '../bench';
import { token } from '../servers/entries';
import { cpuSecondsOf } from '../servers/process-usage';
import { ServerProcess } from '../servers/server-process';

const STARTS = 5;

export async function measureStart({ ours, directory, store, options: { ids } }: Bench): Promise<void> {
  const seconds: number[] = [];
  for (let start = 1; start <= STARTS; start++) {
    const folder = join(directory, `start-${start}`);
    mkdirSync(folder);
    const server = await ServerProcess.start(ours, folder, await store.fresh(folder));
    const response = await fetch(`http://127.0.0.1:${server.port}/plants`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id: idOf(0, ids), ...contentOf(0) }),
    });
    const fault = new Exchange(token, ids).fault(0, String(response.status), await response.text());
    seconds.push(cpuSecondsOf(server.pid));
    await server.stop();
    if (fault !== undefined) throw new Error(fault);
  }
  console.log(`CPU seconds from the start to the first answer, ${STARTS} starts: ${describe(spreadOf(seconds))}`);
}
