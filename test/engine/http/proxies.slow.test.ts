/** Behind real reverse proxies with keep-alive: no request meets a connection that the server is closing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToken } from '../../../src/engine/auth/tokens';
import { describeWith } from '../../support/needs';
import { freePort } from '../../support/ports';
import { type ServiceProcess, startEngine, stopProcess } from '../../support/process';
import { type Proxy, ProxyClients, startProxy } from '../../support/proxy';
import { temporaryFolder } from '../../support/temporary-folder';

/** The proxies keep idle connections for one second: less than the server, as with the defaults of both. */
const KEEP_ALIVE_MS = '3000';
const CREATED = '200 {"name":"Ficus"}';

const { token, line } = makeToken('proxy');
const tokens = join(temporaryFolder(), 'tokens');
writeFileSync(tokens, `${line}\n`, { mode: 0o600 });

const start = (port: number): Promise<ServiceProcess> =>
  startEngine({ PORT: String(port), AUTH_TOKENS_FILE: tokens, KEEP_ALIVE_MS });

for (const name of ['nginx', 'haproxy'] as const)
  describeWith(`/usr/sbin/${name}`, `behind ${name}`, () => {
    let proxy: Proxy;
    let clients: ProxyClients;
    const startBefore = async (ports: readonly number[]): Promise<ServiceProcess[]> => {
      const services = await Promise.all(ports.map(start));
      proxy = await startProxy(name, ports);
      clients = new ProxyClients(`http://127.0.0.1:${proxy.port}`, token);
      return services;
    };
    afterEach(async () => {
      clients?.close();
      await proxy?.stop();
    });

    it('every request is answered after just as long as the proxy keeps idle connections', async () => {
      const [service] = await startBefore([await freePort()]);
      for (const gapMs of [0, 900, 960, 980, 990, 1_000, 1_010, 1_020, 1_040, 1_100]) {
        await sleep(gapMs);
        await Promise.all(Array.from({ length: 100 }, () => clients.create()));
      }
      expect(clients.answers.filter((answer) => answer !== CREATED)).toEqual([]);
      expect(clients.answers).toHaveLength(1_000);
      if (service) expect(await stopProcess(service)).toMatchObject({ stderr: '' });
    });

    it('every request is answered while one of two servers at a time is stopped and started', async () => {
      const ports = [await freePort(), await freePort()];
      const services = await startBefore(ports);
      await clients.createDuring(16, async (more) => {
        for (const [index, port] of ports.entries()) {
          await more(500);
          services[index]?.kill('SIGTERM');
          await more(200);
          expect(await services[index]?.exited).toMatchObject({ code: 0, stderr: '' });
          services[index] = await start(port);
          await sleep(2_000); // both proxies find out within a second that it is back
        }
        await more(500);
      });
      expect(clients.answers.filter((answer) => answer !== CREATED)).toEqual([]);
      for (const service of services) expect(await stopProcess(service)).toMatchObject({ stderr: '' });
    });
  });
