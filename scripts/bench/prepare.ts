/** What has to be there before anything can be measured: the peers' packages, our build, theirs, a place on a disk. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './servers/root';

const here = join(root, 'scripts', 'bench');

/** Installs and builds what is missing. Throws with the output of what failed. */
export function prepare(withOurs: boolean): void {
  if (!existsSync(join(here, 'node_modules'))) {
    console.log('installing the peers (npm ci in scripts/bench)');
    run('npm', ['ci', '--no-audit', '--no-fund'], here);
  }
  if (withOurs) {
    console.log('building this server (npm run build)');
    run('npm', ['run', '--silent', 'build'], root);
  }
  console.log('building the peers and the load generator');
  run(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', here], root);
}

/** A fresh directory for the stores, gone when the bench ends. Throws where a sync costs nothing. */
export function makeDirectory(parent: string): string {
  const tmpfs = 0x01021994;
  if (statfsSync(parent).type === tmpfs) {
    throw new Error(`${parent} is in memory, where nothing is durable; choose a place on a disk with --directory`);
  }
  const directory = mkdtempSync(join(parent, 'plant-bench-'));
  // More than once, because a server that was just killed may still be writing.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

function run(command: string, args: string[], cwd: string): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
