/** What a reload leaves behind: the new contract, and nothing else. */
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
