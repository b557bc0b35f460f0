/** Brings the packages of a project that `new` has made up to date with these tools. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
  const manifest = manifestOf(project);
  const before = basename(manifest.dependencies[ENGINE_PACKAGE] ?? '');
  const packages = join(project, 'packages');
  for (const name of existsSync(packages) ? readdirSync(packages) : [])
    if (name.startsWith(`${ENGINE_PACKAGE}-`)) rmSync(join(packages, name));
  const { engine, tools } = await writePackages(packages);
  manifest.dependencies[ENGINE_PACKAGE] = `file:packages/${engine}`;
  manifest.devDependencies[TOOLS_PACKAGE] = `file:packages/${tools}`;
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const specs = [ENGINE_PACKAGE, TOOLS_PACKAGE].map((name) => join(packages, name === ENGINE_PACKAGE ? engine : tools));
  const { ok, output } = await runProgram(['npm', 'install', '--no-audit', '--no-fund', '--prefix', project, ...specs]);
  if (!ok) throw new Error(`npm could not install the packages:\n${output}`);
  console.log(`${before} to ${engine}: installed`);
  return 0;
}
