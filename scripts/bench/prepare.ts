/** Builds what is measured, and makes a directory for the stores. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run-command';

/** Installs the peers where they are missing, and builds everything. Throws with the output of what failed. */
export function prepare(): void {
  console.log('building this server, its peers and the load generator');
  if (!existsSync(join(__dirname, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'], __dirname);
  run('npm', ['run', '--silent', 'build'], root);
  run(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', __dirname], root);
}

const TMPFS = 0x01021994;

/** A new directory, removed on exit. Throws where it would be in memory, because nothing is durable there. */
export function makeDirectory(parent: string): string {
  if (statfsSync(parent).type === TMPFS)
    throw new Error(`${parent} is in memory, where nothing is durable; choose a place on a disk with --directory`);
  const directory = mkdtempSync(join(parent, 'plant-bench-'));
  // Retried, because a server that was just killed may still be writing.
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

function run(command: string, args: string[], cwd: string): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
