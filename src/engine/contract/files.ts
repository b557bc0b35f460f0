/**
 * Puts the files of a contract together as one document. The target of a reference becomes a component, if OpenAPI has components of its
 * kind, so that it may refer to itself; anything else, such as a path item, is copied to the place of the reference. So is what an example or an
 * extension refers to, if there is such a file: OpenAPI knows no references there, and authors write them all the same.
 */
import { isDiscriminator, nameIn } from './discriminator';
import { lookUp, type Path, type PlacePart, pointerOf, referenceTo, REFERENCES_MAX, type Schema } from './document';
import { resolveIdentifiers } from './identifiers';
import { type ComponentKind, COMPONENTS, DOCUMENT, isComponent, type Kind, kindWithin } from './kinds';
import { ContractProblems } from './problems';
import { ALIASES_MAX, DEPTH_MAX } from './read-yaml';
import {
  isFileOfSchema,
  type Location,
  nameBy,
  nameOf,
  referenceIn,
  type Sources,
  stepsOf,
  type Target,
} from './sources';
import { isSchema } from './traverse';

/** The files of a contract as one document. */
export interface Bundle {
  value: unknown;
  /** The place of a path of the document in the files; undefined if the file could not be read. */
  place: (path: Path, part?: PlacePart) => string | undefined;
}

/**
 * Bundles a contract; references that lead nowhere stay as they are, and are problems of its sources. Throws ContractProblems if what its
 * files copy of one another has no end, or is too much.
 */
export function bundleOf(sources: Sources): Bundle {
  return new Bundler(sources).bundle();
}

class Bundler {
  /** The names of components, by kind and target. */
  private readonly names = new Map<string, string>();
  /** The next number behind a name, by kind and name. */
  private readonly numbers = new Map<string, number>();
  /** The components, by kind and name; `undefined` for those that the contract has itself. */
  private readonly components = new Map<ComponentKind, Map<string, unknown>>();
  /** Each makes a component. */
  private readonly waiting: (() => void)[] = [];
  /** The locations of parts of the bundle, by their pointers. */
  private readonly origins = new Map<string, Location>();
  /** The targets that were copied to a place, and those that the current place is in. */
  private readonly copied = new Set<string>();
  private readonly around = new Set<string>();
  /** The number of targets around the current place that were copied before, and that of all parts which were. */
  private again = 0;
  private repeated = 0;

  constructor(private readonly sources: Sources) {}

  bundle(): Bundle {
    const root: Location = { file: this.sources.contract, path: [] };
    this.origins.set('', root);
    for (const kind of COMPONENTS) this.nameComponents(kind);
    const value = this.copy(this.sources.valueOf(root.file), root, [], DOCUMENT);
    for (const make of this.waiting) make(); // each may add to them
    if (isSchema(value)) this.addComponents(value);
    resolveIdentifiers(value);
    return { value, place: (path, part) => this.place(value, path, part) };
  }

  /** Takes the names of the contract's own components, for their targets if they are references to parts of that name. */
  private nameComponents(kind: ComponentKind): void {
    const taken = new Map<string, unknown>();
    this.components.set(kind, taken);
    const map = this.sources.follow({ file: this.sources.contract, path: [] }, referenceTo(['components', kind]));
    if (typeof map === 'string' || !isSchema(map.value)) return;
    for (const name of Object.keys(map.value)) {
      taken.set(name, undefined);
      const target = this.sources.follow(map, referenceTo([...map.path, name]));
      const isOther = typeof target !== 'string' && target.file !== this.sources.contract;
      if (isOther && nameOf(target) === name) this.names.set(keyOf(kind, target), name);
    }
  }

  private addComponents(document: Schema): void {
    const own = document.components ?? {};
    if (!isSchema(own)) return;
    for (const [kind, all] of this.components) {
      const made = [...all].filter(([, component]) => component !== undefined);
      const map = own[kind] ?? {};
      if (made.length > 0 && isSchema(map)) own[kind] = { ...map, ...Object.fromEntries(made) };
    }
    if (Object.keys(own).length > 0) document.components = own;
  }

