/** `scripts/deploy/nginx.conf` in front of two instances on one store, of which one at a time is killed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeToken } from '../../src/engine/auth/tokens';
import { makeCertificate } from '../support/certificate';
import { describeWith } from '../support/needs';
import { freePort } from '../support/ports';
import { type ServiceProcess, startProcess } from '../support/process';
import { type Proxy, ProxyClients, startProxy } from '../support/proxy';
import { rowsOf } from './support/store';
import { temporaryFolder } from '../support/temporary-folder';
import { table } from '../support/table';

const deployed = readFileSync(join(__dirname, '..', '..', 'scripts', 'deploy', 'nginx.conf'), 'utf8');
const { token, line } = makeToken('proxy');

describeWith('/usr/sbin/nginx', 'nginx in front of two instances', () => {
  const folder = temporaryFolder();
  let ports: number[];
  let nginx: Proxy;
  let clients: ProxyClients;
  beforeAll(async () => {
    writeFileSync(join(folder, 'tokens'), `${line}\n`, { mode: 0o600 });
    makeCertificate(join(folder, 'key.pem'), join(folder, 'cert.pem'));
    ports = [await freePort(), await freePort()];
    nginx = await startProxy('nginx', ports, configuration);
    clients = new ProxyClients(`https://127.0.0.1:${nginx.port}`, token);
  });
  afterAll(async () => {
    clients.close();
    await nginx.stop();
  });

  /** The file as it is deployed, at the ports and with the certificate of this test. */
  function configuration(port: number, servers: readonly number[], own: string): string {
    const server = [
      ['443', String(port)],
      ...servers.map((each, index) => [`127.0.0.1:${3000 + index}`, `127.0.0.1:${each}`]),
    ];
    const deployedHere = server.reduce((before, [from = '', to = '']) => before.replace(from, to), deployed);
    return `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${own}/pid; error_log stderr crit;
      events { worker_connections 1024; }
      http { access_log off; client_body_temp_path ${own}/body; proxy_temp_path ${own}/proxy;
        ${deployedHere.replaceAll('/etc/plants/', `${folder}/`)} }`;
  }

  it.each(table`
    no HTTP | ${'GARBAGE\r\n\r\n'} | 400 {"error":40003,"message":"malformed request"}
    no Host | ${'GET / HTTP/1.1\r\n\r\n'} | 400 {"error":40003,"message":"malformed request"}
    too large a body | ${'POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n'}
      | 413 {"error":41301,"message":"expected a smaller body"}
    another version | ${'GET / HTTP/3.0\r\nHost: a\r\n\r\n'}
      | 505 {"error":50501,"message":"expected HTTP/1.1 or HTTP/1.0"}
    another transfer coding | ${'POST /plants HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'}
      | 400 {"error":40003,"message":"malformed request"}
  `)('is answered by nginx itself with an Error: %s', async (_what, request, answer) => {
    const socket = connect({ port: nginx.port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.end(request);
    const [, status = '', body = ''] = /^HTTP\/1\.1 (\d+)[^]*\r\n\r\n([^]*)$/.exec(await text(socket)) ?? [];
    expect(`${status} ${body}`).toBe(answer);
  });

  const start = (port: number | undefined): Promise<ServiceProcess> =>
    startProcess({
      PORT: String(port),
      DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
      AUTH_TOKENS_FILE: join(folder, 'tokens'),
    });

  it('answers every create with 200 while one of them at a time is killed, and with an Error once both are', async () => {
    const instances = await Promise.all(ports.map(start));
    await clients.createDuring(8, async (more) => {
      for (const [index, port] of ports.entries()) {
        await more(50);
        instances[index]?.kill('SIGKILL');
        await more(50);
        await instances[index]?.exited;
        instances[index] = await start(port);
        await sleep(2_000); // nginx asks one that was gone after a second (fail_timeout)
      }
    });
    expect(clients.answers.filter((answer) => answer !== '200 {"name":"Ficus"}')).toEqual([]);
    expect(rowsOf(join(folder, 'plants.db'))).toHaveLength(clients.answers.length);
    expect(clients.answers.length).toBeGreaterThan(100);

    for (const instance of instances) instance.kill('SIGKILL');
    await Promise.all(instances.map(({ exited }) => exited));
    expect(await clients.create()).toBe('503 {"error":50301,"message":"the service does not answer"}');
  });
});
