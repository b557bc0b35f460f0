/**
 * A contract in the form that redocly compares: with what references lead to in their place, but for schemas, and the parameters, servers
 * and security of all operations in each; redocly sees no change of schemas that are `true` or `false`, nor of constants and defaults
 * that are objects, nor of the order of lists of schemas.
 */
import { stringifyJson } from '../../engine';
import {
  type Contract,
  type Document,
  isSchema,
  lookUp,
  MAPS,
  nameIn,
  namesInPath,
  operationsIn,
  operationsOf,
  type Parameter,
  type Part,
  partsOf,
  type Path,
  type PathItem,
  pathOf,
  pointerOf,
  resolve,
  withoutExtensions,
} from '../../engine/reading';
import { OneReader } from '../../engine/tooling';
import { lowerFiles } from '../generate/lower-files';
import { showExtensions } from './answers';
import { type IsReferredTo, referencesInto, templateOf, writePlainly } from './plain';

/** Keywords whose value is a schema, where redocly takes no boolean for one, and those with several schemas. */
const SCHEMA: ReadonlySet<string> = new Set(
  'schema itemSchema contains propertyNames not if then else contentSchema'.split(' '),
);
const SCHEMAS: ReadonlySet<unknown> = new Set(
  'allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas'.split(' '),
);

/** A contract in that form; its places are those of the contract as it is written. */
export interface Comparable extends Contract {
  /** The path of a part in the contract as it is written. */
  origin: (path: Path) => Path;
  isReferredTo: IsReferredTo;
}

/** A copy in the form that redocly compares, without extensions and examples, in which redocly would follow references. */
export function comparable(contract: Contract): Comparable {
  const written = withoutExtensions(contract.document);
  for (const each of operationsOf(written)) lowerFiles(written, each);
  const isReferredTo = referencesInto(written);
  for (const each of partsOf(written)) writeSchemas(each);
  for (const each of partsOf(written)) writeMapping(each, written);
  // Before parts get into the place of others.
  const paths = new Map(partsOf(written).map(({ part, path }) => [part, path]));
  writePlainly(written, isReferredTo);
  showExtensions(written);
  const origins = new Map<unknown, Path>();
  const document = withTargets(written, paths, origins);
  const parameters = new Map<string, Parameter>();
  for (const { part, path } of partsOf(document).filter(isPathItem)) {
    const item: PathItem = part;
    for (const { operation, steps } of operationsIn(item)) {
      completeOperation(operation, item, [...path, ...steps], parameters);
      if (path[0] === 'paths' && path.length === 2) secure(operation, document);
    }
    delete item.servers;
    if (!isReferredTo([...path, 'parameters'])) delete item.parameters;
  }
  for (const each of parameters.values()) closeParameter(document, each);
  delete document.security;
  Reflect.set(document, PARAMETERS, Object.fromEntries(parameters));
  const origin = (path: Path): Path => originOf(path, document, origins);
  return {
    document,
    operations: operationsOf(document),
    place: (path, part) => contract.place(origin(path), part),
    origin,
    isReferredTo,
  };
}

/** The path of a part as it is written: that of the nearest part around it which is, and the steps from there. */
function originOf(path: Path, document: Document, origins: ReadonlyMap<unknown, Path>): Path {
  for (let length = path.length; length > 0; length--) {
    const part = lookUp(document, path.slice(0, length));
    const found = origins.get(part) ?? origins.get(isReference(part) && lookUp(document, pathOf(part.$ref)));
    if (found) return [...found, ...path.slice(length)];
  }
  return path;
}

function isReference(part: unknown): part is { $ref: string } {
  return isSchema(part) && typeof part.$ref === 'string';
}

/** Writes schemas as objects, and constants and defaults as text. */
function writeSchemas(each: Part): void {
  for (const [key, value] of Object.entries(each.part) as [string, unknown][]) {
    if (typeof value === 'boolean' && isSchemaIn(each, key)) Reflect.set(each.part, key, value ? {} : { not: {} });
    if (!each.isMap && (key === 'const' || key === 'default')) Reflect.set(each.part, key, asText(value));
    if (!each.isMap && key === 'enum' && Array.isArray(value)) Reflect.set(each.part, key, value.map(asText));
  }
  if (Array.isArray(each.part) && each.path.at(-1) === 'prefixItems')
    for (const [index, schema] of each.part.entries()) if (isSchema(schema)) schema.position = index;
}

