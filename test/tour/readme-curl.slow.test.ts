/** The curl line in README.md and the answer that it shows, held to the running program. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../support/needs';
import { startProcess, stopProcess } from '../support/process';
import { temporaryFolder } from '../support/temporary-folder';

const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
const { line = '', answer = '' } =
  /^```console\n\$ TOKEN=.*\n\$ (?<line>curl .*)\n(?<answer>[^]*?)\n```$/m.exec(readme)?.groups ?? {};

/** Without what is another in each answer. */
const lasting = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/^(X-Request-Id|Date): .*$/gm, '$1: another each time');

describeWith('/usr/bin/curl', 'the curl line of README.md', () => {
  it('gets the answer that is shown', async () => {
    const service = await startProcess({ DATABASE_URL: `sqlite:${join(temporaryFolder(), 'plants.db')}` });
    try {
      expect(line).toContain('http://localhost:3000/plants');
      const here = `${line.replace('http://localhost:3000', service.baseUrl)} --silent`;
      const env = { ...process.env, TOKEN: service.token };
      const { stdout } = spawnSync('sh', ['-c', here], { encoding: 'utf8', env });
      expect(lasting(stdout)).toBe(lasting(answer));
    } finally {
      await stopProcess(service);
    }
  });
});
