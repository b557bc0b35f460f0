/**
 * References by `$id`, `$anchor` and `$dynamicRef` (JSON Schema 2020-12, sections 8.2 and 9), brought to references to places when a document
 * is read. A schema that depends on where it is referred to from, by `$dynamicRef`, is copied for each place that gives it another meaning.
 */
import { type Document, lookUp, type Path, pathOfFragment, pointerOf, referenceTo, type Schema } from './document';
import { ContractProblems } from './problems';
import { isSchema, rootSchemas, schemasWithin } from './traverse';

const KEYWORDS = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];
/** The base of references outside of schemas with an `$id`. */
const DOCUMENT = 'file:///';
/** The most schemas, those within counted, that are copied for `$dynamicRef`. */
const COPIED_MAX = 20_000;

/** The schemas that dynamic anchors lead to, by name; the outermost schema with such an anchor decides. */
type Scope = ReadonlyMap<string, Path>;

/** Changes the document in place. */
export function resolveIdentifiers(document: unknown): void {
  if (isSchema(document) && rootSchemas(document).some(([root]) => isIdentified(root)))
    new Identifiers(document).resolve();
}

function isIdentified(root: Schema): boolean {
  return schemasWithin(root, []).some(([schema]) => KEYWORDS.some((keyword) => typeof schema[keyword] === 'string'));
}

