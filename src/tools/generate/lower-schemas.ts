/** Writes schemas as openapi-typescript makes exact types of them: it would type what no value has, and values that there are as none. */
import {
  allSchemas,
  applicableSchemas,
  conjoinedSchemas,
  constantsOf,
  type Document,
  follow,
  isDiscriminator,
  isSchema,
  namesOfBranch,
  partsOf,
  type Path,
  pathOf,
  placedSchemas,
  pointerOf,
  resolve,
  type Schema,
  typesOf,
} from '../../engine/reading';

/** Changes the document in place. */
export function lowerSchemas(document: Document): void {
  for (const schema of allSchemas(document)) tagBranches(document, schema); // by the references as they are written
  inlineParameters(document);
  nameTargets(document);
  for (const schema of allSchemas(document)) widenOthers(document, schema);
}

/** Writes parameters where they are used, unless they are components: elsewhere they are in a group that may be missing. */
function inlineParameters(document: Document): void {
  for (const { part, path } of partsOf(document)) {
    if (path.at(-2) !== 'parameters' || !('$ref' in part) || typeof part.$ref !== 'string') continue;
    if (isComponent(pathOf(part.$ref))) continue;
    const parameter = structuredClone(resolve(document, { $ref: part.$ref }));
    Reflect.deleteProperty(part, '$ref');
    Object.assign(part, parameter);
  }
}

const DEFINITIONS = ['$defs', 'definitions'];

/** Has a component for each schema elsewhere that is referred to: the types have no place of it, or one that may be missing. */
function nameTargets(document: Document): void {
  const schemas = ((document.components ??= {}).schemas ??= {});
  const named = new Map<Schema, string>();
  const placed = placedSchemas(document);
  for (const [schema] of placed) {
    if (schema.$ref === undefined || isComponent(pathOf(schema.$ref))) continue;
    const target = follow(document, schema);
    const name = named.get(target) ?? freeName(schemas, pathOf(schema.$ref));
    named.set(target, name);
    schemas[name] = target;
    schema.$ref = `#${pointerOf(['components', 'schemas', name])}`;
  }
  for (const [schema] of placed) for (const keyword of DEFINITIONS) Reflect.deleteProperty(schema, keyword);
  for (const [target, name] of named) schemas[name] = structuredClone(target);
}

function isComponent(path: Path): boolean {
  return path.length === 3 && path[0] === 'components';
}

/** `Place.Point` for `#/components/schemas/Place/$defs/Point`. */
function freeName(schemas: object, path: Path): string {
  const steps = path.filter((step) => !UNNAMED.has(step));
  let name = steps.join('.').replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
  while (Object.hasOwn(schemas, name)) name += '_';
  return name;
}

const UNNAMED: ReadonlySet<string | number> = new Set(['components', 'schemas', 'paths', ...DEFINITIONS]);

/** Has the name of a branch in the branch alone: the generator would have it in the branch's schema, wherever else that is used. */
function tagBranches(document: Document, schema: Schema): void {
  const { discriminator } = schema;
  delete schema.discriminator;
  if (!isDiscriminator(discriminator)) return;
  const { propertyName } = discriminator;
  const tagged = (branch: Schema | boolean): Schema | boolean => {
    const own = [...applicableSchemas(document, branch)].flatMap(({ properties }) => properties?.[propertyName] ?? []);
    const isFixed = own.some((each) => [...applicableSchemas(document, each)].some(constantsOf));
    const names = isFixed ? [] : namesOfBranch(branch, discriminator);
    const tag: Schema = { type: 'object', properties: { [propertyName]: { type: 'string', enum: names } } };
    return names.length === 0 ? branch : { allOf: [branch, tag] };
  };
  for (const keyword of ['oneOf', 'anyOf'] as const)
    if (Array.isArray(schema[keyword])) schema[keyword] = schema[keyword].map(tagged);
}

/** The schema of what is there, and of which another one says the type: `unknown` would take undefined for it. */
export const PRESENT = 'x-required-elsewhere';

