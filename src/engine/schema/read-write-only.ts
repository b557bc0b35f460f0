/** `readOnly` and `writeOnly` as OpenAPI 3.1 defines them: properties that a request, or an answer, has to omit; and a null that is never sent. */
import { isDiscriminator } from '../contract/discriminator';
import { type Document, follow, lookUp, pathOf, pointerOf, type Schema } from '../contract/document';
import { conjoinedSchemas, isSchema, schemasWithin } from '../contract/traverse';

/** `readOnly` properties are omitted from requests, `writeOnly` ones from answers. */
export type Annotation = 'readOnly' | 'writeOnly';

/** True if the schema of a property has the annotation, or one that it refers to or has in an `allOf`. */
export function isAnnotated(document: Document, property: unknown, annotation: Annotation): boolean {
  return [...conjoinedSchemas(document, property)].some((schema) => schema[annotation] === true);
}

/** The schema of a property that is left out of a request, known by its identity: any value fits. */
export const LEFT_OUT: Schema = {};

/**
 * Changes the schemas of a document so that they refuse properties with this annotation, or have another schema for them, and require
 * none of them; `writeOnly` also is a null that only requests may have. Returns the schemas that are added: a schema that requires a
 * property which is annotated only where that schema is combined with another is copied for that place.
 */
export function refuseAnnotated(
  document: Document,
  schemas: readonly Schema[],
  annotation: Annotation,
  instead: Schema | false = false,
): Schema[] {
  if (!schemas.some((schema) => schema[annotation] === true)) return [];
  if (annotation === 'writeOnly') schemas.forEach(refuseUnsentNull);
  const annotated = new Annotated(document, annotation);
  const refused = schemas.flatMap((schema) => {
    // What may be left out is, whichever of its branches a value is of.
    const names = instead === false ? annotated.within(schema) : annotated.partlyWithin(schema);
    return names.length > 0 ? [{ schema, refused: Object.fromEntries(names.map((name) => [name, instead])) }] : [];
  });
  const requirements = new Requirements(document, annotated);
  for (const schema of schemas) requirements.omit(schema, annotated.of(schema));
  const { added } = requirements;
  if (instead === false) added.push(...schemas.flatMap((schema) => annotated.refuseBranchesWithin(schema)));
  const references = [...schemas, ...added].flatMap((schema) =>
    schema.$ref === undefined ? [] : [{ schema, target: follow(document, schema) }],
  );
  for (const { schema, refused: members } of refused) Object.assign(schema.properties ?? {}, members);
  for (const { schema, target } of references) keepTarget(document, schema, target);
  return added;
}

/** Refuses the null that `nullable` is read as where the specification has none (`normalize-schema.ts`). */
function refuseUnsentNull(schema: Schema): void {
  const isUnsent = (branch: unknown): boolean =>
    isSchema(branch) && branch.type === 'null' && branch.writeOnly === true;
  if (Array.isArray(schema.anyOf)) schema.anyOf = schema.anyOf.map((branch) => !isUnsent(branch) && branch);
}

/** The names of annotated properties. */
class Annotated {
  private readonly known = new Map<Schema, ReadonlySet<string>>();

  constructor(
    private readonly document: Document,
    private readonly annotation: Annotation,
  ) {}

  /** Those that a schema itself declares. */
  within({ properties = {} }: Schema): string[] {
    return Object.keys(properties).filter((name) => this.is(properties[name]));
  }

  /** Those that it declares, and that have the annotation or a branch with it: a secret that may be null. */
  partlyWithin({ properties = {} }: Schema): string[] {
    const isPartly = (property: unknown): boolean => this.is(property) || this.branchesOf(property).length > 0;
    return Object.keys(properties).filter((name) => isPartly(properties[name]));
  }

  /** Refuses values of such branches where they are a property; returns the schemas that are added. The branches may be of other places, too. */
  refuseBranchesWithin({ properties = {} }: Schema): Schema[] {
    return Object.entries(properties).flatMap(([name, property]) => {
      const branches = this.branchesOf(property);
      if (branches.length === 0 || !isSchema(property)) return [];
      const anyOfThem: Schema = { anyOf: branches };
      const none: Schema = { not: anyOfThem };
      const refusing: Schema = { ...property, allOf: [...(property.allOf ?? []), none] };
      Reflect.set(properties, name, refusing);
      return [refusing, none, anyOfThem];
    });
  }

  /** The annotated branches of a property, of what it combines, and of its branches. */
  private branchesOf(property: unknown): (Schema | boolean)[] {
    const branches: (Schema | boolean)[] = [];
    const looked = new Set(conjoinedSchemas(this.document, property));
    for (const { oneOf = [], anyOf = [] } of looked)
      for (const branch of [oneOf, anyOf].flat()) {
        branches.push(branch);
        for (const each of conjoinedSchemas(this.document, branch)) looked.add(each);
      }
    return branches.filter((branch) => this.is(branch));
  }

  private is(property: unknown): boolean {
    return isAnnotated(this.document, property, this.annotation);
  }

  /** Those that are annotated in every value of a schema: by itself, what it refers to and combines, or each of its branches. */
  of(schema: unknown): ReadonlySet<string> {
    if (!isSchema(schema)) return new Set();
    const known = this.known.get(schema);
    if (known) return known;
    this.known.set(schema, new Set()); // for a schema that is combined with itself
    const target = schema.$ref === undefined ? undefined : follow(this.document, schema);
    const names = new Set([
      ...this.within(schema),
      ...[target, ...(schema.allOf ?? [])].flatMap((each) => [...this.of(each)]),
      ...[schema.oneOf, schema.anyOf].flatMap((branches) => this.inEach(branches)),
    ]);
    this.known.set(schema, names);
    return names;
  }

