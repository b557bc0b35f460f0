/** Jest's global setup of the fast tests: compiles the program once per run, for the tests that start it as a process. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(__dirname, '..', '..');

/** What is no code, and read at run time. */
const FILES = [
  ...['openapi.yaml', 'package.json', 'src/engine/docs/page', 'test/support/engine/openapi.yaml'],
  ...['src/tools/generate/guard.mjs', 'src/tools/generate/deep-stack.mjs'],
];

/**
 * Sets `PROGRAM` to the compiled main file in the environment of all tests, and `ENGINE_PROGRAM` to that which serves the
 * contract of the engine's tests; types are checked elsewhere.
 */
export default function compileProgram(): void {
  console.error('compiling the program ...');
  // Below the project, so that its packages are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'test-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    absWorkingDir: root,
    entryPoints: ['src/**/*.ts', 'generated/*.ts', 'test/support/engine/*.ts'],
    outdir: folder,
    outbase: '.',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
  });
  for (const name of FILES) cpSync(join(root, name), join(folder, name), { recursive: true });
  process.env.PROGRAM = join(folder, 'src', 'main.js');
  process.env.ENGINE_PROGRAM = join(folder, 'test', 'support', 'engine', 'application.js');
}
