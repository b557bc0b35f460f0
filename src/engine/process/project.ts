/** The project of a service: its folder and version. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A project: a folder with a contract and a package.json.
 *
 * @example
 * const project: Project = projectOf(__dirname);
 */
export interface Project {
  /** The absolute path of the folder. */
  folder: string;
  /** The path of its `openapi.yaml`. */
  contract: string;
  /** The version in its `package.json`. */
  version: string;
}

/**
 * The project that a module belongs to: the nearest folder above it with an `openapi.yaml`, so that it is found from `src` and,
 * compiled, from `dist`. Throws if there is none.
 *
 * @example
 * const { contract, version } = projectOf(__dirname);
 */
export function projectOf(moduleFolder: string): Project {
  const contract = join(moduleFolder, 'openapi.yaml');
  if (existsSync(contract)) {
    const { version } = JSON.parse(readFileSync(join(moduleFolder, 'package.json'), 'utf8')) as { version: string };
    return { folder: moduleFolder, contract, version };
  }
  const above = dirname(moduleFolder);
  if (above === moduleFolder) throw new Error('expected an openapi.yaml in a folder above the program, got none');
  return projectOf(above);
}
