/**
 * OpenTelemetry's instrumentation, loaded beside the program as `scripts/deploy/README.md` says, against a collector of our own: it finds
 * HTTP, Express, pg and pino, and is told nothing that is secret. It is installed for this test alone: it has 200 packages.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { eventually } from '../support/eventually';
import { freshDatabase, missing } from '../support/postgres';
import { listening } from '../support/ports';
import { startProcess, stopProcess } from '../support/process';

const root = join(__dirname, '..', '..');
const page = readFileSync(join(root, 'scripts', 'deploy', 'README.md'), 'utf8');
const { packages = '' } = /npm install --no-save --omit=dev (?<packages>\S+ \S+)/.exec(page)?.groups ?? {};
const folder = join(root, 'node_modules', '.cache', packages.replaceAll(/[^\w.-]+/g, '_'));
const { instrumentation = '' } = /--import (?<instrumentation>\S+)/.exec(page)?.groups ?? {};

/** Why it is not there; undefined if it is. */
function install(): string | undefined {
  if (existsSync(join(folder, 'node_modules', '@opentelemetry'))) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', ['install', ...options, ...packages.split(' ')], { encoding: 'utf8' });
  return status === 0 ? undefined : `OpenTelemetry cannot be installed: ${stderr.trim().split('\n')[0]}`;
}

interface Span {
  name: string;
  traceId: string;
  parentSpanId?: string;
}

interface Collected {
  resourceSpans?: { scopeSpans: { scope: { name: string }; spans: Span[] }[] }[];
  resourceLogs?: { scopeLogs: { logRecords: { body: { stringValue: string }; traceId?: string }[] }[] }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const reason = missing ?? install();
const test = reason === undefined || process.env.CI ? it : it.skip;

const collected: Collected[] = [];
const collector = createServer((req, res) => {
  void json(req).then((each) => {
    collected.push(each as Collected);
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
});
afterAll(() => void collector.close());

const skipped = reason === undefined ? '' : ` (skipped: ${reason})`;
test(`a create is seen from its headers to the database and the log, in the trace of its client${skipped}`, async () => {
  const database = await freshDatabase();
  const register = require.resolve(instrumentation, { paths: [folder] });
  const service = await startProcess({
    NODE_OPTIONS: `--import=${pathToFileURL(register).href}`,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await listening(collector)}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_NODE_RESOURCE_DETECTORS: 'none',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '100',
  });
  const answer = await fetch(`${service.baseUrl}/plants`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.token}`,
      'Content-Type': 'application/json',
      Traceparent: `00-${TRACE}-${PARENT}-01`,
    },
    body: '{"id":1,"name":"Ficus"}',
  });
  expect([answer.status, answer.headers.get('x-request-id'), await answer.text()]).toEqual([
    200,
    TRACE,
    '{"name":"Ficus"}',
  ]);
  await eventually(() => {
    const scopes = collected.flatMap(({ resourceSpans = [] }) => resourceSpans).flatMap((each) => each.scopeSpans);
    const spans = scopes.flatMap(({ scope, spans }) => spans.map((span) => ({ ...span, scope: scope.name })));
    const ours = spans.filter(({ traceId }) => traceId === TRACE);
    expect(ours).toContainEqual(expect.objectContaining({ name: 'POST', parentSpanId: PARENT }));
    for (const scope of ['http', 'express', 'pg'])
      expect(ours).toContainEqual(expect.objectContaining({ scope: `@opentelemetry/instrumentation-${scope}` }));
    const logs = collected.flatMap(({ resourceLogs = [] }) => resourceLogs).flatMap((each) => each.scopeLogs);
    expect(logs.flatMap(({ logRecords }) => logRecords)).toContainEqual(
      expect.objectContaining({ body: { stringValue: 'request' }, traceId: TRACE }),
    );
  });
  expect(JSON.stringify(collected)).not.toContain(service.token);
  expect(JSON.stringify(collected)).not.toContain('Ficus');
  await stopProcess(service);
  await database.drop();
});
