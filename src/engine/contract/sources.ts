/** The files of a contract that has several: the references between them, and the parts that these lead to. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, relative, resolve } from 'node:path';
import { lookUp, type Path, pathOfFragment, type PlacePart, REFERENCES_MAX } from './document';
import { Folders, isText } from './folders';
import { DOCUMENT, type Kind, kindWithin } from './kinds';
import { ContractProblems, problemLines } from './problems';
import { readYaml } from './read-yaml';
import { isSchema, schemasWithin } from './traverse';

/** A part of a file. */
export interface Location {
  file: string;
  path: Path;
}

export interface Target extends Location {
  value: unknown;
}

/** A reference of a file, and the steps to go from its target. */
interface Onward {
  file: string;
  reference: string;
  rest: Path;
}

/** The files of a contract, as far as they are in its folders. Each is read once. */
export class Sources {
  readonly contract: string;
  private readonly read = new Map<string, Partial<ReturnType<typeof readYaml>>>();
  /** The faults of files, and the files that were asked for. */
  private readonly faults = new Map<string, readonly string[]>();
  private readonly asked = new Set<string>();
  private readonly broken: [place: string, why: string][] = [];

  constructor(
    contract: string,
    private readonly folders = new Folders(contract),
  ) {
    this.contract = resolve(contract);
    this.asked.add(this.contract);
  }

  /** The files, the contract first, also those that only unused parts name; without those that do not exist, or may not be read. */
  all(): Set<string> {
    return new Set([...this.named()].filter((file) => file === this.contract || existsSync(file)));
  }

  /** The files that are named, the contract first, whether they exist or not; without those that may not be read. */
  named(): Set<string> {
    const found = new Set([this.contract]);
    for (const file of found) {
      if (file !== this.contract && !existsSync(file)) continue;
      for (const { reference, path } of referencesIn(this.valueOf(file))) {
        const next = fileOf(file, reference);
        if (this.refusal(next, path) === undefined) found.add(next);
      }
    }
    return found;
  }

  /**
   * Throws ContractProblems for references to files that may not be read, with their places; those in `but` are never
   * read, and not refused.
   */
  refuseReferences(but: ReadonlySet<string> = new Set()): void {
    const problems = [...this.all()].flatMap((file) =>
      referencesIn(this.valueOf(file)).flatMap(({ reference, path, isExample }) => {
        const target = fileOf(file, reference);
        const why = isExample || but.has(target) ? undefined : this.refusal(target, path);
        return why === undefined ? [] : [`${this.place({ file, path })} ${reference} ${why}`];
      }),
    );
    if (problems.length > 0) throw new ContractProblems(problems);
  }

  /** The faults of files that references were followed to, and the references that led nowhere, each with its place. */
  problems(): string[] {
    const places = this.broken.map(([place]) => place);
    const lines = problemLines(
      this.broken.map(([, why], index) => [[index], why]),
      ([index]) => places[Number(index)] ?? '',
    );
    const faults = [...this.faults].flatMap(([file, problems]) => (this.asked.has(file) ? problems : []));
    return [...faults, ...lines];
  }

  /** The value of a file, or its text if it is Markdown; undefined if it is not YAML, which is a problem then. */
  valueOf(file: string): unknown {
    const known = this.read.get(file);
    if (known) return known.value;
    const read = this.readFile(file);
    this.read.set(file, read);
    return read.value;
  }

  private readFile(file: string): Partial<ReturnType<typeof readYaml>> {
    if (isText(file)) return { value: readFileSync(file, 'utf8') };
    try {
      return readYaml(file, relative(dirname(this.contract), file).replaceAll('\\', '/'));
    } catch (error) {
      if (!(error instanceof ContractProblems)) throw error;
      this.faults.set(file, error.problems);
      return {};
    }
  }

  /** The place of a part, or of the nearest thing to it; undefined if its file could not be read. */
  place({ file, path }: Location, part?: PlacePart): string | undefined {
    return this.read.get(file)?.place?.(path, part);
  }

  /** The target of the reference at a location; undefined if there is none, which is a problem then. */
  find(at: Location, reference: string): Target | undefined {
    const found = this.follow(at, reference);
    if (typeof found !== 'string') return found;
    if (found !== FAULTY) this.report({ ...at, path: [...at.path, '$ref'] }, found);
    return undefined;
  }

  /** Adds a problem. */
  report(at: Location, why: string): void {
    this.broken.push([this.place(at) ?? at.file, why]);
  }

  /** The target of a reference, over further references; the reason if there is none. */
  follow(at: Location, reference: string): Target | string {
    let next: Onward = { file: at.file, reference, rest: [] };
    for (let followed = 0; followed < REFERENCES_MAX; followed++) {
      const file = next.reference.startsWith('#') ? next.file : fileOf(next.file, next.reference);
      const why = this.refusal(file, [...at.path, '$ref']);
      if (why !== undefined) return `${next.reference} ${why}`;
      if (!existsSync(file)) return `${next.reference} leads to a file that is not there`;
      this.asked.add(file);
      if (this.valueOf(file) === undefined) return FAULTY;
      const path = this.pathIn(file, next.reference);
      const found = path && this.walk(file, [...path, ...next.rest]);
      if (!found) return `${next.reference} leads nowhere`;
      if ('value' in found) return found;
      next = found;
    }
    return `${reference} leads in a circle, or over more than ${REFERENCES_MAX} references`;
  }

