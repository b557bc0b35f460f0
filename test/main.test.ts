import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeToken } from '../src/engine/auth/tokens';
import { engineVariables } from '../src/engine/settings';
import { readContract } from '../src/tools/project/read-contract';
import type { Banner } from '../src/engine/banner';
import type { Running } from '../src/engine/serve';
import { jwt, makeKey, startIssuer } from './engine/auth/issuer';
import { makeCertificate, OPENSSL } from './support/certificate';
import { engineContract } from './support/contracts';
import { engineService, serveEngine } from './support/engine/application';
import { temporaryFolder } from './support/temporary-folder';
import { describeWith } from './support/needs';
import { EnginePlants } from './support/engine/plants';
import { createAll } from './support/plant-client';
import { type Environment, refusal, type ServiceProcess, startEngine } from './support/process';
import { freePort, withPortInUse } from './support/ports';

const { title, version } = readContract(engineContract).document.info;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Writes a tokens file, and returns the variable that names it. */
function tokensFile(text: string): Environment {
  const path = join(folder, 'tokens');
  writeFileSync(path, text, { mode: 0o600 });
  return { AUTH_TOKENS_FILE: path };
}

const BAD_TOKENS = '# accepted tokens\nalice 12ab\n\nbob\n';
const badTokens = (path: string | undefined): string =>
  [2, 4]
    .map((line) => `${path}:${line} expected NAME SHA256-HEX-OF-TOKEN (the command token NAME prints such a line)`)
    .join('\n');

