/** The admin port of a service that runs in the process of the test. */
import type { Running } from '../../../src/engine/serve';
import { serveEngine } from '../../support/engine/application';
import { freePort } from '../../support/ports';
import { RawConnection } from '../../support/raw';

let service: Running;
let admin: string;
let token: string;
beforeAll(async () => {
  const port = await freePort();
  admin = `http://127.0.0.1:${port}`;
  let printed = '';
  const variables = { PORT: '0', ADMIN_PORT: String(port), LOG_LEVEL: 'silent' };
  service = await serveEngine(variables, { print: (text) => (printed += text) });
  token = /^Token, .*: (?<token>\S+)$/m.exec(printed)?.groups?.token ?? '';
});
afterAll(() => service.close()); // which takes 5 seconds

const post = (body: string, headers: Record<string, string> = { Authorization: `Bearer ${token}` }) =>
  fetch(`${service.baseUrl}/plants`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });

it('says that the service lives, and that it is ready', async () => {
  for (const path of ['/health/live', '/health/ready']) {
    expect((await fetch(admin + path)).status).toBe(200);
  }
});

it('serves nothing else', async () => {
  expect((await fetch(`${admin}/plants`)).status).toBe(404);
  expect((await fetch(`${admin}/metrics`, { method: 'POST' })).status).toBe(405);
});

it('has 50 connections at most, and closes an idle one for a new one', async () => {
  const open = (): Promise<RawConnection> => RawConnection.open(Number(new URL(admin).port));
  const idle = await open();
  const others = await Promise.all(Array.from({ length: 49 }, open));
  const newest = (await open()).send('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  expect(await idle.closed()).toBe('');
  expect(await newest.closed()).toMatch(/^HTTP\/1\.1 200 /);
  for (const connection of others) connection.destroy();
});

it('counts requests by operation and status', async () => {
  const statuses = [
    await post('{"id":1,"name":"Ficus"}'),
    await post('{"id":1,"name":"Ficus"}'),
    await post('{"id":1,"name":"Hedera"}'),
    await post('{"id":1}'),
    await post('{}', {}),
    await fetch(`${service.baseUrl}/nowhere`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 409, 400, 401, 404]);
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  for (const code of [40001, 50301, 50302]) expect(metrics).toContain(`http_server_errors_total{code="${code}"} 0\n`); // an alarm sees the first as an increase
  for (const status of statuses) expect(metrics).toMatch(new RegExp(`status="?${status}"?[^\\n]*\\} [1-9]`));
});

it('counts no trial request of a start or a reload', async () => {
  const requests = async (): Promise<string[]> =>
    (await (await fetch(`${admin}/metrics`)).text()).match(/^http_server_request\w*_count.*$/gm) ?? [];
  const before = await requests();
  await service.reload();
  expect(await requests()).toEqual(before);
});
