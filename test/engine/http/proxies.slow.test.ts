/** Behind real reverse proxies with keep-alive: no request meets a connection that the server is closing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToken } from '../../../src/engine/auth/tokens';
import { type ServiceProcess, startEngine } from '../../support/process';
import { freePort } from '../../support/ports';
import { findProxy, type Proxy, type ProxyName, startProxy } from '../../support/proxy';

/** The proxies keep idle connections for one second: less than the server, as with the defaults of both. */
const KEEP_ALIVE_MS = '3000';
const AT_ONCE = 100;

const { token, line } = makeToken('proxy');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  writeFileSync(join(folder, 'tokens'), `${line}\n`, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (port: number): Promise<ServiceProcess> =>
  startEngine({
    PORT: String(port),
    DATABASE_URL: `sqlite:${join(folder, String(port))}`,
    AUTH_TOKENS_FILE: join(folder, 'tokens'),
    KEEP_ALIVE_MS,
  });

// HAProxy shares its connections to a server only among clients that keep theirs.
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

let id = 0;
/** Creates a plant through the proxy; resolves to the status, or to what went wrong. */
function create({ port }: Proxy): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const creation = request({ port, host: '127.0.0.1', method: 'POST', path: '/plants', headers, agent });
    creation.on('error', ({ message }) => resolve(message));
    creation.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    creation.end(`{"id":${++id},"name":"Ficus"}`);
  });
}

/** How often each answer came. */
class Tally {
  readonly counts: Record<string, number> = {};
  count = 0;

  add(answer: number | string | undefined): void {
    const key = String(answer);
    this.counts[key] = (this.counts[key] ?? 0) + 1;
    this.count++;
  }
}

describe.each<ProxyName>(['nginx', 'haproxy'])('behind %s', (name) => {
  const isMissing = findProxy(name) === undefined && process.env.CI !== 'true';
  const test = isMissing ? it.skip : it;
  const reason = isMissing ? ` (skipped: ${name} is not installed)` : '';

  test(`every request is answered after just as long as the proxy keeps idle connections${reason}`, async () => {
    const port = await freePort();
    const service = await start(port);
    const proxy = await startProxy(name, [port]);
    const tally = new Tally();
    for (const gapMs of [0, 900, 960, 980, 990, 1_000, 1_010, 1_020, 1_040, 1_100]) {
      await sleep(gapMs);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(proxy)));
      for (const answer of answers) tally.add(answer);
    }
    await proxy.stop();
    service.kill('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, stderr: '' });
    expect(tally.counts).toEqual({ 200: 10 * AT_ONCE });
  });

  test(`every request is answered while one of two servers at a time is stopped and started${reason}`, async () => {
    const ports = [await freePort(), await freePort()];
    const services = await Promise.all(ports.map(start));
    const proxy = await startProxy(name, ports);
    const tally = new Tally();
    let done = false;
    const clients = Array.from({ length: 16 }, async () => {
      while (!done) {
        tally.add(await create(proxy));
        await sleep(10);
      }
    });
    const more = async (requests: number): Promise<void> => {
      const until = tally.count + requests;
      while (tally.count < until) await sleep(20);
    };
    for (const [index, port] of ports.entries()) {
      await more(500);
      services[index]?.kill('SIGTERM');
      await more(200);
      expect(await services[index]?.exited).toMatchObject({ code: 0, stderr: '' });
      services[index] = await start(port);
      // Both proxies find out within a second that it is back.
      await sleep(2_000);
    }
    await more(500);
    done = true;
    await Promise.all(clients);
    await proxy.stop();
    for (const service of services) service.kill('SIGTERM');
    expect(tally.counts).toEqual({ 200: tally.count });
  });
});
