/** The queries of the dashboard, asked of a real Prometheus that has scraped the service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/ports';
import { describeWith } from '../support/needs';
import { eventually } from '../support/eventually';
import { startProcess } from '../support/process';
import { temporaryFolder } from '../support/temporary-folder';

const PROMETHEUS = '/usr/bin/prometheus';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

const { panels } = JSON.parse(
  readFileSync(join(__dirname, '..', '..', 'scripts', 'deploy', 'dashboard.json'), 'utf8'),
) as Dashboard;
const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

describeWith(PROMETHEUS, 'the dashboard', () => {
  let prometheus: ChildProcess;
  let api: string;

  beforeAll(async () => {
    const folder = temporaryFolder();
    const adminPort = await freePort();
    const service = await startProcess({
      DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
      ADMIN_PORT: String(adminPort),
    });
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `scrape_configs: [{ job_name: plants, scrape_interval: 1s, static_configs: [{ targets: ['127.0.0.1:${adminPort}'] }] }]`,
    );
    const port = await freePort();
    api = `http://127.0.0.1:${port}/api/v1/query`;
    const options = ['--config.file', join(folder, 'prometheus.yml'), '--storage.tsdb.path', join(folder, 'data')];
    prometheus = spawn(PROMETHEUS, [...options, '--web.listen-address', `127.0.0.1:${port}`], { stdio: 'ignore' });
    // A rate needs two values, and something that has happened in between.
    await eventually(async () => {
      const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
      await fetch(`${service.baseUrl}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"Ficus"}' });
      await fetch(`${service.baseUrl}/nowhere`);
      expect(await ask('sum(rate(http_server_errors_total[1m])) > 0')).toHaveLength(1);
      expect(await ask('sum(rate(store_batch_size_count[1m])) > 0')).toHaveLength(1);
    });
  }, 120_000);
  afterAll(async () => {
    prometheus.kill();
    await once(prometheus, 'exit');
  });

  /** The series of a query's result; rejects where Prometheus does not understand the query. */
  async function ask(query: string): Promise<{ value: [number, string] }[]> {
    const answer = (await (await fetch(`${api}?${new URLSearchParams({ query }).toString()}`)).json()) as {
      status: string;
      error?: string;
      data: { result: { value: [number, string] }[] };
    };
    if (answer.status !== 'success') throw new Error(answer.error);
    return answer.data.result;
  }

  it.each(queries)('%s has an answer to %s', async (_title, query) => {
    const result = await ask(query);
    expect(result.length).toBeGreaterThan(0);
    for (const { value } of result) expect(Number.isFinite(Number(value[1]))).toBe(true);
  });
});
