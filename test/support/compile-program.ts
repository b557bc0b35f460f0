/** Jest's global setup: compiles the program once per run, for the tests that start it as a process. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import { digestOf } from '../../src/contract/digest';
import { readYaml } from '../../src/contract/source';

const root = join(__dirname, '..', '..');

/**
 * Sets `PROGRAM` to the compiled main file in the environment of all tests, and `ENGINE_PROGRAM` to that of the same program
 * with the contract of the engine's tests; types are checked elsewhere.
 */
export default function compileProgram(): void {
  // Below the project, so that its packages are found.
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist', 'test-'));
  const options = ['--noCheck', '--composite', 'false', '--incremental', 'false', '--outDir', folder];
  execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', join(root, 'src'), ...options]);
  for (const name of ['openapi.yaml', 'package.json']) copyFileSync(join(root, name), join(folder, name));
  cpSync(join(root, 'src', 'docs', 'page'), join(folder, 'src', 'docs', 'page'), { recursive: true });
  const engine = mkdtempSync(join(root, 'dist', 'test-'));
  cpSync(folder, engine, { recursive: true });
  serveEngineContract(engine);
  process.env.PROGRAM = join(folder, 'src', 'main.js');
  process.env.ENGINE_PROGRAM = join(engine, 'src', 'main.js');
  process.on('exit', () => {
    for (const each of [folder, engine]) rmSync(each, { recursive: true, force: true });
  });
}

/** Gives a compiled program the contract of the engine's tests, its digest and its handlers. */
function serveEngineContract(folder: string): void {
  const contract = join(__dirname, 'engine', 'openapi.yaml');
  copyFileSync(contract, join(folder, 'openapi.yaml'));
  const digest = digestOf(readYaml(contract).value);
  writeFileSync(join(folder, 'generated', 'openapi.js'), `exports.contractDigest = '${digest}';\n`);
  const plants = join('test', 'support', 'engine', 'plants');
  const { outputText } = transpileModule(readFileSync(join(root, `${plants}.ts`), 'utf8'), {
    compilerOptions: { module: ModuleKind.CommonJS, target: ScriptTarget.ES2023 },
  });
  mkdirSync(join(folder, 'test', 'support', 'engine'), { recursive: true });
  writeFileSync(join(folder, `${plants}.js`), outputText);
  writeFileSync(
    join(folder, 'src', 'handlers.js'),
    `exports.handlersOn = () => new (require('../test/support/engine/plants').EnginePlants)().handlers;\n`,
  );
}
