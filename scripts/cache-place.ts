/** Where to keep what takes long to make, until one of the files that it is made of changes. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './run-command';

const OTHERS = new Set(['node_modules', 'dist', 'results']);

/**
 * A path below `node_modules/.cache` that is of these files and folders alone, and of Node's version; what is there is up
 * to date. What was kept under this name for other files is removed.
 */
export function cachePlace(name: string, parts: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of parts.flatMap((part) => filesOf(join(root, part)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  const folder = join(root, 'node_modules', '.cache', 'plant-store');
  const place = `${name}-${hash.digest('hex').slice(0, 32)}`;
  mkdirSync(folder, { recursive: true });
  const outdated = readdirSync(folder).filter((each) => each.startsWith(`${name}-`) && each !== place);
  for (const each of outdated) rmSync(join(folder, each), { recursive: true, force: true });
  return join(folder, place);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !OTHERS.has(name));
  return names.sort().flatMap((name) => filesOf(join(path, name)));
}