/** Writes a discriminator's references as names, by which redocly finds branches; those of schemas that are not there say nothing. */
function writeMapping({ part, path }: Part, { components: { schemas = {} } = {} }: Document): void {
  if (path.at(-2) !== 'discriminator' || path.at(-1) !== 'mapping') return;
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    if (typeof value !== 'string') continue;
    const name = nameIn(value);
    const isOfComponent = value === name || value === `#/components/schemas/${name}`;
    if (isOfComponent && !Object.hasOwn(schemas, name)) Reflect.deleteProperty(part, key);
    else Reflect.set(part, key, name);
  }
}

function isSchemaIn({ part, path, isMap }: Part, key: string): boolean {
  return isMap || Array.isArray(part) ? SCHEMAS.has(path.at(-1)) : SCHEMA.has(key);
}

/** An object as text, and text that could be one as JSON. */
function asText(value: unknown): unknown {
  const isOther = typeof value === 'object' ? value !== null : typeof value === 'string' && /^["[{]/.test(value);
  return isOther ? stringifyJson(value) : value;
}

/** Refuses other properties of an object that are query parameters of their own where a server does. */
function closeParameter(document: Document, parameter: Parameter): void {
  const { isManyPairs, takesRest, where } = new OneReader(document, parameter);
  if (where !== 'query' || !isManyPairs || takesRest || !isSchema(parameter.schema)) return;
  parameter.schema.unevaluatedProperties = false;
}

/** A copy with what each reference leads to in its place, but for those of schemas; notes where each part is written. */
function withTargets(document: Document, paths: ReadonlyMap<unknown, Path>, origins: Map<unknown, Path>): Document {
  const copyOf = (value: unknown, isMap: boolean, isOfSchema: boolean, open: readonly unknown[]): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const target = isOfSchema ? value : resolve(document, value);
    // A callback may declare itself.
    if (target !== value) return open.includes(target) ? value : copyOf(target, false, false, [...open, target]);
    const members = Object.entries(value).map(([key, member]): [string, unknown] => {
      const startsSchema = !isMap && (key === 'schema' || key === 'itemSchema' || key === 'schemas');
      return [key, copyOf(member, !isMap && MAPS.has(key), isOfSchema || startsSchema, open)];
    });
    const copy = Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
    const path = paths.get(value);
    if (path) origins.set(copy, path);
    return copy;
  };
  return copyOf(document, false, false, []) as Document;
}

function isPathItem({ path, isMap }: Part): boolean {
  const isOfDocument = path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks');
  return !isMap && (isOfDocument || path.at(-3) === 'callbacks');
}

/** Gives an operation the security of the contract, unless it has its own; without any it is open, as by an empty list. */
function secure(operation: Pick<Document, 'security'>, { security }: Document): void {
  const { security: own = security } = operation;
  if (own && own.length > 0) operation.security = own;
  else delete operation.security;
}

/** An extension, to which the lists of parameters refer: redocly pairs what has the same reference, and else what has similar texts. */
export const PARAMETERS = 'x-parameters';

/** Gives an operation what its path item declares for all of them, and puts its parameters under names that are the same in both contracts. */
function completeOperation(
  operation: Pick<PathItem, 'parameters' | 'servers'>,
  { parameters: shared = [], servers }: PathItem,
  at: Path,
  parameters: Map<string, Parameter>,
): void {
  const { parameters: own = [] } = operation;
  const isOverridden = (parameter: Parameter): boolean =>
    own.some((each) => each.name === parameter.name && each.in === parameter.in);
  const all = [...own, ...shared.filter((each) => !isOverridden(each))];
  if (servers) operation.servers ??= servers;
  if (all.length === 0) return;
  // Those of a path are told by their places, because their names are not sent.
  const [, path = ''] = at.map(String);
  const names = namesInPath(path);
  const operationPath = pointerOf(at.with(1, templateOf(path)));
  const references = all.map((each) => {
    const index = names.indexOf(each.name);
    const sent = each.in === 'path' && index >= 0 ? index : each.name;
    const name = Buffer.from(`${operationPath} ${each.in} ${sent}`).toString('hex');
    parameters.set(name, each);
    return { $ref: `#/${PARAMETERS}/${name}` };
  });
  Reflect.set(operation, 'parameters', references);
}
