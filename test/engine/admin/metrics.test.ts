/** What operators are to be warned of in time. */
import { EventEmitter } from 'node:events';
import type { Exchange } from '../../../src/engine/http/exchange';
import { createMetrics } from '../../../src/engine/admin/metrics';
import { verifierOf } from '../../../src/engine/auth/tokens';

const token = (expires: number) => ({ name: 'alice', digest: 'a'.repeat(64), line: 1, expires });

async function measured(options: Partial<Parameters<typeof createMetrics>[0]>): Promise<string[]> {
  return (await createMetrics({ contractVersion: '1.0.0', ...options }).registry.metrics()).split('\n');
}

it('says how long it is until the next token and the certificate end', async () => {
  const now = Date.now();
  const { nextEnd } = verifierOf([token(now - 8 * 86_400_000), token(now + 9e7), token(now + 8e7), token(Infinity)]);
  const metrics = (await measured({ nextTokenEnd: nextEnd, certificateEnd: () => now - 5_000 })).join('\n');
  const seconds = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  expect(Math.ceil(seconds('auth_next_token_end_seconds') / 1e4)).toBe(8);
  expect(seconds('tls_certificate_end_seconds')).toBeLessThanOrEqual(-5);
});

it('says so for a week after a token has ended, so that its alarm does not resolve itself', async () => {
  const { nextEnd } = verifierOf([token(Date.now() - 5_000), token(Date.now() + 9e7)]);
  expect(await measured({ nextTokenEnd: nextEnd })).toContainEqual(
    expect.stringMatching(/^auth_next_token_end_seconds -5(?:\.\d+)?$/),
  );
});

it('says whether the service is ready and the tokens file can be used, with each scrape', async () => {
  let isSound = true;
  const ready = (): Promise<void> => (isSound ? Promise.resolve() : Promise.reject(new Error('the disk is gone')));
  const { registry } = createMetrics({ contractVersion: '1.0.0', ready, isTokensFileUsable: () => isSound });
  for (isSound of [true, false]) {
    const metrics = await registry.metrics();
    for (const name of ['app_ready', 'auth_tokens_file_usable'])
      expect(metrics).toContain(`\n${name} ${Number(isSound)}\n`);
  }
});

it('says that no token ends, and nothing of what is not there', async () => {
  expect(await measured({ nextTokenEnd: verifierOf([token(Infinity)]).nextEnd })).toContain(
    'auth_next_token_end_seconds +Inf',
  );
  expect((await measured({})).filter((line) => /^(?:auth|tls|log)_/.test(line))).toEqual([]);
});

it('counts requests to operations that are deprecated', async () => {
  const { registry, observeRequests } = createMetrics({ contractVersion: '1.0.0' });
  for (const isDeprecated of [true, false]) {
    const res = new EventEmitter();
    const operation = { id: 'a', method: 'GET', path: `/${isDeprecated}`, ids: [], lifecycle: { isDeprecated } };
    observeRequests({ req: {}, res, operation } as unknown as Exchange);
    res.emit('close');
  }
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('http_server_deprecated'));
  expect(lines).toEqual(['http_server_deprecated_requests_total{method="GET",route="/true"} 1']);
});

it('counts properties of requests that were left out, and answers that were broken off, by operation', async () => {
  const { registry, observeRequests } = createMetrics({ contractVersion: '1.0.0' });
  const res = new EventEmitter();
  const operation = { id: 'a', method: 'PUT', path: '/a', ids: [], lifecycle: { isDeprecated: false } };
  const exchange = { req: {}, res, operation, leftOut: 2, isBrokenOff: true };
  observeRequests(exchange as unknown as Exchange);
  res.emit('close');
  const metrics = await registry.metrics();
  expect(metrics).toContain('http_server_read_only_properties_total{method="PUT",route="/a"} 2');
  expect(metrics).toContain('http_server_answers_broken_off_total{method="PUT",route="/a"} 1');
});

it('counts lines of the log that are lost, and errors of each code from zero on', async () => {
  const metrics = await measured({ linesLost: () => 3, errorCodes: [40001, 50301] });
  for (const line of [
    'log_lines_lost_total 3',
    'http_server_errors_total{code="40001"} 0',
    'http_server_errors_total{code="50301"} 0',
  ])
    expect(metrics).toContain(line);
});
