import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { startAdmin } from '../../../src/engine/admin/admin';
import { createAdminServer } from '../../../src/engine/admin/server';
import { listen } from '../../../src/engine/http/server';
import { eventually } from '../../support/eventually';
import { type ServiceProcess, startEngine } from '../../support/process';
import { lastAnswer } from '../../support/raw';

interface Admin {
  service: ServiceProcess;
  /** The address of the admin port. */
  admin: string;
}

async function startWithAdmin(): Promise<Admin> {
  const service = await startEngine({ ADMIN_PORT: '0', LOG_LEVEL: 'info' });
  let port = '';
  await eventually(() => {
    port = /"adminPort":(?<port>\d+)/.exec(service.stderr)?.groups?.port ?? '';
    expect(port).not.toBe('');
  });
  return { service, admin: `http://127.0.0.1:${port}` };
}

const create = ({ baseUrl, token }: ServiceProcess, id: number, name = 'Ficus') =>
  fetch(`${baseUrl}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, name }),
  });

async function get(url: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, init);
  return { status: answer.status, body: await answer.json() };
}

describe('the admin port', () => {
  it('says what is measured, and nothing of it is on the public port', async () => {
    const { service, admin } = await startWithAdmin();
    expect(await get(`${admin}/health/live`)).toEqual({ status: 200, body: { status: 'live' } });
    expect(await get(`${admin}/health/ready`)).toEqual({ status: 200, body: { status: 'ready' } });
    expect((await create(service, 1)).status).toBe(200);
    expect((await create(service, 1, 'Aloe')).status).toBe(409);
    expect((await fetch(`${service.baseUrl}/nowhere`)).status).toBe(404);

    const answer = await fetch(`${admin}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const metrics = await answer.text();
    for (const line of [
      'http_server_request_duration_seconds_count{method="POST",route="/plants",status="200"} 1',
      'http_server_request_duration_seconds_count{method="POST",route="/plants",status="409"} 1',
      'http_server_request_duration_seconds_count{method="other",route="none",status="404"} 1',
      'http_server_errors_total{code="40901"} 1',
      'http_server_errors_total{code="40401"} 1',
      'http_server_active_requests 0',
    ])
      expect(metrics.split('\n')).toContain(line);
    // The requests that the service sends itself at its start are not among them.
    expect(metrics).toContain('http_server_errors_total{code="40101"} 0\n');
    expect(metrics).toContain('log_lines_lost_total 0\n');
    expect(metrics).toMatch(/^app_build_info\{version="[\d.]+",contract_version="[\d.]+",node_version="v[\d.]+"\} 1$/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);

    for (const path of ['/metrics', '/health/live', '/health/ready'])
      expect((await fetch(service.baseUrl + path)).status).toBe(404);
    const expected = ['/health/live', '/health/ready', '/metrics'];
    expect(await get(`${admin}/plants`)).toEqual({ status: 404, body: { expected } });
    expect(await get(`${admin}/constructor`)).toEqual({ status: 404, body: { expected } });
    const refused = { status: 405, body: { expected: ['GET', 'HEAD'] } };
    expect(await get(`${admin}/metrics`, { method: 'POST' })).toEqual(refused);
  });

  it("counts what Node's parser refuses, by status and code", async () => {
    const { service, admin } = await startWithAdmin();
    const port = Number(new URL(service.baseUrl).port);
    for (const refused of [
      'hello\r\n\r\n',
      'POST /plants HTTP/1.1\r\nAccept\r\n\r\n',
      `POST /plants HTTP/1.1\r\nAccept: ${'x'.repeat(20_000)}\r\n\r\n`,
      'POST /plants HTTP/2.0\r\n\r\n',
    ])
      await lastAnswer(port, refused);
    await eventually(async () => {
      const metrics = (await (await fetch(`${admin}/metrics`)).text()).split('\n');
      const counted = metrics.filter((line) =>
        /^http_server_(?:request_duration_seconds_count|errors_total)\{.* [^0]/.test(line),
      );
      expect(counted.sort()).toEqual([
        'http_server_errors_total{code="40003"} 2',
        'http_server_errors_total{code="43101"} 1',
        'http_server_errors_total{code="50501"} 1',
        'http_server_request_duration_seconds_count{method="other",route="none",status="400"} 2',
        'http_server_request_duration_seconds_count{method="other",route="none",status="431"} 1',
        'http_server_request_duration_seconds_count{method="other",route="none",status="505"} 1',
      ]);
      expect(metrics).toContain('http_server_active_requests 0');
    });
  });

  it('is not ready from the first signal on, while requests are still answered', async () => {
    const { service, admin } = await startWithAdmin();
    service.kill('SIGTERM');
    await eventually(async () =>
      expect(await get(`${admin}/health/ready`)).toEqual({
        status: 503,
        body: { status: 'not ready', reason: 'it is stopping' },
      }),
    );
    const answer = await create(service, 1);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close'); // its client looks for another server
    expect(await get(`${admin}/health/live`)).toEqual({ status: 200, body: { status: 'live' } });
    expect(await service.exited).toMatchObject({ code: 0, signal: null });
  });

  it('serves others between the pipelined requests of one client, and no more of these than that reads answers of', async () => {
    let measured = 0;
    const registry = new Registry();
    registry.metrics = () => Promise.resolve(`# ${++measured} ${'x'.repeat(100_000)}`);
    const server = createAdminServer(registry, () => Promise.resolve());
    const port = await listen(server, '127.0.0.1', 0);
    const unread = connect({ port, host: '127.0.0.1' }).pause();
    unread.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
    for (let times = 0; times < 20; times++)
      expect(await get(`http://127.0.0.1:${port}/health/live`)).toMatchObject({ status: 200 });
    expect(measured).toBeGreaterThan(0);
    expect(measured).toBeLessThan(500);
    unread.destroy();
    server.closeAllConnections();
    server.close();
  });

  it.each<[what: string, ready: () => Promise<void>, reason: string]>([
    ['does not answer', () => new Promise(() => undefined), 'there is no answer within 2000 ms'],
    ['fails', () => Promise.reject(new Error('disk I/O error')), 'disk I/O error'],
  ])('is not ready while the store %s', async (_what, check, reason) => {
    const admin = await startAdmin({ host: '127.0.0.1', port: 0, contractVersion: '1.0.0', check });
    try {
      admin.ready();
      const expected = { status: 503, body: { status: 'not ready', reason } };
      expect(await get(`http://127.0.0.1:${admin.port}/health/ready`)).toEqual(expected);
    } finally {
      admin.close();
    }
  });
});
