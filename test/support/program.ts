/** The program, compiled once for all test files that run it as a process. */
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cachePlace } from '../../scripts/cache-place';
import { root } from '../../scripts/run-command';

/** What it is made of. */
const PARTS = ['src', 'generated', 'openapi.yaml', 'tsconfig.json', 'package-lock.json'];

/**
 * Resolves to its main file. It is compiled as `npm run build` compiles it (whose types are checked elsewhere), into a
 * folder that is named by what it is made of: test files that run at the same time neither wait for nor overwrite each
 * other's, and the next run finds it.
 */
export async function compiledProgram(): Promise<string> {
  const folder = cachePlace('program', PARTS);
  const main = join(folder, 'src', 'main.js');
  if (existsSync(folder)) return main;
  const draft = mkdtempSync(join(dirname(folder), 'draft-'));
  try {
    await compile(draft);
    copyFileSync(join(root, 'openapi.yaml'), join(draft, 'openapi.yaml'));
    cpSync(join(root, 'src', 'docs', 'page'), join(draft, 'src', 'docs', 'page'), { recursive: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Unless another test file was faster, and has made the same.
    if (!existsSync(folder)) throw error;
  }
  return main;
}

async function compile(folder: string): Promise<void> {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--noCheck', '--composite', 'false', '--incremental', 'false', '--outDir', folder];
  await promisify(execFile)(process.execPath, [tsc, '--project', join(root, 'src'), ...options]);
}