  /** A copy of a part, which stands at `at` in the files and at `to` in the bundle, with references that hold there. */
  private copy(part: unknown, at: Location, to: Path, kind: Kind): unknown {
    if (typeof part !== 'object' || part === null || kind.of === 'data') return part;
    if (to.length > DEPTH_MAX) throw this.problem(at, `expected at most ${DEPTH_MAX} levels, got more`);
    if (this.again > 0 && ++this.repeated > ALIASES_MAX)
      throw this.problem(at, `expected references that repeat at most ${ALIASES_MAX} parts of other files, got more`);
    const reference = referenceIn(part);
    return reference === undefined
      ? this.copyMembers(part, at, to, kind)
      : this.copyReference(part as Schema, reference, at, to, kind);
  }

  private copyMembers(part: object, at: Location, to: Path, kind: Kind): unknown {
    const copied = Object.entries(part).map(([key, member]: [string, unknown]): [string, unknown] => [
      key,
      this.copy(member, { ...at, path: [...at.path, key] }, [...to, key], kindWithin(kind, key, member)),
    ]);
    if (Array.isArray(part)) return copied.map(([, member]) => member);
    const copy = Object.fromEntries(copied);
    if (kind.of === 'schemas' && !kind.isMap && isDiscriminator(copy.discriminator))
      return { ...copy, discriminator: this.copyDiscriminator({ ...copy.discriminator }, part, copy, at) };
    return copy;
  }

  private copyReference(part: Schema, reference: string, at: Location, to: Path, kind: Kind): unknown {
    const isOwn = at.file === this.sources.contract && reference.startsWith('#') && this.isWritten(reference);
    const target = isOwn
      ? undefined
      : kind.isLoose
        ? this.looseTarget(part, reference, at)
        : this.sources.find(at, reference);
    if (!target) return this.copyMembers(part, at, to, kind);
    const canBeNamed = !kind.isMap && (isSchema(target.value) || typeof target.value === 'boolean');
    const isIn = canBeNamed && isComponent(kind.of) ? this.componentFor(kind.of, target) : this.ownPlace(target);
    if (isIn === undefined || isIn === referenceTo(to)) return this.copyTarget(target, part, at, to, kind);
    return this.copyMembers({ ...part, $ref: isIn }, at, to, kind);
  }

  /** False for a reference of the contract to what stands behind another reference. */
  private isWritten(reference: string): boolean {
    const path = reference.startsWith('#/') ? stepsOf(reference.slice(1)) : [];
    return path === undefined || lookUp(this.sources.valueOf(this.sources.contract), path) !== undefined;
  }

  /** The target of a reference that may also be a text like any other; undefined if it is that. */
  private looseTarget(part: Schema, reference: string, at: Location): Target | undefined {
    const target = Object.keys(part).length === 1 ? this.sources.follow(at, reference) : '';
    return typeof target === 'string' || this.around.has(keyOf('', target)) ? undefined : target;
  }

  private ownPlace({ file, path }: Location): string | undefined {
    return file === this.sources.contract ? referenceTo(path) : undefined;
  }

  /** The reference to the component that a target is in the bundle; one that is new there is made later. */
  private componentFor(kind: ComponentKind, target: Target): string {
    const own = this.ownPlace(target);
    if (own !== undefined) return own;
    const key = keyOf(kind, target);
    const known = this.names.get(key);
    if (known !== undefined) return referenceTo(['components', kind, known]);
    const components = this.components.get(kind) ?? new Map<string, unknown>();
    const wanted = nameOf(target).replaceAll(/[^\w.-]/g, '_');
    let name = wanted;
    const numbered = `${kind} ${wanted}`;
    for (let number = this.numbers.get(numbered) ?? 2; components.has(name); number++) {
      name = `${wanted}-${number}`;
      this.numbers.set(numbered, number + 1);
    }
    this.names.set(key, name);
    components.set(name, undefined);
    const to = ['components', kind, name];
    this.origins.set(pointerOf(to), target);
    this.waiting.push(() => components.set(name, this.copy(target.value, target, to, { of: kind, isMap: false })));
    return referenceTo(to);
  }

