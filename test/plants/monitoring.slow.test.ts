/** The metrics, the alert rules and the queries of the dashboard, as Prometheus judges them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { dirname, join } from 'node:path';
import { makeToken } from '../../src/engine/auth/tokens';
import { openSqliteStore } from '../../src/plants/sqlite/store';
import { makeCertificate } from '../support/certificate';
import { describeWith } from '../support/needs';
import { freePort } from '../support/ports';
import { freshDatabase, missing } from '../support/postgres';
import { type Environment, startProcess } from '../support/process';
import { temporaryFolder } from '../support/temporary-folder';

const PROMTOOL = '/usr/bin/promtool';
const deploy = join(__dirname, '..', '..', 'scripts', 'deploy');

function promtool(args: readonly string[], input = ''): unknown {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { input, encoding: 'utf8', cwd: deploy });
  return status === 0 ? { status, stderr } : { status, stdout, stderr };
}

/** The expressions of the alerts, and of the dashboard. */
const alerts = readFileSync(join(deploy, 'alerts.yaml'), 'utf8').match(/expr: (?:>-\n.*\n)?.*/g) ?? [];
const { panels } = JSON.parse(readFileSync(join(deploy, 'dashboard.json'), 'utf8')) as {
  panels: { targets: { expr: string }[] }[];
};
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** What a program with a certificate, and these variables, measures once it has answered a request. */
async function metricsOf(env: Environment): Promise<string> {
  const port = String(await freePort());
  const service = await startProcess({ ADMIN_PORT: port, ...env });
  await once(get(`${service.baseUrl}/nowhere`, { rejectUnauthorized: false }), 'response');
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  service.kill('SIGKILL');
  await service.exited;
  return metrics;
}

it('the health check of the image passes while the service is ready, and fails once it is not there', async () => {
  const [, text = ''] = /^HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(readFileSync(join(deploy, 'Dockerfile'), 'utf8')) ?? [];
  const [, ...args] = JSON.parse(text) as string[];
  const env = { ADMIN_PORT: String(await freePort()) };
  const check = (): Promise<number | null> =>
    new Promise((resolve) => spawn(process.execPath, args, { env }).on('exit', resolve));
  const service = await startProcess(env);
  expect(await check()).toBe(0);
  service.kill('SIGKILL');
  await service.exited;
  expect(await check()).toBe(1);
});

describeWith(PROMTOOL, 'Prometheus', () => {
  const folder = temporaryFolder();
  let secured: Environment;
  beforeAll(() => {
    const [cert, key, tokens] = [join(folder, 'cert.pem'), join(folder, 'key.pem'), join(folder, 'tokens')];
    makeCertificate(key, cert);
    writeFileSync(tokens, `${makeToken('alice', '2999-12-31').line}\n`, { mode: 0o600 });
    secured = { TLS_CERT: cert, TLS_KEY: key, AUTH_TOKENS_FILE: tokens };
  });

  const test = missing === undefined ? it : it.skip;
  test('finds nothing wrong with the metrics on either store, which have all that alerts and dashboard ask for', async () => {
    const database = await freshDatabase();
    const urls = [`sqlite:${join(folder, 'plants.db')}`, database.url];
    let all = '';
    for (const DATABASE_URL of urls) {
      const metrics = await metricsOf({ ...secured, DATABASE_URL });
      expect(promtool(['check', 'metrics'], metrics)).toEqual({ status: 0, stderr: '' });
      all += metrics;
    }
    await database.drop();
    const names = new Set([...alerts, ...queries].flatMap((each) => each.match(/\b[a-z]+_[a-z\d]+_\w+/g) ?? []));
    const measured = (name: string): boolean => new RegExp(`^${name}(?:\\{| )`, 'm').test(all);
    expect(names.size).toBeGreaterThan(15);
    expect([...names].filter((name) => !measured(name))).toEqual(['plants_backup_end_seconds']); // by plants-backup@.service
  });

  it('reads when the last backup has ended, which is a whole export', () => {
    const store = join(folder, 'backed-up.db');
    void openSqliteStore(store).close();
    const program = join(dirname(process.env.PROGRAM ?? ''), 'cli.js');
    const [old, ofOther] = ['3000', '3000-eu'].map((name) => `plants-${name}-2020-01-01-000000.jsonl`);
    for (const each of [old, ofOther]) {
      writeFileSync(join(folder, `${each}`), '');
      utimesSync(join(folder, `${each}`), 0, 0);
    }
    const env = { ...process.env, DATABASE_URL: `sqlite:${store}` };
    const { status, stderr } = spawnSync(join(deploy, 'backup.sh'), [folder, '3000', program], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(/^read 0 plants, sha256 .*\nexported 0 plants, sha256 /),
    ]);
    const metrics = readFileSync(join(folder, '3000.prom'), 'utf8');
    expect(metrics).toMatch(/^plants_backup_end_seconds\{store="3000"\} \d{10}$/m);
    expect(promtool(['check', 'metrics'], metrics)).toEqual({ status: 0, stderr: '' });
    const exports = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
    expect(exports.sort()).toEqual([
      expect.stringMatching(/^plants-3000-(?!2020)\d{4}-\d\d-\d\d-\d{6}\.jsonl$/),
      ofOther,
    ]);
  });

  it('understands every query of the dashboard', () => {
    const rules = queries.map((expr, index) => ({ record: `query:${index}`, expr }));
    expect(queries.length).toBeGreaterThan(10);
    const file = join(folder, 'dashboard.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool(['check', 'rules', file])).toEqual({ status: 0, stderr: '' });
  });

  it('raises each alert for what it is for, and for nothing else', () => {
    expect(promtool(['test', 'rules', 'alerts.test.yaml'])).toEqual({ status: 0, stderr: '' });
  });
});
