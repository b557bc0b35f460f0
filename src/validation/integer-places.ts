/** Where a value has integers, read from the contract's schemas, so that no name of the contract stands in the code. */
import { type Document, follow, type Schema } from '../contract/document';
import { applicableSchemas, isInt64, isInteger, schemasWithin } from '../contract/walk';

/** What holds a value: an array, an object, or whatever stands around the whole. */
export type Holder = Record<string, unknown>;

/** The integers in what a schema describes. */
export interface IntegerPlaces {
  /** Visits every number at an integer's place in `holder[key]`, itself included. */
  visit(holder: Holder, key: string, visit: Visit): void;
}

/** What is done at each place that holds a number and at which the schema has an integer. */
export type Visit = (holder: Holder, key: string, int64: boolean) => void;

/**
 * The integer places of a schema of the document; undefined where it has none. All schemas that apply to a place (`allOf`, a
 * branch of `anyOf`, behind a `$ref`, …) are taken together: it is int64 where any of them says so.
 */
export function integerPlaces(document: Document, root: Schema): IntegerPlaces | undefined {
  if (!hasIntegers(document, root)) return undefined;
  const ids = new Map<Schema, number>();
  /** By the schemas that apply to it: of their sets a document has finitely many, however deep a value is. */
  const known = new Map<string, Place>();

  function at(roots: readonly unknown[]): Place {
    const schemas = new Set<Schema>();
    for (const each of roots) applicableSchemas(document, each, schemas);
    for (const schema of schemas) if (!ids.has(schema)) ids.set(schema, ids.size);
    const key = [...schemas].map((schema) => ids.get(schema)).join();
    const place = known.get(key) ?? new Place([...schemas], at);
    known.set(key, place);
    return place;
  }
  return at([root]);
}

const OTHERS = Symbol('properties that the contract does not name');
const ELEMENTS = Symbol('elements of a list');

class Place implements IntegerPlaces {
  private readonly below = new Map<string | symbol, Place>();
  private readonly names: ReadonlySet<string>;
  private readonly integer: boolean;
  private readonly int64: boolean;

  constructor(
    private readonly schemas: readonly Schema[],
    private readonly at: (roots: readonly unknown[]) => Place,
  ) {
    this.names = new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)));
    this.integer = schemas.some(isInteger);
    this.int64 = isInt64(schemas);
  }

  visit(holder: Holder, key: string, visit: Visit): void {
    const value = holder[key];
    if (typeof value === 'number') {
      if (this.integer) visit(holder, key, this.int64);
    } else if (isHolder(value) && this.schemas.length > 0) {
      for (const step of Object.keys(value)) {
        if (typeof value[step] !== 'number' && !isHolder(value[step])) continue;
        this.step(step, Array.isArray(value)).visit(value, step, visit);
      }
    }
  }

  private step(step: string, inList: boolean): Place {
    const slot = inList ? ELEMENTS : this.names.has(step) ? step : OTHERS;
    const known = this.below.get(slot);
    if (known) return known;
    const schemasOf = inList ? elementSchemas : propertySchemas;
    const place = this.at(this.schemas.flatMap((schema) => schemasOf(schema, step)));
    const varies = inList ? 'prefixItems' : 'patternProperties';
    if (!this.schemas.some((schema) => schema[varies])) this.below.set(slot, place);
    return place;
  }
}

function hasIntegers(document: Document, root: unknown, seen = new Set<unknown>()): boolean {
  for (const [schema] of schemasWithin(root, [])) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (isInteger(schema)) return true;
    if (schema.$ref !== undefined && hasIntegers(document, follow(document, schema), seen)) return true;
  }
  return false;
}

function propertySchemas(schema: Schema, name: string): unknown[] {
  const hits: unknown[] = [];
  if (schema.properties && Object.hasOwn(schema.properties, name)) hits.push(schema.properties[name]);
  for (const [pattern, each] of schema.patternProperties ? Object.entries(schema.patternProperties) : []) {
    if (new RegExp(pattern, 'u').test(name)) hits.push(each);
  }
  return hits.length > 0 ? hits : [schema.additionalProperties, schema.unevaluatedProperties];
}

function elementSchemas({ prefixItems = [], items, unevaluatedItems, contains }: Schema, index: string): unknown[] {
  return [prefixItems[Number(index)] ?? items ?? unevaluatedItems, contains];
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
