/**
 * The process of the load generator. It keeps every connection busy until the time is over, then waits for the answers in flight, so that
 * all acknowledged plants are known.
 */
import { createHistogram } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { type Answer, Connection } from './connection';
import { contentOf, idOf } from './plants';

/** Load to generate: the message to this process. */
export interface Order {
  /** The port of each instance: the connections are spread over them. */
  ports: number[];
  token: string;
  connections: number;
  seconds: number;
  /** The number of requests after which it ends before that time; optional. */
  requests?: number;
  /** The index of the first plant. */
  first: number;
}

/** The outcome: the message that it sends back. */
export interface Outcome {
  /** The number of right answers, including those after the end of the time. */
  acknowledged: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The number of wrong answers and lost connections; `firstWrong` is the first of them. */
  wrong: number;
  firstWrong?: string;
  /** CPU time of the generator as a share of one core; near 1, the generator was the limit. */
  generatorShare: number;
}

async function generate({ ports, token, connections, seconds, requests = Infinity, first }: Order): Promise<Outcome> {
  const latencyUs = createHistogram();
  let [sent, acknowledged, inTime, wrong] = [0, 0, 0, 0];
  let firstWrong: string | undefined;
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const deadline = start + seconds * 1000;

  const keepBusy = async (connection: Connection): Promise<void> => {
    for (let sentAt = performance.now(); sentAt < deadline && sent < requests; sentAt = performance.now()) {
      const index = first + sent++;
      check(index, await connection.exchange(requestFor(index, token)));
      acknowledged++;
      const now = performance.now();
      if (now > deadline) return;
      inTime++;
      latencyUs.record(Math.max(1, Math.round((now - sentAt) * 1000)));
    }
  };
  const work = async (_each: unknown, number: number): Promise<void> => {
    const connection = new Connection(ports[number % ports.length] ?? 0);
    try {
      await keepBusy(connection);
    } catch (error) {
      wrong++;
      firstWrong ??= String(error);
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, work));

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

/** The request that creates the plant of this index. */
function requestFor(index: number, token: string): string {
  const body = JSON.stringify({ id: idOf(index), ...contentOf(index) });
  const head = [
    'POST /plants HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Throws if this is not the answer to that request. */
function check(index: number, { status, body }: Answer): void {
  const content = contentOf(index);
  if (status === '200' && (body === JSON.stringify(content) || isDeepStrictEqual(JSON.parse(body), content))) return;
  throw new Error(`status ${status}: ${body.slice(0, 120)}`);
}

process.on('message', (order: Order) => {
  void generate(order).then((outcome) => process.send?.(outcome));
});
