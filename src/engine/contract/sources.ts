/** The files of a contract that has several, and the places in them that parts of the bundle come from. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { lookUp, type Path, pathOfFragment } from './document';
import { ContractProblems } from './problems';
import { readYaml } from './read-yaml';

/** The files of a contract, itself first; those that do not exist are left out. */
export function sourcesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const reference of referencesIn(valueOf(file))) sourcesOf(fileOf(file, reference), found);
  return found;
}

/** The place of a path of the bundle in the contract's files; undefined if it is not found, or the files are not installed. */
export function placeInSources(contract: string, path: Path, file = contract): string | undefined {
  if (!existsSync(file)) return undefined;
  const { value, place } = readYaml(file, relative(dirname(contract), file).replaceAll('\\', '/'));
  let here = value;
  for (const [index, step] of path.entries()) {
    here = lookUp(here, [step]);
    const [reference] = referencesIn({ $ref: lookUp(here, ['$ref']) });
    const rest = path.slice(index + 1);
    if (reference !== undefined) return placeBehind(contract, file, reference, rest);
    if (here === undefined && file === contract && path[0] === 'components' && index <= 2)
      return placeOfComponent(contract, path);
  }
  return place(path);
}

/** The place of a component that the bundler has made, named after the last step of a reference. */
function placeOfComponent(contract: string, [, , name, ...rest]: Path): string | undefined {
  for (const file of sourcesOf(contract)) {
    const reference = referencesIn(valueOf(file)).find((each) => target(file, each).name === name);
    if (reference !== undefined) return placeBehind(contract, file, reference, rest);
  }
  return undefined;
}

function placeBehind(contract: string, from: string, reference: string, rest: Path): string | undefined {
  const { file, path } = target(from, reference);
  return placeInSources(contract, [...path, ...rest], file);
}

/** What a reference in a file leads to, and the name that the bundler gives it. */
function target(from: string, reference: string): { file: string; path: Path; name: string } {
  const file = fileOf(from, reference);
  const path = pathOfFragment(reference.split('#')[1] ?? '');
  return { file, path, name: path.at(-1) ?? basename(file, extname(file)) };
}

function fileOf(from: string, reference: string): string {
  return resolve(dirname(from), reference.split('#')[0] ?? '');
}

/** The value of a file; undefined if it is not YAML, which the bundler reports. */
function valueOf(file: string): unknown {
  try {
    return readYaml(file).value;
  } catch (error) {
    if (error instanceof ContractProblems) return undefined;
    throw error;
  }
}

/** The references of a document to other files; those to other hosts are not followed. */
export function referencesIn(value: unknown, within = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    // In an example or a list of them `$ref` is data; a map of examples may have references.
    const isExample = key === 'example' || (key === 'examples' && Array.isArray(member));
    if (within !== 'properties' && (isExample || key.startsWith('x-'))) return [];
    if (key !== '$ref' || typeof member !== 'string') return referencesIn(member, key);
    const [name = ''] = member.split('#');
    return name === '' || /^[a-z][a-z0-9+.-]*:/i.test(name) ? [] : [member];
  });
}