  /** A copy of a target in the place of a reference to it, with what stands beside that. */
  private copyTarget(target: Target, part: Schema, at: Location, to: Path, kind: Kind): unknown {
    const key = keyOf('', target);
    if (this.around.has(key)) throw this.problem(at, `${String(part.$ref)} leads in a circle`);
    const isAgain = this.copied.has(key);
    this.copied.add(key);
    this.around.add(key);
    if (isAgain) this.again++;
    this.origins.set(pointerOf(to), target);
    const copy = this.copy(target.value, target, to, kind);
    if (isAgain) this.again--;
    this.around.delete(key);
    const { $ref: _, ...others } = part;
    if (!isSchema(copy)) return copy;
    for (const name of Object.keys(others))
      this.origins.set(pointerOf([...to, name]), { ...at, path: [...at.path, name] });
    return { ...copy, ...(this.copyMembers(others, at, to, kind) as object) };
  }

  /**
   * The mapping of a discriminator in terms of the bundle. A branch whose schema has another name there than in its file keeps the name by an
   * entry of its own.
   */
  private copyDiscriminator(discriminator: Schema, written: object, copy: Schema, at: Location): Schema {
    const branches = branchesOf(written, copy);
    const renamed = branches.filter(({ name, reference }) => nameIn(reference) !== name);
    const reread = (value: unknown): unknown => {
      if (typeof value !== 'string') return value;
      const named = branches.filter(({ name }) => name === value);
      if (named.length === 1 && named[0]) return renamed.includes(named[0]) ? named[0].reference : value;
      const isOther = value.startsWith('#') ? at.file !== this.sources.contract : isFileOfSchema(value);
      const target = isOther ? this.sources.follow(at, value) : '';
      return typeof target === 'string' ? value : this.componentFor('schemas', target);
    };
    const { mapping = {}, defaultMapping } = discriminator;
    if (!isSchema(mapping)) return discriminator;
    const own = Object.fromEntries(Object.entries(mapping).map(([value, name]) => [value, reread(name)]));
    for (const { name, reference } of renamed) {
      if (Object.values(own).includes(reference)) continue;
      if (branches.some((other) => other.name === name && other.reference !== reference))
        this.sources.report(at, `two branches are named ${name}: expected a mapping in the discriminator`);
      own[name] ??= reference;
    }
    return {
      ...discriminator,
      ...(Object.keys(own).length > 0 && { mapping: own }),
      ...(defaultMapping !== undefined && { defaultMapping: reread(defaultMapping) }),
    };
  }

  /** The place in the files of a path of the bundle, over references within that. */
  private place(bundle: unknown, path: Path, part?: PlacePart): string | undefined {
    const inBundle = pathBehind(bundle, path);
    if (!inBundle) return undefined;
    // The name of a member stands beside the reference to its value.
    for (let length = inBundle.length - (part === 'name' ? 1 : 0); length >= 0; length--) {
      const origin = this.origins.get(pointerOf(inBundle.slice(0, length)));
      if (origin) return this.sources.place({ ...origin, path: [...origin.path, ...inBundle.slice(length)] }, part);
    }
    return undefined;
  }

  private problem(at: Location, text: string): ContractProblems {
    return new ContractProblems([`${this.sources.place(at) ?? at.file} ${text}`]);
  }
}

function keyOf(kind: string, { file, path }: Location): string {
  return `${kind} ${file}#${pointerOf(path)}`;
}

/** The branches with references: their names by the files, and their references in the bundle. */
function branchesOf(written: object, copy: Schema): { name: string; reference: string }[] {
  return ['oneOf', 'anyOf'].flatMap((keyword) => {
    const own: unknown = copy[keyword];
    return (Array.isArray(own) ? (own as unknown[]) : []).flatMap((branch, index) => {
      const [before, reference] = [lookUp(written, [keyword, index]), branch].map(referenceIn);
      return before === undefined || reference === undefined ? [] : { name: nameBy(before), reference };
    });
  });
}

/** The path with local references on it followed; undefined if it leads to a file that could not be read. */
function pathBehind(document: unknown, path: Path): Path | undefined {
  let here: Path = [];
  let followed = 0;
  for (const step of path) {
    let reference = referenceIn(lookUp(document, here));
    while (reference !== undefined && lookUp(document, [...here, step]) === undefined) {
      const target = reference.startsWith('#/') ? stepsOf(reference.slice(1)) : undefined;
      if (!target || followed++ === REFERENCES_MAX) return undefined;
      here = target;
      reference = referenceIn(lookUp(document, here));
    }
    here = [...here, step];
  }
  return here;
}
