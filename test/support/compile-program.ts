/** Jest's global setup: compiles the program once per run, for the tests that start it as a process. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** Sets `PROGRAM` to the compiled main file in the environment of all tests; types are checked elsewhere. */
export default function compileProgram(): void {
  // Below the project, so that its packages are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'test-'));
  const options = ['--noCheck', '--composite', 'false', '--incremental', 'false', '--outDir', folder];
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', join(root, 'src'), ...options]);
  for (const name of ['openapi.yaml', 'package.json']) copyFileSync(join(root, name), join(folder, name));
  cpSync(join(root, 'src', 'docs', 'page'), join(folder, 'src', 'docs', 'page'), { recursive: true });
  process.env.PROGRAM = join(folder, 'src', 'main.js');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}