/**
 * Declares what a schema requires and another one for the same value describes, or none: the generator looks at the properties beside
 * `required` alone, and at those of an `allOf` beside it. Changes the document in place, behind all that looks at what is declared.
 */
export function declareRequired(document: Document): void {
  for (const [schema, path] of placedSchemas(document)) declareMissing(schema, path);
}

function declareMissing(schema: Schema, path: Path): void {
  const { type, required = [], properties, allOf, anyOf, oneOf } = schema;
  const missing = required.filter((name) => !Object.hasOwn(properties ?? {}, name));
  if (missing.length === 0 || allOf !== undefined || ![type ?? 'object'].flat().includes('object')) return;
  const isBare = properties === undefined && anyOf === undefined && oneOf === undefined;
  // Nothing is said of null, nor of others than objects, which the types leave out.
  if (isBare && type === undefined) schema.type = ['object', 'null'];
  // An object of which no property is described is one of any, unless it is a part of what describes some.
  else if (isBare && !BRANCHES.has(path.at(-2))) schema.additionalProperties ??= true;
  const { additionalProperties } = schema;
  const described = isSchema(additionalProperties) && Object.keys(additionalProperties).length > 0;
  const present = described ? additionalProperties : { [PRESENT]: true };
  schema.properties = { ...properties, ...Object.fromEntries(missing.map((name) => [name, present])) };
}

const BRANCHES: ReadonlySet<unknown> = new Set(['allOf', 'anyOf', 'oneOf']);

/**
 * Has an `anyOf` hold beside what else a schema says: the generator takes it for other values than those. A branch without a type has that
 * of the schema. Changes the document in place, behind all that looks at where a schema has its branches.
 */
export function conjoinAnyOf(document: Document): void {
  for (const schema of allSchemas(document)) {
    const { anyOf, allOf = [], type } = schema;
    if (!Array.isArray(anyOf) || mayBeNoObject(document, schema, anyOf)) continue;
    if (type !== undefined)
      for (const branch of anyOf) if (isSchema(branch) && branch.$ref === undefined) branch.type ??= type;
    delete schema.anyOf;
    schema.allOf = [...allOf, { anyOf }];
  }
}

/** True if the properties of a schema without a type are beside a branch of other values: the generator takes them for those of any value. */
function mayBeNoObject(document: Document, schema: Schema, branches: readonly unknown[]): boolean {
  const { type, properties, additionalProperties, patternProperties } = schema;
  const hasProperties = [properties, additionalProperties, patternProperties].some((each) => each !== undefined);
  // A bare `required` has been given the types of an object and of null.
  const isOther = (types: ReadonlySet<string>): boolean =>
    types.size > 0 && (!types.has('object') || [...types].some((each) => each !== 'object' && each !== 'null'));
  const others = branches.filter((branch) => isOther(typesOf([...conjoinedSchemas(document, branch)])));
  return type === undefined && hasProperties && others.length > 0;
}

/** A pattern that every name matches. */
const ANY_NAME = /^(?:\^?\.[*+]\$?)?$/;

/** Lets other properties have the types of the named ones too: an index signature is one of all properties. */
function widenOthers(document: Document, schema: Schema): void {
  const { properties = {}, patternProperties = {}, unevaluatedProperties = true } = schema;
  // The generator does not know what is unevaluated. Beside others, an index signature would be of their properties, too.
  if (isSchema(unevaluatedProperties) && applicableSchemas(document, schema).size === 1)
    schema.additionalProperties ??= unevaluatedProperties;
  const { additionalProperties } = schema;
  const patterns = Object.keys(patternProperties);
  const others = additionalProperties ?? unevaluatedProperties;
  if (others === true && patterns.length > 0 && !patterns.some((pattern) => ANY_NAME.test(pattern))) {
    delete schema.patternProperties;
    schema.additionalProperties = true;
    return;
  }
  if (Object.keys(properties).length === 0) return;
  const named = [...Object.values(properties), ...Object.values(patternProperties)];
  if (isSchema(additionalProperties)) schema.additionalProperties = { anyOf: [additionalProperties, ...named] };
  for (const pattern of patterns) patternProperties[pattern] = { anyOf: named };
}
