/** Traverses documents: all schemas, those within another one, and those that apply to the same value. */
import { type Document, follow, type Path, type Schema } from './document';

/** The keywords whose value is a schema, and those with several schemas. */
const SCHEMA: ReadonlySet<string> = new Set(
  'additionalProperties unevaluatedProperties propertyNames items unevaluatedItems contains not if then else'
    .concat(' contentSchema')
    .split(' '),
);
const SCHEMAS: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf prefixItems properties patternProperties $defs definitions dependentSchemas dependencies'.split(
    ' ',
  ),
);

/** A schema and its path. */
export type PlacedSchema = [schema: Schema, path: Path];

/** The schema and all schemas within it, each with its path; references are not followed. */
export function schemasWithin(schema: unknown, path: Path, found: PlacedSchema[] = []): PlacedSchema[] {
  if (!isSchema(schema)) return found;
  found.push([schema, path]);
  for (const [inner, steps] of directlyWithin(schema)) schemasWithin(inner, [...path, ...steps], found);
  return found;
}

/** The schemas directly within one, each with its path from there. */
export function directlyWithin(schema: Schema): PlacedSchema[] {
  const found = Object.entries(schema).flatMap(([keyword, value]: [string, unknown]): [unknown, Path][] => {
    if (SCHEMA.has(keyword)) return [[value, [keyword]]];
    if (!SCHEMAS.has(keyword) || typeof value !== 'object' || value === null) return [];
    return Object.entries(value).map(([step, inner]: [string, unknown]) => [inner, [keyword, step]]);
  });
  return found.filter((each): each is PlacedSchema => isSchema(each[0]));
}

/** Every schema that is not within another one: those of `components`, parameters, headers and media types. */
export function rootSchemas(document: object): PlacedSchema[] {
  const found: PlacedSchema[] = [];
  const isRoot = (inner: object, step: string, { path, isMap }: Part): boolean => {
    const isOfComponents = path.length === 2 && path[0] === 'components' && path[1] === 'schemas';
    if (!isOfComponents && (isMap || !(step === 'schema' || step === 'itemSchema') || !isSchema(inner))) return false;
    found.push([inner as Schema, [...path, step]]);
    return true;
  };
  partsOf(document, [], false, [], isRoot);
  return found;
}

/** Every schema of the document. */
export function allSchemas(document: Document): Schema[] {
  return placedSchemas(document).map(([schema]) => schema);
}

/** Every schema of the document, each with its path. */
export function placedSchemas(document: object): PlacedSchema[] {
  return rootSchemas(document).flatMap(([root, at]) => schemasWithin(root, at));
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keywords whose schemas apply to the same value as the schema around them. */
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas'];
const CONDITIONAL = ['if', 'then', 'else'];

/** The schemas that may apply to the same value as `root`: itself, and all that it combines or refers to. */
export function applicableSchemas(document: Document, root: unknown, found = new Set<Schema>()): Set<Schema> {
  // A stack of its own: thousands of schemas may refer to one another, more than there are calls within one another.
  const waiting = [root];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (!isSchema(schema) || found.has(schema)) continue;
    found.add(schema);
    for (const each of schemasBeside(schema).reverse()) waiting.push(each);
    if (schema.$ref !== undefined) waiting.push(follow(document, schema));
  }
  return found;
}

/** The schemas that every value of `root` fits: itself, and all that it refers to or has in an `allOf`. */
export function conjoinedSchemas(document: Document, root: unknown, found = new Set<Schema>()): Set<Schema> {
  if (!isSchema(root) || found.has(root)) return found;
  found.add(root);
  if (root.$ref !== undefined) conjoinedSchemas(document, follow(document, root), found);
  for (const each of root.allOf ?? []) conjoinedSchemas(document, each, found);
  return found;
}

/** The schemas directly within one that apply to the same value. */
export function schemasBeside(schema: Schema): Schema[] {
  const combined = COMBINED.flatMap((keyword): unknown[] => Object.values(schema[keyword] ?? {}));
  return [...combined, ...CONDITIONAL.map((keyword) => schema[keyword])].filter(isSchema);
}