  private inEach(branches: unknown): string[] {
    const fitting: unknown[] = Array.isArray(branches) ? branches.filter((branch) => branch !== false) : [];
    const [first, ...others] = fitting.map((branch) => this.of(branch));
    return [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
  }
}

/** Takes names out of what schemas require. */
class Requirements {
  /** The schemas that were copied, with those within them. */
  readonly added: Schema[] = [];
  private readonly copies = new Map<Schema, Map<string, string[]>>();
  private count = 0;

  constructor(
    private readonly document: Document,
    private readonly annotated: Annotated,
  ) {}

  /** Takes the names out of a schema and of all that apply to the same value. */
  omit(schema: Schema, names: ReadonlySet<string>): void {
    if (names.size === 0) return;
    const withoutNames = (list: readonly string[]): string[] => list.filter((name) => !names.has(name));
    if (schema.required) schema.required = withoutNames(schema.required);
    if (schema.dependentRequired)
      schema.dependentRequired = Object.fromEntries(
        Object.entries(dependentLists(schema)).map(([name, list]) => [name, withoutNames(list)]),
      );
    const before = namedIn(schema);
    for (const each of combinedIn(schema)) this.omit(each, names);
    renameMapping(schema, before);
    if (schema.$ref === undefined) return;
    const target = follow(this.document, schema);
    const others = new Set([...names].filter((name) => !this.annotated.of(target).has(name)));
    if (this.requiresAny(target, others)) this.referToCopy(schema, target, others);
  }

  private requiresAny(schema: Schema, names: ReadonlySet<string>, seen = new Set<Schema>()): boolean {
    if (names.size === 0 || seen.has(schema)) return false;
    seen.add(schema);
    const { required = [], $ref } = schema;
    const listed = [required, ...Object.values(dependentLists(schema))].flat();
    const target = $ref === undefined ? [] : [follow(this.document, schema)];
    return (
      listed.some((name) => names.has(name)) ||
      [...combinedIn(schema), ...target].some((each) => this.requiresAny(each, names, seen))
    );
  }

  /** Makes a schema refer to a copy of its target that requires none of the names. */
  private referToCopy(schema: Schema, target: Schema, names: ReadonlySet<string>): void {
    const name = pathOf(schema.$ref ?? '#').at(-1) ?? '';
    const key = JSON.stringify([name, ...[...names].sort()]);
    const known = this.copies.get(target)?.get(key);
    // The last step of a reference names the branch of a discriminator: it is that of the target.
    const path = known ?? ['components', `copies${this.count++}`, String(name)];
    schema.$ref = `#${pointerOf(path)}`;
    if (known) return;
    this.copies.set(target, (this.copies.get(target) ?? new Map<string, string[]>()).set(key, path));
    const copy = copyOf(target);
    Reflect.set((this.document.components ??= {}), path[1] ?? '', { [String(name)]: copy });
    this.omit(copy, names);
    this.added.push(...schemasWithin(copy, []).map(([each]) => each));
  }
}

/** The schemas within one that apply to the same value and may require properties of it; `if` only tests. */
function combinedIn(schema: Schema): Schema[] {
  const { allOf, oneOf, anyOf, then, else: otherwise, dependentSchemas } = schema;
  const lists = [allOf, oneOf, anyOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  const dependent: unknown[] = Object.values(dependentSchemas ?? {});
  return [...lists, then, otherwise, ...dependent].filter(isSchema);
}

/** The references of the branches of a discriminator. */
function namedIn({ discriminator, oneOf, anyOf }: Schema): (string | undefined)[] {
  const branches = isDiscriminator(discriminator) ? [oneOf ?? anyOf].flat() : [];
  return branches.map((branch) => (isSchema(branch) ? branch.$ref : undefined));
}

/** Renames the branches of a discriminator, of which `before` has the references that they had, in its mapping. */
function renameMapping(schema: Schema, before: readonly (string | undefined)[]): void {
  const after = namedIn(schema);
  const { discriminator } = schema;
  if (!isDiscriminator(discriminator) || after.every(($ref, index) => $ref === before[index])) return;
  const renamed = (name: string): string => after[before.indexOf(name)] ?? name;
  const { mapping = {}, defaultMapping } = discriminator;
  schema.discriminator = {
    ...discriminator,
    mapping: Object.fromEntries(Object.entries(mapping).map(([value, name]) => [value, renamed(name)])),
    ...(defaultMapping !== undefined && { defaultMapping: renamed(defaultMapping) }),
  };
}

function dependentLists({ dependentRequired = {} }: Schema): Record<string, string[]> {
  return dependentRequired as Record<string, string[]>;
}

/** A copy of a schema and of those within it that apply to the same value; all others are shared. */
function copyOf(schema: Schema): Schema {
  const copied = (value: unknown): unknown => (isSchema(value) ? copyOf(value) : value);
  const copy = { ...schema };
  for (const keyword of ['allOf', 'oneOf', 'anyOf'])
    if (Array.isArray(schema[keyword])) copy[keyword] = (schema[keyword] as unknown[]).map(copied);
  for (const keyword of ['then', 'else']) if (keyword in schema) copy[keyword] = copied(schema[keyword]);
  if (isSchema(schema.dependentSchemas))
    copy.dependentSchemas = Object.fromEntries(
      Object.entries(schema.dependentSchemas).map(([name, each]) => [name, copied(each)]),
    );
  return copy;
}

/** Moves the target of a reference into the components, unless it is still where the reference leads. */
function keepTarget(document: Document, schema: Schema, target: Schema): void {
  const path = pathOf(schema.$ref ?? '#');
  if (lookUp(document, path) === target) return;
  const name = path.join('.');
  document.components = { ...document.components, schemas: { ...document.components?.schemas, [name]: target } };
  schema.$ref = `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
}
