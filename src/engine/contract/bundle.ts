/**
 * Contracts of several files: `npm run generate` makes one file of them, which is what is served. Its head has the digest of each
 * file that it was made from, so that the start knows whether they are still the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { normalize } from './normalize';
import { ContractProblems, type Problem, readYaml } from './source';
import { placeInSources, referencesIn, sourcesOf } from './sources';

/** Where the bundle is, seen from `openapi.yaml`. */
export const BUNDLE = 'generated/openapi.yaml';
const DIGEST = /^# sha256 ([0-9a-f]{64}) (.+)$/gm;

/** Whether a document has references to other files; those to other hosts are not followed. */
export function namesOtherFiles(document: unknown): boolean {
  return referencesIn(document).length > 0;
}

/** What a contract says as OpenAPI 3.1, and what its author may want to write otherwise. */
export interface ServedDocument extends ReturnType<typeof readYaml> {
  warnings: readonly Problem[];
}

/** The contract as it is served: what `file` says, or its bundle; throws ContractProblems where that is not there, or is of other files. */
export function readServed(file: string): ServedDocument {
  const read = readFileOrBundle(file);
  return { ...read, warnings: normalize(read.value) };
}

function readFileOrBundle(file: string): ReturnType<typeof readYaml> {
  const own = readYaml(file);
  const bundle = bundleOf(file);
  if (!namesOtherFiles(own.value) || !existsSync(bundle)) return own;
  const head = [...readFileSync(bundle, 'utf8').matchAll(DIGEST)];
  if (head.length === 0)
    throw new ContractProblems([`${BUNDLE} does not say of what it was made: run npm run generate`]);
  const changed = head.flatMap(([, digest, name = '']) => {
    const source = resolve(dirname(file), name);
    // Where it is installed, the bundle is enough.
    return existsSync(source) && digestOfFile(source) !== digest ? [name] : [];
  });
  if (changed.length > 0)
    throw new ContractProblems([`${BUNDLE} was made before ${changed.join(', ')} changed: run npm run generate`]);
  const { value, place } = readYaml(bundle, BUNDLE);
  return { value, place: (path) => placeInSources(file, path) ?? place(path) };
}

/** The file of which `readServed` tells the content. */
export function servedFile(file: string): string {
  const bundle = bundleOf(file);
  return existsSync(bundle) && namesOtherFiles(readYaml(file).value) ? bundle : file;
}

/** The head of the bundle of a contract. */
export function bundleHead(file: string): string {
  const line = (source: string): string =>
    `# sha256 ${digestOfFile(source)} ${relative(dirname(file), source).replaceAll('\\', '/')}\n`;
  return [...sourcesOf(file)].map(line).join('');
}

function bundleOf(file: string): string {
  return join(dirname(file), BUNDLE);
}

/** Line endings make no difference. */
function digestOfFile(file: string): string {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return createHash('sha256').update(text).digest('hex');
}