  private refusal(file: string, path: Path): string | undefined {
    // A description may be a file of text.
    return file === this.contract ? undefined : this.folders.refusal(file, path.at(-2) === 'description');
  }

  /** The part at a path, or the reference that stands alone there, or on the way; undefined if there is nothing. */
  private walk(file: string, path: Path): Target | Onward | undefined {
    let value = this.valueOf(file);
    for (const [index, step] of path.entries()) {
      const inner = lookUp(value, [step]);
      const reference = inner === undefined ? referenceIn(value) : undefined;
      if (reference !== undefined) return { file, reference, rest: path.slice(index) };
      if (inner === undefined) return undefined;
      value = inner;
    }
    const reference = isSchema(value) && Object.keys(value).length === 1 ? referenceIn(value) : undefined;
    return reference === undefined ? { file, path, value } : { file, reference, rest: [] };
  }

  /** The path of a reference in its file, by a JSON pointer or an `$anchor`; undefined if it has none. */
  private pathIn(file: string, reference: string): Path | undefined {
    const [, fragment = ''] = reference.split('#');
    if (fragment === '/') return []; // a file, as some authors write it
    if (fragment === '' || fragment.startsWith('/')) return stepsOf(fragment);
    return schemasWithin(this.valueOf(file), []).find(([{ $anchor }]) => $anchor === fragment)?.[1];
  }
}

/** The reason for a reference to a file with faults, which are reported themselves. */
const FAULTY = '';

/** The files of a contract, itself first; none if it is not there. */
export function sourcesOf(contract: string, folders?: Folders): Set<string> {
  return existsSync(contract) ? new Sources(contract, folders).all() : new Set();
}

/** The files to watch for changes of a contract: itself, and those that it names, also while they do not exist. */
export function watchedFiles(contract: string, folders?: Folders): Set<string> {
  return existsSync(contract) ? new Sources(contract, folders).named() : new Set([resolve(contract)]);
}

/** The file that a reference in another one leads to. */
export function fileOf(from: string, reference: string): string {
  return resolve(dirname(from), reference.split('#')[0] ?? '');
}

/** The name of a part of a file: the last step to it, or else the name of the file. */
export function nameOf({ file, path }: Location): string {
  return String(path.at(-1) ?? basename(file, extname(file)));
}

/** The name of the part that a reference leads to. */
export function nameBy(reference: string): string {
  const [file = '', fragment = ''] = reference.split('#');
  return nameOf({ file, path: stepsOf(fragment) ?? [] });
}

/** The path of a JSON pointer in a reference; undefined if a `%` in it encodes nothing. */
export function stepsOf(fragment: string): Path | undefined {
  try {
    return pathOfFragment(fragment);
  } catch {
    return undefined;
  }
}

/** The reference that a part is, to a place in its file or to another one; those to other hosts are never followed. */
export function referenceIn(part: unknown): string | undefined {
  const reference = isSchema(part) ? part.$ref : undefined;
  return typeof reference === 'string' && (reference.startsWith('#') || isFileName(reference)) ? reference : undefined;
}

/** True if a document has references to other files, beside those of its examples. */
export function namesOtherFiles(document: unknown): boolean {
  return referencesIn(document).some(({ isExample }) => !isExample);
}

/** A reference to another file, or a value of a discriminator that is one. */
export interface PlacedReference {
  reference: string;
  path: Path;
  /** True in an example or extension, where it may also be a text like any other. */
  isExample: boolean;
}

/** The references of a file to others. */
export function referencesIn(
  part: unknown,
  path: Path = [],
  kind: Kind = DOCUMENT,
  found: PlacedReference[] = [],
): PlacedReference[] {
  if (typeof part !== 'object' || part === null || kind.of === 'data') return found;
  const isExample = kind.isLoose === true;
  for (const [key, member] of Object.entries(part)) {
    const inner = [...path, key];
    if (typeof member !== 'string') referencesIn(member, inner, kindWithin(kind, key, member), found);
    else if (
      key === '$ref' ? isFileName(member) : !isExample && path.includes('discriminator') && isFileOfSchema(member)
    )
      found.push({ reference: member, path: inner, isExample });
  }
  return found;
}

/** True if a reference leads to another file; one with a scheme, such as `https:`, does not. */
function isFileName(reference: string): boolean {
  const [name = ''] = reference.split('#');
  return name !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(name);
}

/** True if a value of a discriminator's mapping is a reference to another file, rather than the name of a schema. */
export function isFileOfSchema(value: string): boolean {
  return isFileName(value) && /\.(?:json|ya?ml)(?:#|$)/i.test(value);
}
