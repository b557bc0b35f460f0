/** The files of a contract of several, and where in them its author has written what stands in its bundle. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { type Path, pathOfFragment } from './document';
import { ContractProblems, readYaml } from './source';

/** The files that a contract consists of, itself first, as far as they are there. */
export function sourcesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  for (const reference of referencesIn(valueOf(file))) sourcesOf(fileOf(file, reference), found);
  return found;
}

/** The place in the files of the contract; undefined where that cannot be told, as where they are not installed. */
export function placeInSources(contract: string, path: Path, file = contract): string | undefined {
  if (!existsSync(file)) return undefined;
  const { value, place } = readYaml(file, relative(dirname(contract), file).replaceAll('\\', '/'));
  let here = value;
  for (const [index, step] of path.entries()) {
    here = memberOf(here, step);
    const [reference] = referencesIn({ $ref: memberOf(here, '$ref') });
    const rest = path.slice(index + 1);
    if (reference !== undefined) return placeBehind(contract, file, reference, rest);
    if (here === undefined && file === contract && path[0] === 'components' && index <= 2)
      return placeOfComponent(contract, path);
  }
  return place(path);
}

/** What the bundler has put among the components, under the last name of a reference. */
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

/** What a reference in a file leads to, and the name of that. */
function target(from: string, reference: string): { file: string; path: Path; name: string } {
  const file = fileOf(from, reference);
  const path = pathOfFragment(reference.split('#')[1] ?? '');
  return { file, path, name: path.at(-1) ?? basename(file, extname(file)) };
}

function fileOf(from: string, reference: string): string {
  return resolve(dirname(from), reference.split('#')[0] ?? '');
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? Reflect.get(value, step)
    : undefined;
}

/** What is no YAML names no files; whoever bundles it says what is wrong there. */
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
    // In a list of examples, or in one, it is a value; in a map of them it may be a reference.
    const isExample = key === 'example' || (key === 'examples' && Array.isArray(member));
    if (within !== 'properties' && (isExample || key.startsWith('x-'))) return [];
    if (key !== '$ref' || typeof member !== 'string') return referencesIn(member, key);
    const [name = ''] = member.split('#');
    return name === '' || /^[a-z][a-z0-9+.-]*:/i.test(name) ? [] : [member];
  });
}