describe('the program', () => {
  async function stop(service: ServiceProcess): Promise<string> {
    service.kill('SIGTERM');
    const { code, signal, stderr } = await service.exited;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    return stderr;
  }

  const canCurl = spawnSync('curl', ['--version']).status === 0;
  (canCurl ? it : it.skip)('prints a curl line that works as it stands, and stops cleanly', async () => {
    const service = await startEngine({});
    const { curl } = JSON.parse(service.stdout) as Banner;
    const { stdout } = spawnSync('sh', ['-c', `${curl} --silent`], { encoding: 'utf8' });
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(stdout).toMatch(/\r\n\r\n\{"name":"Monstera deliciosa","tag":"indoor"\}$/);
    expect(await stop(service)).toBe('');
  });

  it('accepts the tokens of the file, in production, and logs no token', async () => {
    const { token, line } = makeToken('alice');
    const service = await startEngine({ ...tokensFile(line), NODE_ENV: 'production', LOG_LEVEL: 'info' });
    const banner = JSON.parse(service.stdout) as Banner;
    expect(banner).not.toHaveProperty('token');
    expect(banner.curl).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(await createAll({ ...service, token }, [{ id: 1n, name: 'Ficus' }])).toMatchObject([{ status: 200 }]);
    expect(await createAll({ ...service, token: 'another' }, [{ id: 2n, name: 'Ficus' }])).toMatchObject([
      { status: 401 },
    ]);
    const log = await stop(service);
    const messages = log.split('\n').filter(Boolean);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;
    expect(messages.map((message): unknown => JSON.parse(message))).toMatchObject([
      { level: 'info', time, msg: 'listening', baseUrl: service.baseUrl, host: '127.0.0.1' },
      { msg: 'request', method: 'POST', path: '/plants', status: 200, principal: 'alice' },
      { msg: 'request', method: 'POST', path: '/plants', status: 401, error: 40102 },
      { msg: 'stopping: finishing what is under way' },
      { msg: 'stopped' },
    ]);
    expect(log).not.toContain(token);
    expect(log).not.toContain('another');
  });

  it('refuses a wrong environment with all its problems, in one line of JSON that is all it says', () => {
    const program = spawnSync(process.execPath, [process.env.ENGINE_PROGRAM ?? ''], {
      env: { PORT: 'http', LOG_LEVEL: 'loud', LOG_TIME: 'epoch', NODE_ENV: 'production' },
      encoding: 'utf8',
    });
    expect(program).toMatchObject({ status: 1, signal: null, stdout: '' });
    expect(JSON.parse(program.stderr)).toEqual({
      level: 'fatal',
      time: expect.any(Number) as unknown,
      pid: program.pid,
      hostname: hostname(),
      msg:
        'the environment is wrong:\n' +
        '  PORT: expected a port from 0 to 65535, got "http"\n' +
        '  LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got "loud"\n' +
        '  AUTH_TOKENS_FILE, AUTH_JWT_ISSUER: expected one of them if NODE_ENV is production, got neither',
    });
  });

  it('says with --help what it does and which variables there are, and ends', async () => {
    const { code, stdout, stderr } = await refusal({}, ['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const { name, meaning } of Object.values(engineVariables)) {
      expect(stdout).toContain(`  ${name} `);
      expect(stdout).toContain(meaning.replaceAll('`', ''));
    }
  });

  it('says with --version which version it is, and ends', async () => {
    expect(await refusal({}, ['--version'])).toEqual({ code: 0, signal: null, stdout: '1.0.0\n', stderr: '' });
  });

  it('refuses an argument that it does not know, and says what it takes', async () => {
    const { code, stdout, stderr } = await refusal({}, ['--prot=80']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--prot'/);
    expect(stderr).toContain('variables:\n');
  });
});

describe('the service, started in this process', () => {
  const quiet = { PORT: '0', LOG_LEVEL: 'silent' };
  let printed: string;
  const print = (text: string): void => void (printed += text);
  const tokenPrinted = (): string => [...printed.matchAll(/^Token, .*: (\S+)$/gm)].at(-1)?.[1] ?? '';
  let services: Running[];
  let plants: EnginePlants;
  beforeEach(() => {
    printed = '';
    services = [];
    plants = new EnginePlants();
  });
  afterEach(async () => {
    for (const service of services) await service.close();
  });

  /** Starts a service that is closed when its test has ended, whatever the test has found. */
  async function started(env: Environment): Promise<Running> {
    const service = await serveEngine(env, { print }, engineService(plants));
    services.push(service);
    return service;
  }

  /** Closes the service within its test. */
  async function close(service: Running): Promise<void> {
    services = services.filter((each) => each !== service);
    await service.close();
  }

  it('serves until it is closed', async () => {
    const { token, line } = makeToken('tester');
    const service = await started({ ...quiet, ...tokensFile(line) });
    expect(printed).toContain(`${title} ${version} at ${service.baseUrl}\n`);
    const there = { baseUrl: service.baseUrl, token };
    expect(await createAll(there, [{ id: 1n, name: 'Ficus', tag: 'a' }])).toMatchObject([
      { status: 200, body: '{"name":"Ficus","tag":"a"}' },
    ]);
    await close(service);
    await expect(createAll(there, [{ id: 2n, name: 'Ficus' }])).rejects.toThrow();
    expect(plants.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: 'a' }]);
  });

  it('prints its address, a token if there is no tokens file, and a curl line', async () => {
    const service = await started({ ...quiet });
    const { baseUrl } = service;
    const token = tokenPrinted();
    expect(baseUrl).toMatch(/^http:\/\/localhost:[1-9]\d+$/);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(printed).toBe(
      `${title} ${version} at ${baseUrl}\n` +
        `Documentation, to try it in a browser: ${baseUrl}/docs\n` +
        `Token, for this run only: ${token}\n` +
        `Try it: curl -i -X POST ${baseUrl}/plants -H "Authorization: Bearer ${token}" ` +
        `-H 'Content-Type: application/json' -d '{"id":1,"name":"Monstera deliciosa","tag":"indoor"}'\n`,
    );
    expect(await createAll({ baseUrl, token }, [{ id: 1n, name: 'Ficus' }])).toMatchObject([{ status: 200 }]);
    await close(service);
  });

  it('accepts the tokens of an issuer beside those of the file', async () => {
    const issuer = await startIssuer();
    try {
      const key = makeKey('first');
      issuer.published = [key];
      const { token, line } = makeToken('alice');
      const variables = { AUTH_JWT_ISSUER: issuer.url, AUTH_JWT_AUDIENCE: 'plants', ...tokensFile(line) };
      const { baseUrl } = await started({ ...quiet, ...variables, NODE_ENV: 'production' });
      const claims = { iss: issuer.url, aud: 'plants', sub: 'bob', exp: Math.floor(Date.now() / 1000) + 60 };
      const statusWith = async (token: string): Promise<number | undefined> =>
        (await createAll({ baseUrl, token }, [{ id: 1n, name: 'Ficus' }]))[0]?.status;
      expect(await statusWith(token)).toBe(200);
      expect(await statusWith(jwt(key, claims))).toBe(200);
      expect(await statusWith(jwt(key, { ...claims, exp: 0 }))).toBe(401);
    } finally {
      await issuer.close();
    }
  });

  it('is mounted at the path of BASE_URL only', async () => {
    const { token, line } = makeToken('tester');
    const port = await freePort();
    const baseUrl = `http://localhost:${port}/garden/v1`;
    const variables = { ...quiet, ...tokensFile(line), PORT: String(port), BASE_URL: `${baseUrl}/` };
    const service = await started(variables);
    expect(service.baseUrl).toBe(baseUrl);
    expect(printed).toContain(`curl -i -X POST ${baseUrl}/plants `);
    expect(await createAll({ baseUrl, token }, [{ id: 1n, name: 'Ficus' }])).toMatchObject([{ status: 200 }]);
    for (const elsewhere of ['', '/garden', '/garden/v1/garden/v1', '/garden/v2', '/Garden/v1', '/garden/v1/']) {
      const there = { baseUrl: `http://localhost:${port}${elsewhere}`, token };
      expect(await createAll(there, [{ id: 2n, name: 'Ficus' }])).toMatchObject([
        { status: 404, body: expect.stringMatching(/^\{"error":40401,/) as unknown },
      ]);
    }
    await close(service);
    expect(plants.rows()).toEqual([{ id: 1n, name: 'Ficus', tag: null }]);
  });

  it('rejects where it cannot start, and leaves nothing open', async () => {
    const tokens = tokensFile(BAD_TOKENS);
    await expect(started({ ...quiet, PORT: '-1' })).rejects.toThrow('PORT: expected a port from 0 to 65535');
    await expect(started({ ...quiet, ...tokens })).rejects.toThrow(badTokens(tokens.AUTH_TOKENS_FILE));
    await expect(started({ ...quiet, AUTH_TOKENS_FILE: join(folder, 'none') })).rejects.toThrow(
      /^AUTH_TOKENS_FILE: expected a file that can be read, got .*ENOENT: /,
    );
    await expect(started({ ...quiet, HOST: '192.0.2.1', ADMIN_PORT: '9090' })).rejects.toThrow(
      /^cannot listen on 192\.0\.2\.1:9090 .*: expected HOST and ADMIN_PORT to be free for this process$/,
    );
    await withPortInUse(async (port) => {
      await expect(started({ ...quiet, PORT: String(port) })).rejects.toThrow(
        /^cannot listen on 127\.0\.0\.1:\d+ \(.*EADDRINUSE: .*\): expected HOST and PORT to be free for this process$/,
      );
    });
    expect(printed).toBe('');
  });

  it('names no documentation where DOCS is off, and takes the address that it is given', async () => {
    const baseUrl = 'https://plants.example/v1';
    const service = await started({ ...quiet, ...tokensFile(makeToken('Ada').line), DOCS: 'off', BASE_URL: baseUrl });
    expect(service.baseUrl).toBe(baseUrl);
    expect(printed).not.toContain('/docs');
    expect(printed).toContain(`${baseUrl}/plants`);
  });
});

describeWith(OPENSSL, 'the service with a certificate', () => {
  it('says that it is reached by HTTPS', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    makeCertificate(key, cert);
    const variables = { PORT: '0', LOG_LEVEL: 'silent', TLS_CERT: cert, TLS_KEY: key };
    const service = await serveEngine(variables, { print: () => undefined });
    await service.close();
    expect(service.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  });
});
