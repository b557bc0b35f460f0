/** The program in the process of the test, with options that other tests of it do not set. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeToken } from '../src/engine/auth/tokens';
import { serveEngine } from './support/engine/application';
import { describeWith } from './support/needs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plants-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts the service, asks for a path and closes it again. */
async function startWith(env: NodeJS.ProcessEnv): Promise<{ baseUrl: string; printed: string }> {
  let printed = '';
  const tokens = join(folder, 'tokens');
  writeFileSync(tokens, makeToken('Ada').line, { mode: 0o600 });
  const service = await serveEngine(
    {
      AUTH_TOKENS_FILE: tokens,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...env,
    },
    { print: (text) => (printed += text) },
  );
  await service.close();
  return { baseUrl: service.baseUrl, printed };
}

it('names no documentation where DOCS is off, and takes the address that it is given', async () => {
  const { baseUrl, printed } = await startWith({
    DOCS: 'off',
    NODE_ENV: 'production',
    BASE_URL: 'https://plants.example/v1',
  });
  expect(baseUrl).toBe('https://plants.example/v1');
  expect(printed).not.toContain('/docs');
  expect(printed).toContain('https://plants.example/v1/plants');
});

describeWith('/usr/bin/openssl', 'with a certificate', () => {
  it('says that it is reached by HTTPS', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('/usr/bin/openssl', ['req', ...options, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], {
      stdio: 'ignore',
    });
    const { baseUrl } = await startWith({ TLS_CERT: cert, TLS_KEY: key });
    expect(baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  });
});
