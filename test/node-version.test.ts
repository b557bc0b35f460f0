import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './support/temporary-folder';

// What Node 18 really says is tried by .ci/run.
it.each(['18.20.8', '20.18.3'])(
  'Node %s is refused in one line, before anything is loaded that needs a later one',
  (version) => {
    const folder = temporaryFolder();
    const preload = join(folder, 'older.cjs');
    writeFileSync(
      preload,
      `Object.defineProperty(process.versions, 'node', { value: '${version}' }); delete require('node:stream').duplexPair;`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', preload, process.env.PROGRAM ?? ''], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `expected Node 20.19 or later, got ${version}\n`,
    });
  },
);
