/** The folder and the version of the project. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const above = dirname(__dirname);

/** The folder of `package.json` and `openapi.yaml`, whether this file runs from `src` or, compiled, from `dist/src`. */
export const projectRoot = basename(above) === 'dist' ? dirname(above) : above;

/** The version of the program, from `package.json`. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  return version;
}