class Identifiers {
  private readonly original: object;
  /** The base of references in a schema with an `$id` and those within it, by the pointer of the schema. */
  private readonly bases = new Map<string, string>();
  /** The paths of identified schemas: `file:///list`, `file:///list#item`. */
  private readonly paths = new Map<string, Path>();
  /** The dynamic anchors of each base. */
  private readonly anchors = new Map<string, Map<string, Path>>();
  /** The scope in which a schema stands in its place, by pointer; copies by pointer and scope. */
  private readonly scopes = new Map<string, Scope>();
  private readonly copies = new Map<string, string>();
  private readonly keys = new WeakMap<Scope, string>();
  private copied = 0;
  /** Each rewrites a copy. */
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly document: Schema) {
    this.original = structuredClone(document);
    for (const [root, at] of rootSchemas(this.original))
      for (const [schema, path] of schemasWithin(root, at)) this.register(schema, path);
  }

  resolve(): void {
    const roots = rootSchemas(this.document);
    for (const [root, at] of roots)
      for (const [{ $id }, path] of schemasWithin(root, at))
        if (path === at || typeof $id === 'string')
          this.scopes.set(pointerOf(path), this.enter(this.outer(path), path));
    for (const [root, at] of roots) this.rewrite(root, at, this.scopes);
    for (const rewrite of this.waiting) rewrite(); // each may add to them
  }

  private register({ $id, $anchor, $dynamicAnchor }: Schema, path: Path): void {
    if (typeof $id === 'string') {
      const base = absolute($id, nearest(this.bases, path.slice(0, -1)) ?? DOCUMENT)?.split('#')[0];
      if (base !== undefined) {
        this.bases.set(pointerOf(path), base);
        this.paths.set(base, path);
      }
    }
    const base = this.baseOf(path);
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') this.paths.set(`${base}#${name}`, path);
    if (typeof $dynamicAnchor !== 'string') return;
    const known = this.anchors.get(base) ?? new Map<string, Path>();
    this.anchors.set(base, known.set($dynamicAnchor, path));
  }

  private baseOf(path: Path): string {
    return nearest(this.bases, path) ?? DOCUMENT;
  }

  private outer(path: Path): Scope {
    return nearest(this.scopes, path.slice(0, -1)) ?? new Map<string, Path>();
  }

  /** The scope in a schema that is reached from another scope: that one itself if it has all names. */
  private enter(scope: Scope, path: Path): Scope {
    const own = this.anchors.get(this.baseOf(path)) ?? new Map<string, Path>();
    if (scope.size === 0) return own;
    return [...own.keys()].every((name) => scope.has(name)) ? scope : new Map([...own, ...scope]);
  }

  /** A text that scopes have in common if they lead to the same schemas. */
  private keyOf(scope: Scope): string {
    const known = this.keys.get(scope);
    if (known !== undefined) return known;
    const key = JSON.stringify([...scope].map(([name, path]) => [name, pointerOf(path)]).sort());
    this.keys.set(scope, key);
    return key;
  }

  /** Rewrites the references of a schema, which stood at `at`, and of those within it. */
  private rewrite(root: Schema, at: Path, scopes: ReadonlyMap<string, Scope>): void {
    for (const [schema, path] of schemasWithin(root, at)) {
      const { $ref, $dynamicRef } = schema;
      const scope = nearest(scopes, path) ?? new Map<string, Path>();
      const target = typeof $ref === 'string' ? this.find($ref, path) : undefined;
      if (target) schema.$ref = this.place(target, scope);
      const initial = typeof $dynamicRef === 'string' ? this.find($dynamicRef, path) : undefined;
      if (initial) {
        const { $dynamicAnchor: name } = lookUp(this.original, initial) as Schema;
        const isDynamic = typeof name === 'string' && String($dynamicRef).endsWith(`#${name}`);
        const reference = this.place((isDynamic ? scope.get(name) : undefined) ?? initial, scope);
        delete schema.$dynamicRef;
        if (schema.$ref === undefined) schema.$ref = reference;
        else schema.allOf = [...(schema.allOf ?? []), { $ref: reference }];
      }
      for (const keyword of ['$id', '$anchor', '$dynamicAnchor']) Reflect.deleteProperty(schema, keyword);
    }
  }

  /** The path that a reference leads to; undefined if it is none by an identifier, or leads nowhere. */
  private find(reference: string, from: Path): Path | undefined {
    const [uri = '', fragment = ''] = absolute(reference, this.baseOf(from))?.split('#') ?? [];
    const resource = uri === DOCUMENT ? [] : this.paths.get(uri);
    const isPointer = fragment === '' || fragment.startsWith('/');
    const found = isPointer ? resource && [...resource, ...stepsOf(fragment)] : this.paths.get(`${uri}#${fragment}`);
    // In a schema with an `$id`, too, authors mean a place of the document by `#/components/...`.
    const meant = reference.startsWith('#/') ? stepsOf(reference.slice(1)) : undefined;
    return [found, meant].find((each) => {
      const target = each && each.length > 0 ? lookUp(this.original, each) : undefined;
      return isSchema(target) || typeof target === 'boolean';
    });
  }

  /** A reference to the schema at a path, or to its copy if it means something else in this scope. */
  private place(path: Path, from: Scope): string {
    const scope = this.enter(from, path);
    const [pointer, key] = [pointerOf(path), this.keyOf(scope)];
    if (key === this.keyOf(nearest(this.scopes, path) ?? scope)) return referenceTo(path);
    const known = this.copies.get(pointer + key);
    if (known !== undefined) return known;
    const components = (this.document.components ??= {}) as NonNullable<Document['components']>;
    const schemas = (components.schemas ??= {});
    let name = `${String(path.at(-1))}.${this.copies.size + 1}`;
    while (Object.hasOwn(schemas, name)) name += '.';
    const reference = referenceTo(['components', 'schemas', name]);
    this.copies.set(pointer + key, reference);
    const original = lookUp(this.original, path) as Schema;
    this.copied += schemasWithin(original, path).length;
    if (this.copied > COPIED_MAX)
      throw new ContractProblems([`$dynamicRef gives schemas too many meanings: more than ${COPIED_MAX} in all`]);
    const copy = structuredClone(original);
    schemas[name] = copy;
    const scopes = new Map([[pointer, scope]]);
    for (const [{ $id }, at] of schemasWithin(copy, path))
      if (typeof $id === 'string') scopes.set(pointerOf(at), this.enter(nearest(scopes, at) ?? scope, at));
    this.waiting.push(() => this.rewrite(copy, path, scopes));
    return reference;
  }
}

/** The entry of the path itself, or of the nearest path that it lies within. */
function nearest<T>(entries: ReadonlyMap<string, T>, path: Path): T | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = entries.get(pointerOf(path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The path of a fragment; a malformed one leads nowhere, which the rules report. */
function stepsOf(fragment: string): Path {
  try {
    return pathOfFragment(fragment);
  } catch {
    return [fragment];
  }
}

function absolute(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}
