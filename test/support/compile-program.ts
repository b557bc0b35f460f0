/** Jest's global setup: compiles the program once per run, for the tests that start it as a process. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const root = join(__dirname, '..', '..');

/**
 * Sets `PROGRAM` to the compiled main file in the environment of all tests, and `ENGINE_PROGRAM` to that which serves the
 * contract of the engine's tests; types are checked elsewhere.
 */
export default function compileProgram(): void {
  // Below the project, so that its packages are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'test-'));
  const options = ['--noCheck', '--composite', 'false', '--incremental', 'false', '--outDir', folder];
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', join(root, 'src'), ...options]);
  for (const name of ['openapi.yaml', 'package.json']) copyFileSync(join(root, name), join(folder, name));
  cpSync(join(root, 'src', 'engine', 'docs', 'page'), join(folder, 'src', 'engine', 'docs', 'page'), {
    recursive: true,
  });
  process.env.PROGRAM = join(folder, 'src', 'main.js');
  process.env.ENGINE_PROGRAM = compileEngine(folder);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Puts the application of the engine's tests beside the compiled program; returns its main file. */
function compileEngine(folder: string): string {
  const there = join(folder, 'test', 'support', 'engine');
  mkdirSync(there, { recursive: true });
  copyFileSync(join(__dirname, 'engine', 'openapi.yaml'), join(there, 'openapi.yaml'));
  for (const name of ['application', 'plants']) {
    const source = readFileSync(join(__dirname, 'engine', `${name}.ts`), 'utf8');
    const { outputText } = transpileModule(source, {
      compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2023 },
    });
    writeFileSync(join(there, `${name}.js`), outputText);
  }
  return join(there, 'application.js');
}
