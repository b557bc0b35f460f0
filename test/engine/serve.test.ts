/** What a reload leaves behind: the new contract, and nothing else. */
import { connect } from 'node:net';
import { join } from 'node:path';
import { makeCertificate, OPENSSL } from '../support/certificate';
import { serveEngine } from '../support/engine/application';
import { describeWith } from '../support/needs';
import { temporaryFolder } from '../support/temporary-folder';

describeWith(OPENSSL, 'a service over TLS whose contract is loaded again', () => {
  const folder = temporaryFolder();
  const cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');

  it('logs no trial request, and watches no file a second time', async () => {
    makeCertificate(key, cert, { subject: '/CN=localhost' });
    const logged: unknown[] = [];
    const service = await serveEngine(
      { PORT: '0', TLS_CERT: cert, TLS_KEY: key },
      { logTo: { write: (line) => logged.push((JSON.parse(line) as { msg: unknown }).msg) } },
    );
    const timers = jest.spyOn(globalThis, 'setInterval');
    try {
      await service.reload();
      expect(timers).not.toHaveBeenCalled();
    } finally {
      timers.mockRestore();
      await service.close();
    }
    expect(logged).not.toContain('request');
  });
});

it('leaves no port open if the start fails after it listens', async () => {
  let port = 0;
  const print = (text: string): never => {
    port = Number(/localhost:(\d+)/.exec(text)?.[1]);
    throw new Error('cannot print');
  };
  await expect(serveEngine({ PORT: '0', LOG_LEVEL: 'silent' }, { print })).rejects.toThrow('cannot print');
  const socket = connect(port, '127.0.0.1');
  const outcome = await new Promise((resolve) => socket.once('error', resolve).once('connect', resolve));
  socket.destroy();
  expect(outcome).toMatchObject({ code: 'ECONNREFUSED' });
});
