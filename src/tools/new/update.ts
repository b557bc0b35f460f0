/** Brings the packages of a project that `new` has made up to date with these tools. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readArguments } from '../../engine';
import { ENGINE_PACKAGE, manifestOf, TOOLS_PACKAGE, writePackages } from '../project/own-package';
import { run as runProgram } from '../project/run-command';
import { typed } from '../project/typed';

const usage = `${typed('update', 'FOLDER')}
Puts the packages of this version into FOLDER, a project that new has made, and installs them there. Nothing else of it changes.`;

/** A project of before the engine was a package has it as source. */
const OLD = `expected a project that depends on the package ${ENGINE_PACKAGE}, got one with a copy of the engine in src/engine. To move it:
1. ${typed('new', '../moved openapi.yaml')}
2. copy what is yours into ../moved: src/operations, src/error-codes.ts, src/config.ts, test, and what you have added
3. replace imports of './engine/...' by '${ENGINE_PACKAGE}'; npm run types names what is left`;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0)
    throw new Error(`expected one FOLDER, got ${JSON.stringify(positionals)}\n${usage}`);
  const project = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
  if (existsSync(join(project, '.engine.json'))) throw new Error(OLD);
  if (!existsSync(join(project, 'package.json')) || !(ENGINE_PACKAGE in manifestOf(project).dependencies))
    throw new Error(`expected a project that depends on ${ENGINE_PACKAGE}, got ${project}`);
  console.log(`${await update(project)}: installed`);
  return 0;
}

/**
 * Puts the packages of this version beside the earlier ones, which go once npm has installed; a project for which this fails stays as it was.
 * Resolves to the files of both engines.
 */
async function update(project: string): Promise<string> {
  const manifest = manifestOf(project);
  const packages = join(project, 'packages');
  const earlier = [manifest.dependencies, manifest.devDependencies ?? {}]
    .flatMap((specs) => [specs[ENGINE_PACKAGE] ?? [], specs[TOOLS_PACKAGE] ?? []].flat())
    .filter((spec) => spec.startsWith('file:packages/'))
    .map((spec) => basename(spec));
  const made = mkdtempSync(join(tmpdir(), 'packages-'));
  try {
    const { engine, tools } = await writePackages(made);
    const added = [engine, tools].map((name) => join(packages, name));
    await orAsBefore([join(project, 'package.json'), join(project, 'package-lock.json'), ...added], async () => {
      mkdirSync(packages, { recursive: true });
      for (const file of added) copyFileSync(join(made, basename(file)), file);
      manifest.dependencies[ENGINE_PACKAGE] = `file:packages/${engine}`;
      manifest.devDependencies = { ...manifest.devDependencies, [TOOLS_PACKAGE]: `file:packages/${tools}` };
      writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
      const install = ['npm', 'install', '--no-audit', '--no-fund', '--prefix', project, ...added];
      const { ok, output } = await runProgram(install);
      if (!ok) throw new Error(`npm could not install the packages:\n${output}`);
    });
    for (const name of earlier) if (name !== engine && name !== tools) rmSync(join(packages, name), { force: true });
    return `${earlier[0] ?? 'none'} to ${engine}`;
  } finally {
    rmSync(made, { recursive: true });
  }
}

/** Changes files; puts back what was in them if that fails. */
async function orAsBefore(files: readonly string[], change: () => Promise<void>): Promise<void> {
  const before = files.map((file) => [file, existsSync(file) ? readFileSync(file) : undefined] as const);
  try {
    await change();
  } catch (error) {
    for (const [file, bytes] of before) {
      if (bytes) writeFileSync(file, bytes);
      else rmSync(file, { force: true });
    }
    throw error;
  }
}
