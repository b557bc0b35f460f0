/**
 * Contracts of several files. `npm run generate` bundles them into one file, and that is served. Its head has the digest of each
 * source file, so that startup notices if one has changed since. The tools that serve no project bundle the files as they read them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Bundle, bundleOf } from './files';
import { Folders } from './folders';
import { normalize } from './normalize';
import { ContractProblems, type Problem } from './problems';
import { readYaml } from './read-yaml';
import { referencesIn, Sources } from './sources';

/** The path of the bundle, from the folder of `openapi.yaml`. */
export const BUNDLE = 'generated/openapi.yaml';
const DIGEST = /^# sha256 ([0-9a-f]{64}) (.+)$/gm;

/** A contract as OpenAPI 3.1, with warnings for its author. */
export interface ServedDocument extends ReturnType<typeof readYaml> {
  warnings: readonly Problem[];
}

/** The contract as it is served: the file or, if it names others, its bundle. Throws ContractProblems if the bundle is out of date. */
export function readServed(file: string): ServedDocument {
  const read = readFileOrBundle(file);
  return { ...read, warnings: normalize(read.value) };
}

/**
 * The contract as the author's files are now, which may also be in the allowed folders. Throws ContractProblems if a file is not there, is no YAML, or
 * is anywhere else. References to other hosts are not followed.
 */
export function readDocument(file: string, allowed: readonly string[] = []): ServedDocument {
  const own = readYaml(file);
  if (referencesIn(own.value).length === 0) return { ...own, warnings: normalize(own.value) };
  const { value, place } = bundleFiles(new Sources(file, new Folders(file, allowed)));
  return { value, place: (path, part) => place(path, part) ?? own.place(path, part), warnings: normalize(value) };
}

/** Bundles a contract; throws ContractProblems with all its references that cannot be followed, and the faults of its files. */
export function bundleFiles(sources: Sources): Bundle {
  sources.refuseReferences();
  const bundle = bundleOf(sources);
  const problems = sources.problems();
  if (problems.length > 0) throw new ContractProblems(problems);
  return bundle;
}

function readFileOrBundle(file: string): ReturnType<typeof readYaml> {
  const own = readYaml(file);
  const bundle = join(dirname(file), BUNDLE);
  if (referencesIn(own.value).length === 0 || !existsSync(bundle)) return own;
  const head = [...readFileSync(bundle, 'utf8').matchAll(DIGEST)];
  if (head.length === 0)
    throw new ContractProblems([`${BUNDLE} does not say of what it was made: run npm run generate`]);
  // Files from other folders that `generate` was allowed to read are in the bundle, and are not read again.
  const folders = new Folders(file);
  const bundled = head.map(([, digest, name = '']) => ({ digest, name, source: resolve(dirname(file), name) }));
  new Sources(file, folders).refuseReferences(new Set(bundled.map(({ source }) => source)));
  const changed = bundled.flatMap(({ digest, name, source }) => {
    const isRead = folders.refusal(source, true) === undefined;
    // Missing sources are fine: an installation needs the bundle only.
    return isRead && existsSync(source) && digestOfFile(source) !== digest ? [name] : [];
  });
  if (changed.length > 0)
    throw new ContractProblems([`${BUNDLE} was made before ${changed.join(', ')} changed: run npm run generate`]);
  const { value, place } = readYaml(bundle, BUNDLE);
  // The files are read for places alone, and may be read again: they take more memory than the document.
  let kept: WeakRef<Bundle> | undefined;
  const inFiles: Bundle['place'] = (path, part) => {
    if (!existsSync(file)) return undefined; // an earlier version, which was copied for a comparison
    const made = kept?.deref() ?? bundleOf(new Sources(file, folders));
    kept = new WeakRef(made);
    return made.place(path, part);
  };
  return { value, place: (path, part) => inFiles(path, part) ?? place(path, part) };
}

/** The first lines of a contract's bundle: the digest of each of its files. */
export function bundleHead(file: string, sources: Iterable<string>): string {
  const line = (source: string): string =>
    `# sha256 ${digestOfFile(source)} ${relative(dirname(file), source).replaceAll('\\', '/')}\n`;
  return [...sources].map(line).join('');
}

/** SHA-256 of a text file, whatever its line endings. */
function digestOfFile(file: string): string {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return createHash('sha256').update(text).digest('hex');
}