/** The only values that a schema allows, by its `const` or its `enum`; undefined if it has neither. */
export function constantsOf({ const: constant, enum: values }: Schema): unknown[] | undefined {
  if (constant !== undefined) return [constant];
  return Array.isArray(values) ? (values as unknown[]) : undefined;
}

/** The types that schemas name. */
export function typesOf(schemas: Iterable<Schema>): Set<string> {
  return new Set([...schemas].flatMap(({ type }) => type ?? []));
}

/**
 * True if any of the schemas is of integers that doubles round, by its format, under `type: number` as well, or by a bound; the generated
 * types have `bigint` by the same rule.
 */
export function isInt64(schemas: Iterable<Schema>): boolean {
  return [...schemas].some((schema) => {
    const types = typesOf([schema]);
    if (isInt64Format(schema.format)) return types.has('integer') || types.has('number');
    return schema.format === undefined && types.has('integer') && hasLargeBound(schema);
  });
}

/** A document's integers are read as `bigint` if no double holds them. */
function hasLargeBound({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): boolean {
  return [minimum, maximum, exclusiveMinimum, exclusiveMaximum].some((bound) => typeof bound === 'bigint');
}

/** True for a format whose integers handlers get as `bigint`. */
export function isInt64Format(format: string | undefined): boolean {
  return format === 'int64' || format === 'uint64';
}

/** The schemas within `root`, with references followed. */
export function reachableSchemas(document: Document, root: unknown, found = new Set<Schema>()): Set<Schema> {
  const waiting = [root];
  for (const part of waiting) {
    if (found.has(part as Schema)) continue;
    for (const [schema] of schemasWithin(part, [])) {
      found.add(schema);
      if (schema.$ref !== undefined) waiting.push(follow(document, schema));
    }
  }
  return found;
}

/** Maps whose keys the contract chooses: `x-…` is not an extension there, and `example` not an example. */
export const MAPS: ReadonlySet<string> = new Set(
  'properties patternProperties $defs dependentSchemas schemas headers responses parameters requestBodies content'
    .concat(' securitySchemes links callbacks pathItems webhooks encoding mediaTypes additionalOperations')
    .concat(' scopes mapping variables dependentRequired')
    .split(' '),
);
const EXTENSION = /^(?:examples?$|x-)/;
/** Keywords whose values are data of any shape. */
const DATA = /^(?:const|default|enum)$/;
/** The fields of a link that are data: constants or expressions. */
export const LINK_DATA: ReadonlySet<string> = new Set(['parameters', 'requestBody']);

/**
 * Every object and list of a document, each with its path, except in extensions, examples and other data, and except those that are
 * `leftOut`.
 */
export function partsOf(
  part: unknown,
  path: Path = [],
  isMap = false,
  found: Part[] = [],
  leftOut: (inner: object, step: string, holder: Part) => boolean = () => false,
): Part[] {
  if (typeof part !== 'object' || part === null) return found;
  const own = { part, path, isMap };
  found.push(own);
  const isData = (step: string): boolean =>
    !isMap && (EXTENSION.test(step) || DATA.test(step) || (isLink(own) && LINK_DATA.has(step)));
  for (const [step, inner] of Object.entries(part as Readonly<Record<string, unknown>>))
    if (typeof inner === 'object' && inner !== null && !isData(step))
      if (!leftOut(inner, step, own)) partsOf(inner, [...path, step], !isMap && MAPS.has(step), found, leftOut);
  return found;
}

export function isLink({ path, isMap }: Part): boolean {
  return !isMap && path.at(-2) === 'links';
}

/** An object or list of a document; `isMap` is true if the contract chooses its keys. */
export interface Part {
  part: object;
  path: Path;
  isMap: boolean;
}

/** A copy without extensions and examples, in which `$ref` is data. Other data, and the names of security schemes, are left as they are. */
export function withoutExtensions<T>(value: T, isMap = false): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => withoutExtensions(each)) as T;
  const kept = Object.entries(value).filter(([key]) => isMap || !EXTENSION.test(key));
  return Object.fromEntries(
    kept.map(([key, member]) => {
      const isKept = !isMap && (DATA.test(key) || key === 'security');
      return [key, isKept ? member : withoutExtensions<unknown>(member, !isMap && MAPS.has(key))];
    }),
  ) as T;
}
