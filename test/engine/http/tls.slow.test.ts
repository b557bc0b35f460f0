import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import { makeCertificate, OPENSSL } from '../../support/certificate';
import { eventually } from '../../support/eventually';
import { describeWith } from '../../support/needs';
import { refusal, type ServiceProcess, startEngine } from '../../support/process';
import { temporaryFolder } from '../../support/temporary-folder';

describeWith(OPENSSL, 'a service with a certificate', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = temporaryFolder();
    const tls = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
    env = { DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`, ...tls };
    certify('first');
  });

  it('says at the start that the certificate has expired', async () => {
    const preload = join(folder, 'later.js'); // ten days, of which the certificate is good for two
    writeFileSync(preload, 'const { now } = Date; Date.now = () => now() + 864e6;');
    const service = await startEngine({ ...env, NODE_OPTIONS: `--require=${preload}` });
    service.kill('SIGTERM');
    expect((await service.exited).stderr).toMatch(
      /"level":"error".*"msg":"the certificate has expired: clients refuse it/,
    );
  });

  function certify(organization: string, options: { algorithm?: readonly string[] } = {}): void {
    const subject = `/O=${organization}/CN=localhost`;
    makeCertificate(join(folder, 'key.pem'), join(folder, 'cert.pem'), { subject, ...options });
  }

  const create = ({ baseUrl, token }: ServiceProcess) =>
    new Promise<{ status: number | undefined; hsts: unknown; body: string }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const ca = readFileSync(join(folder, 'cert.pem'));
      const sent = request(`${baseUrl}/plants`, { method: 'POST', headers, ca, agent: false }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (text: string) => (body += text));
        answer.on('end', () =>
          resolve({ status: answer.statusCode, hsts: answer.headers['strict-transport-security'], body }),
        );
      });
      sent.on('error', reject).end('{"id":1,"name":"Ficus"}');
    });

  const connection = (port: number, options: ConnectionOptions = {}): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
      socket.once('secureConnect', () => resolve(socket)).once('error', reject);
    });
  const portOf = ({ baseUrl }: ServiceProcess): number => Number(new URL(baseUrl).port);

  it('is reached by https alone, and stops cleanly', async () => {
    const service = await startEngine(env);
    expect(service.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
    expect(await create(service)).toEqual({ status: 200, hsts: 'max-age=31536000', body: '{"name":"Ficus"}' });
    await expect(fetch(`http://127.0.0.1:${portOf(service)}/plants`)).rejects.toThrow('fetch failed');
    const idle = await connection(portOf(service));
    service.kill('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, stderr: '' });
    idle.destroy();
  });

  it('takes large requests while large answers are not read yet', async () => {
    const service = await startEngine(env);
    const socket = await connection(portOf(service));
    const request = (id: number): string => {
      const body = JSON.stringify({ id, name: 'a'.repeat(90_000) });
      const headers = ['Host: a', `Authorization: Bearer ${service.token}`, 'Content-Type: application/json'];
      if (id === LAST) headers.push('Connection: close');
      return `POST /plants HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const LAST = 20;
    for (let id = 1; id <= LAST; id++) socket.write(request(id));
    let text = '';
    for await (const bytes of socket) text += String(bytes);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(Array<string>(LAST).fill('HTTP/1.1 200'));
  });

  it('takes requests one after another while large answers wait to be read', async () => {
    const service = await startEngine(env);
    const socket = await connection(portOf(service));
    const request = 'GET /docs/swagger-ui.css HTTP/1.1\r\nHost: a\r\n\r\n';
    // More than are served at a time.
    socket.write(request.repeat(17));
    const rest = 43;
    let [sent, answered] = [0, 0];
    const timer = setInterval(() => {
      if (sent++ < rest) socket.write(request);
      else clearInterval(timer);
    }, 1);
    for await (const bytes of socket) {
      answered += String(bytes).split('HTTP/1.1 200 OK').length - 1;
      if (answered === 17 + rest) break;
    }
    service.kill('SIGTERM');
    expect(await service.exited).toMatchObject({ code: 0, stderr: '' });
  });

  it('has the documentation ask for https from then on, too', async () => {
    const service = await startEngine(env);
    for (const path of ['/docs', '/docs/', '/openapi.json']) {
      const socket = await connection(portOf(service));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      let text = '';
      for await (const bytes of socket) text += String(bytes);
      expect(text).toMatch(/^HTTP\/1\.1 (?:200 OK|308 Permanent Redirect)\r\n/);
      expect(text).toContain('Strict-Transport-Security: max-age=31536000\r\n');
    }
  });

  it('answers what is no request, and what takes too long', async () => {
    const service = await startEngine(env);
    const socket = await connection(portOf(service));
    socket.end('hello\r\n\r\n');
    let text = '';
    for await (const bytes of socket) text += String(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('Strict-Transport-Security: max-age=31536000\r\n');
    expect(text).toMatch(/\{"error":40003,"message":"[^"]+"\}$/);
    const slow = await connection(portOf(service));
    slow.write('POST /plants HTTP/1.1\r\n');
    let refused = '';
    for await (const bytes of slow) refused += String(bytes);
    expect(refused).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  /** A client that sends the beginning of a handshake, and then nothing, or a byte now and then. */
  async function hesitate(service: ServiceProcess, bytes: string, dripMs?: number): Promise<Socket> {
    const socket = connectTcp({ port: portOf(service), host: '127.0.0.1' });
    await once(socket, 'connect');
    if (bytes !== '') socket.write(Buffer.from(bytes, 'hex'));
    const drip = dripMs && setInterval(() => socket.write('\0'), dripMs);
    socket.on('error', () => undefined).on('close', () => clearInterval(drip));
    return socket.resume();
  }

  it('lets go of handshakes that do not end, and logs them', async () => {
    const service = await startEngine({ ...env, LOG_LEVEL: 'info' });
    const hello = '16030100a5010000a10303';
    const clients = [await hesitate(service, ''), await hesitate(service, hello), await hesitate(service, hello, 500)];
    // Whether a client's last bytes meet a reset is a matter of time.
    const closed = (socket: Socket): Promise<unknown> =>
      new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    await Promise.all(clients.map(closed));
    const refused = service.stderr.split('\n').filter((line) => line.includes('TLS handshake refused'));
    expect(refused.map((line) => JSON.parse(line) as object)).toEqual(
      clients.map(() => expect.objectContaining({ reason: 'TLS handshake timeout', client: '127.0.0.1' }) as object),
    );
  });

  it('does not wait for them when it is stopped', async () => {
    const service = await startEngine({ ...env, LOG_LEVEL: 'info' });
    const clients = await Promise.all(Array.from({ length: 3 }, () => hesitate(service, '')));
    service.kill('SIGTERM');
    const { code, stderr } = await service.exited;
    expect(code).toBe(0);
    expect(stderr).not.toContain('TLS handshake timeout');
    for (const socket of clients) socket.destroy();
  });

  it('has no cipher suite without forward secrecy, not with another certificate either', async () => {
    certify('rsa', { algorithm: ['-newkey', 'rsa:2048'] });
    const service = await startEngine({ ...env, LOG_LEVEL: 'info' });
    const client = (ciphers: string) => connection(portOf(service), { ciphers, maxVersion: 'TLSv1.2' });
    const expectSecrecy = async (): Promise<void> => {
      (await client('ECDHE-RSA-AES128-GCM-SHA256')).destroy();
      await expect(client('AES128-GCM-SHA256')).rejects.toThrow('handshake failure');
    };
    await expectSecrecy();
    certify('another', { algorithm: ['-newkey', 'rsa:2048'] });
    await eventually(() => expect(service.stderr).toContain('read the certificate again'));
    await expectSecrecy();
  });

  it('takes another certificate without a restart, and keeps the old one where the new one is broken', async () => {
    const service = await startEngine({ ...env, LOG_LEVEL: 'info' });
    const organization = async (): Promise<string> => {
      const socket = await connection(portOf(service));
      const { subject }: PeerCertificate = socket.getPeerCertificate();
      socket.destroy();
      return String(subject.O);
    };
    expect(await organization()).toBe('first');
    writeFileSync(join(folder, 'cert.pem'), 'no certificate');
    await eventually(() => expect(service.stderr).toContain('cannot use the certificate'));
    expect(await organization()).toBe('first');
    // Its key is of another type, and has not come yet.
    makeCertificate(join(folder, 'later.pem'), join(folder, 'cert.pem'), { algorithm: ['-newkey', 'rsa:2048'] });
    await eventually(() => expect(service.stderr).toContain('got the key of another certificate than'));
    expect(await organization()).toBe('first');
    certify('second');
    await eventually(async () => expect(await organization()).toBe('second'));
    expect((await create(service)).status).toBe(200);
  });

  it('does not start with files that it cannot use', async () => {
    writeFileSync(join(folder, 'key.pem'), 'no key');
    const { code, stderr } = await refusal(env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^TLS_CERT, TLS_KEY: expected a certificate and its key in PEM, got .*\n$/);
  });
});
