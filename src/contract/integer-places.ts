/** Where a value has integers, read from its schema once, so that no name of the contract stands in the code. */
import { type Document, isSchema, resolve, type Schema } from './openapi';

/** What holds a value: an array, an object, or whatever stands around the whole. */
export type Holder = Record<string | number, unknown>;

/** What is done at each place that holds a number and at which the schema has an integer. */
export type Visit = (holder: Holder, key: string | number, int64: boolean) => void;

/** The keywords whose schemas apply to the same place as the schema they stand in. */
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas'];
const CONDITIONAL = ['if', 'then', 'else'];

/**
 * The integers at and below one place. All schemas that apply to a place (`allOf`, a branch of `anyOf`, behind a `$ref`,
 * …) are taken together: it is int64 where any of them says so.
 */
export interface IntegerPlaces {
  /** Visits every number at an integer's place in `holder[key]`, itself included. */
  visit(holder: Holder, key: string | number, visit: Visit): void;
}

/** The integer places of a schema of the document; undefined where it has none. */
export function integerPlaces(document: Document, schema: Schema): IntegerPlaces | undefined {
  const place = new Places(document).at([schema]);
  return place.reaches() ? place : undefined;
}

/** The schemas that apply where `root` does: itself, and what is combined with it, behind references or not. */
export function applicableSchemas(document: Document, root: unknown, found = new Set<Schema>()): Set<Schema> {
  if (!isSchema(root) || found.has(root)) return found;
  found.add(root);
  if (root.$ref !== undefined) applicableSchemas(document, resolve(document, root), found);
  const combined = COMBINED.flatMap((keyword) => (isObject(root[keyword]) ? Object.values(root[keyword]) : []));
  for (const each of [...combined, ...CONDITIONAL.map((keyword) => root[keyword])])
    applicableSchemas(document, each, found);
  return found;
}

/** The types that a schema allows, as far as it says so. */
export function typesOf(schemas: Iterable<Schema>): Set<string> {
  return new Set([...schemas].flatMap(({ type }) => type ?? []));
}

/** Whether any of the schemas says int64; generated types say `bigint` by the same rule. */
export function isInt64(schemas: Iterable<Schema>): boolean {
  return [...schemas].some((schema) => schema.format === 'int64' && typesOf([schema]).has('integer'));
}

/** The places of one schema, by the set of schemas that apply to them, of which a document has finitely many. */
class Places {
  private readonly ids = new Map<Schema, number>();
  private readonly known = new Map<string, Place>();

  constructor(private readonly document: Document) {}

  at(roots: readonly unknown[]): Place {
    const schemas = new Set<Schema>();
    for (const root of roots) applicableSchemas(this.document, root, schemas);
    const key = [...schemas]
      .map((schema) => this.id(schema))
      .sort((a, b) => a - b)
      .join();
    const known = this.known.get(key);
    if (known) return known;
    const place = new Place([...schemas], this);
    this.known.set(key, place);
    return place;
  }

  private id(schema: Schema): number {
    const id = this.ids.get(schema) ?? this.ids.size;
    this.ids.set(schema, id);
    return id;
  }
}

class Place implements IntegerPlaces {
  private readonly integer: boolean;
  private readonly int64: boolean;
  /** The properties that the contract names, or undefined once it is known that no integer is below them. */
  private named: Map<string, Place> | undefined;
  private readonly open: boolean;
  private readonly listed: boolean;

  constructor(
    private readonly schemas: readonly Schema[],
    private readonly places: Places,
  ) {
    this.integer = typesOf(schemas).has('integer');
    this.int64 = isInt64(schemas);
    this.open = schemas.some((schema) => OPEN.some((keyword) => isObject(schema[keyword])));
    this.listed = schemas.some((schema) => LISTED.some((keyword) => isObject(schema[keyword])));
  }

  visit(holder: Holder, key: string | number, visit: Visit): void {
    const value = holder[key];
    if (typeof value === 'number') {
      if (this.integer) visit(holder, key, this.int64);
    } else if (isList(value)) {
      if (this.listed) value.forEach((_, index) => this.element(index).visit(value, index, visit));
    } else if (isObject(value)) {
      if (this.open) {
        for (const name of Object.keys(value)) this.property(name).visit(value, name, visit);
      } else {
        for (const [name, place] of this.properties()) if (Object.hasOwn(value, name)) place.visit(value, name, visit);
      }
    }
  }

  /** Whether there is an integer here or below. */
  reaches(seen = new Set<Place>()): boolean {
    if (this.integer) return true;
    if (seen.has(this)) return false;
    seen.add(this);
    return [...this.below()].some((place) => place.reaches(seen));
  }

  private *below(): Generator<Place> {
    for (const schema of this.schemas) {
      yield* Object.values(schema.properties ?? {}).map((each) => this.places.at([each]));
      for (const keyword of [
        'additionalProperties',
        'unevaluatedProperties',
        'items',
        'unevaluatedItems',
        'contains',
      ]) {
        yield this.places.at([schema[keyword]]);
      }
      for (const keyword of ['patternProperties', 'prefixItems']) {
        if (isObject(schema[keyword])) yield* Object.values(schema[keyword]).map((each) => this.places.at([each]));
      }
    }
  }

  private properties(): Map<string, Place> {
    if (this.named) return this.named;
    this.named = new Map();
    for (const name of new Set(this.schemas.flatMap(({ properties = {} }) => Object.keys(properties)))) {
      const place = this.property(name);
      if (place.reaches()) this.named.set(name, place);
    }
    return this.named;
  }

  private property(name: string): Place {
    return this.places.at(
      this.schemas.flatMap((schema) => {
        const patterns = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) =>
          new RegExp(pattern, 'u').test(name),
        );
        const hits: unknown[] = patterns.map(([, each]) => each);
        if (schema.properties && Object.hasOwn(schema.properties, name)) hits.push(schema.properties[name]);
        return hits.length > 0 ? hits : [schema.additionalProperties, schema.unevaluatedProperties];
      }),
    );
  }

  private element(index: number): Place {
    return this.places.at(
      this.schemas.flatMap((schema) => [
        schema.prefixItems?.[index] ?? schema.items ?? schema.unevaluatedItems,
        schema.contains,
      ]),
    );
  }
}

const OPEN = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];
const LISTED = ['items', 'prefixItems', 'unevaluatedItems', 'contains'];

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}

function isList(value: unknown): value is Holder & unknown[] {
  return Array.isArray(value);
}
