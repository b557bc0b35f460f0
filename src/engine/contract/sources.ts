/** The files of a contract that has several, and the places in them of parts of the bundle. */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { Folders, isText } from './folders';
import { lookUp, type Path, pathOfFragment, type PlacePart, REFERENCES_MAX } from './document';
import { ContractProblems } from './problems';
import { readYaml } from './read-yaml';

/** The files of a contract, itself first; those that do not exist, or may not be read, are left out. */
export function sourcesOf(contract: string, folders = foldersOf(contract)): Set<string> {
  const found = new Set<string>();
  const look = (file: string): void => {
    if (found.has(file) || !existsSync(file)) return;
    found.add(file);
    for (const [reference, path] of placedReferences(valueOf(file))) {
      const next = fileOf(file, reference);
      if (folders?.refusal(next, mayBeText(path)) === undefined) look(next);
    }
  };
  look(contract);
  return found;
}

/**
 * Throws ContractProblems for references to files that may not be read, with their places; those in `but` are never
 * read, and not refused.
 */
export function refuseReferences(contract: string, folders: Folders, but: ReadonlySet<string> = new Set()): void {
  const problems = [...sourcesOf(contract, folders)].flatMap((file) => {
    const references = placedReferences(valueOf(file)).filter(([reference]) => !but.has(fileOf(file, reference)));
    return references.flatMap(([reference, path]) => {
      const why = folders.refusal(fileOf(file, reference), mayBeText(path));
      return why === undefined ? [] : [`${readYaml(file, nameOf(contract, file)).place(path)} ${reference} ${why}`];
    });
  });
  if (problems.length > 0) throw new ContractProblems(problems);
}

function foldersOf(contract: string): Folders | undefined {
  return existsSync(contract) ? new Folders(contract) : undefined;
}

/** True for the place of a reference in a description, which may lead to a file of text. */
function mayBeText(path: Path): boolean {
  return path.at(-2) === 'description';
}

function nameOf(contract: string, file: string): string {
  return relative(dirname(contract), file).replaceAll('\\', '/');
}

/** The place of a path of the bundle in the contract's files; undefined if it is not found, or the files are not installed. */
export function placeInSources(
  contract: string,
  inBundle: Path,
  part?: PlacePart,
  folders = foldersOf(contract),
): string | undefined {
  const placeIn = (file: string, path: Path): string | undefined => {
    if (!existsSync(file) || (file !== contract && folders?.refusal(file, false) !== undefined)) return undefined;
    const { value, place } = readYaml(file, nameOf(contract, file));
    let here = value;
    for (const [index, step] of path.entries()) {
      here = lookUp(here, [step]);
      const [reference] = referencesIn({ $ref: lookUp(here, ['$ref']) });
      if (reference !== undefined) return placeBehind(file, reference, path.slice(index + 1));
      if (here === undefined && file === contract && path[0] === 'components' && index <= 2)
        return placeOfComponent(path);
    }
    return place(path, part);
  };
  let followed = 0; // of references that lead to one another there is no end
  const placeBehind = (from: string, reference: string, rest: Path): string | undefined => {
    if (++followed > REFERENCES_MAX) return undefined;
    const { file, path } = target(from, reference);
    return placeIn(file, [...path, ...rest]);
  };
  /** The place of a component that the bundler has made, named after the last step of a reference. */
  const placeOfComponent = ([, , name, ...rest]: Path): string | undefined => {
    for (const file of sourcesOf(contract, folders)) {
      const reference = referencesIn(valueOf(file)).find((each) => target(file, each).name === name);
      if (reference !== undefined) return placeBehind(file, reference, rest);
    }
    return undefined;
  };
  return placeIn(contract, inBundle);
}

/** The target of a reference in a file, and the name that the bundler gives it. */
function target(from: string, reference: string): { file: string; path: Path; name: string } {
  const file = fileOf(from, reference);
  const path = pathOfFragment(reference.split('#')[1] ?? '');
  return { file, path, name: path.at(-1) ?? basename(file, extname(file)) };
}

/** The file that a reference in another one leads to. */
export function fileOf(from: string, reference: string): string {
  return resolve(dirname(from), reference.split('#')[0] ?? '');
}

/** The value of a file; undefined if it is a text, or not YAML, which the bundler reports. */
function valueOf(file: string): unknown {
  if (isText(file)) return undefined;
  try {
    return readYaml(file).value;
  } catch (error) {
    if (error instanceof ContractProblems) return undefined;
    throw error;
  }
}

/** The references of a document to other files; those to other hosts are never followed. */
export function referencesIn(value: unknown): string[] {
  return placedReferences(value).map(([reference]) => reference);
}

/** References to other files, each with its path. */
function placedReferences(value: unknown, path: Path = []): [reference: string, path: Path][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    // In an example or a list of them `$ref` is data; a map of examples may have references.
    const isExample = key === 'example' || (key === 'examples' && Array.isArray(member));
    if (path.at(-1) !== 'properties' && (isExample || key.startsWith('x-'))) return [];
    if (key !== '$ref' || typeof member !== 'string') return placedReferences(member, [...path, key]);
    return isFileName(member) ? [[member, [...path, key]]] : [];
  });
}

/** True if a reference leads to another file; one with a scheme, such as `https:`, does not. */
export function isFileName(reference: string): boolean {
  const [name = ''] = reference.split('#');
  return name !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(name);
}
