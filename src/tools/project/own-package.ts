/** The package of these tools: its manifest, and the files of both packages. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run } from './run-command';

/** The engine, which a service depends on. */
export const ENGINE_PACKAGE = 'openapi-in-charge';
/** The tools, which make a service and check it. */
export const TOOLS_PACKAGE = 'openapi-in-charge-tools';

/** The fields of a package.json that are read. */
export interface Manifest {
  version: string;
  /** The version of the two packages, where it is not that of the project: in the repository that makes them. */
  packagesVersion?: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
  [field: string]: unknown;
}

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The version of the two packages that a folder makes, or is one of. */
export function packagesVersionOf({ version, packagesVersion = version }: Manifest): string {
  return packagesVersion;
}

/** The folder of the package: this repository, or where npm has installed the tools. */
export const ownFolder = folderAbove(__dirname);

/** The lint rules of a new project. */
export const ownLintRules = join(ownFolder, 'redocly.yaml');

/** The lint rules of the project; those of a new one if it has none. */
export function lintRules(): string {
  const rules = join(root, 'redocly.yaml');
  return existsSync(rules) ? rules : ownLintRules;
}

/** The package file of the engine, which installed tools have beside them. */
const engineFile = join(ownFolder, 'engine.tgz');

/** Puts the files of the two packages into a folder; resolves to their names there. */
export async function writePackages(folder: string): Promise<{ engine: string; tools: string }> {
  mkdirSync(folder, { recursive: true });
  const version = packagesVersionOf(manifestOf(ownFolder));
  const [engine, tools] = [`${ENGINE_PACKAGE}-${version}.tgz`, `${TOOLS_PACKAGE}-${version}.tgz`];
  const isInstalled = existsSync(engineFile);
  if (isInstalled) copyFileSync(engineFile, join(folder, engine));
  const { ok, output } = await run(
    isInstalled
      ? ['npm', 'pack', ownFolder, '--silent', '--ignore-scripts', '--pack-destination', folder]
      : ['npm', 'run', '--silent', '--prefix', ownFolder, 'package', '--', folder],
  );
  if (!ok) throw new Error(`the packages could not be made:\n${output}`);
  return { engine, tools };
}

function folderAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderAbove(dirname(folder));
}
