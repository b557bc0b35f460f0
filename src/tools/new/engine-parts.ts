/** What a project shares with this one: the engine, and the commands that go with it. `engine:update` brings both up to date. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../project/run-command';

const PARTS = ['src/engine', 'src/tools'];

/** In a project, what it has of them: which version, and the digest of each file. */
export const RECORD = '.engine.json';

export interface EngineRecord {
  /** Of this project. */
  version: string;
  /** SHA-256 in hexadecimal, by the name of the file. */
  files: Readonly<Record<string, string>>;
}

/** The files of the parts that a project has, by their names there. Pictures are of this project's documentation. */
export function engineFiles(project: string): string[] {
  return PARTS.flatMap((part) => filesBelow(project, part))
    .filter((name) => !name.endsWith('.png'))
    .sort();
}

function filesBelow(project: string, name: string): string[] {
  const path = join(project, name);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path).flatMap((each) => filesBelow(project, `${name}/${each}`));
}

/** What the project has of the engine. */
export function recordOf(project: string, version: string): EngineRecord {
  const digest = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(project, name), 'utf8').replaceAll('\r\n', '\n'))
      .digest('hex');
  return { version, files: Object.fromEntries(engineFiles(project).map((name) => [name, digest(name)])) };
}

/** Makes the engine of a project that of this one, and records it. */
export function copyEngine(project: string): EngineRecord {
  const files = engineFiles(root);
  for (const name of engineFiles(project)) if (!files.includes(name)) rmSync(join(project, name));
  for (const name of files) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    cpSync(join(root, name), join(project, name));
  }
  const record = recordOf(project, manifestOf(root).version);
  writeFileSync(join(project, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** What is read of a package.json. */
export interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  prettier: object;
  [field: string]: unknown;
}

export function manifestOf(project: string): Manifest {
  return JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
}

/** The packages of this project that a text imports. */
export function packagesIn(text: string): string[] {
  const { dependencies, devDependencies } = manifestOf(root);
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
    ["'", '"', '/'].some((end) => text.includes(`'${name}${end}`)),
  );
}
