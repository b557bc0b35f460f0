/** The admin port of a service that runs in the process of the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '../../../src/engine/admin/metrics';
import { type Service, start } from '../../../src/main';
import { BatchRefused, type PlantStore } from '../../../src/plants/store';
import { engineApplication } from '../../support/engine/application';
import { freePort } from '../../support/ports';

jest.setTimeout(60_000);

let folder: string;
let service: Service;
let admin: string;
let token: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
  const port = await freePort();
  admin = `http://127.0.0.1:${port}`;
  let printed = '';
  service = await start(
    { DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`, PORT: '0', ADMIN_PORT: String(port), LOG_LEVEL: 'silent' },
    (text) => (printed += text),
    { application: engineApplication() },
  );
  token = /^Token, .*: (?<token>\S+)$/m.exec(printed)?.groups?.token ?? '';
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

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
  for (const status of statuses) expect(metrics).toMatch(new RegExp(`status="?${status}"?[^\\n]*\\} [1-9]`));
});

it.each([
  ['refused', new BatchRefused('a plant is at fault')],
  ['failed', new Error('the disk is full')],
])('counts a batch that is %s by itself', async (outcome, error) => {
  const metrics = createMetrics({ contractVersion: '1.0.0', queueLength: () => 0 });
  const failing: PlantStore = { addAll: () => Promise.reject(error), close: () => undefined };
  const store = metrics.observeStore(failing);
  await expect(store.addAll([])).rejects.toBe(error);
  expect(await metrics.registry.metrics()).toContain(`store_commit_duration_seconds_count{outcome="${outcome}"} 1\n`);
});
