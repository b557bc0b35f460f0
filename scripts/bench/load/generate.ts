/**
 * Generates load: keeps every connection busy until the time is over, then waits for the answers in flight, so that it is
 * known which plants were acknowledged.
 */
import { createHistogram } from 'node:perf_hooks';
import { Connection } from './connection';
import { Exchange } from './exchange';
import type { Order, Outcome } from './protocol';

/** How long the last answers may take. */
const DRAIN_MS = 10_000;

export async function generate({ ports, token, connections, seconds, first, ids }: Order): Promise<Outcome> {
  const exchange = new Exchange(token, ids);
  const latencyUs = createHistogram();
  let [sent, acknowledged, inTime, wrong, open] = [0, 0, 0, 0, connections];
  let firstWrong: string | undefined;
  let deadline = 0;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));

  const note = (reason: string): void => {
    wrong++;
    firstWrong ??= reason;
  };

  const makeConnection = (_each: unknown, number: number): Connection => {
    let [index, sentAt] = [0, 0];
    return new Connection(ports[number % ports.length] ?? 0, {
      next: () => {
        sentAt = performance.now();
        if (sentAt >= deadline) return undefined;
        index = first + sent++;
        return exchange.request(index);
      },
      answered: (status, body) => {
        const now = performance.now();
        const fault = exchange.fault(index, status, body);
        if (fault !== undefined) return note(fault);
        acknowledged++;
        if (now > deadline) return;
        inTime++;
        latencyUs.record(Math.max(1, Math.round((now - sentAt) * 1000)));
      },
      ended: (reason) => {
        if (reason !== undefined) note(reason);
        if (--open === 0) finish();
      },
    });
  };

  const all = Array.from({ length: connections }, makeConnection);
  await Promise.all(all.map((connection) => connection.connected));

  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  deadline = start + seconds * 1000;
  const timeout = setTimeout(() => all.forEach((connection) => connection.end('no answer')), seconds * 1000 + DRAIN_MS);
  for (const connection of all) connection.send();
  await finished;
  clearTimeout(timeout);

  const cpu = process.cpuUsage(cpuBefore);
  return {
    acknowledged,
    perSecond: inTime / seconds,
    p50Ms: latencyUs.percentile(50) / 1000,
    p99Ms: latencyUs.percentile(99) / 1000,
    wrong,
    ...(firstWrong !== undefined && { firstWrong }),
    generatorShare: (cpu.user + cpu.system) / 1000 / (performance.now() - start),
  };
}
