/**
 * Brings documents to one form, as their authors mean them: version 3.0 to 3.1, what 3.2 has new words for, operations without a name, parameters that do not fit
 * their path, descriptions that are not text, and schemas. It happens on reading, so that validation, types and documentation agree.
 */
import { deserialize, serialize } from 'node:v8';
import { acceptsNull } from './accepts-null';
import {
  type Document,
  operationsIn,
  type Parameter,
  type Path,
  type PathItem,
  type PlacedOperation,
  pointerOf,
  resolve,
  type Schema,
} from './document';
import { normalize32 } from './normalize-32';
import { normalizeSchema } from './normalize-schema';
import { namesInPath } from './paths';
import type { Problem } from './problems';
import { isSchema, type Part, partsOf, placedSchemas } from './traverse';

/** Changes the document in place; returns warnings for its author. */
export function normalize(document: unknown): Problem[] {
  if (!isSchema(document)) return [];
  const version = String(document.openapi);
  const is30 = /^3\.0\.\d+/.test(version);
  if (/^3\.2\.\d+/.test(version)) normalize32(document);
  if (is30) document.openapi = '3.1.1';
  const parts = partsOf(document);
  for (const part of parts) writeOutBooleans(part, is30);
  const warnings = parts.flatMap((part) => [...mendTexts(part), ...mendPart(part)]);
  if (document.webhooks !== undefined && document.paths === undefined) {
    document.paths = {};
    warnings.push([
      ['webhooks'],
      'a contract of webhooks alone has no operation to serve, and is documented and typed',
    ]);
  }
  separatePaths(document);
  const operations = placedOperations(document);
  warnings.push(...nameOperations(operations), ...mendPathParameters(document, operations));
  const schemas = placedSchemas(document);
  for (const [schema, path] of schemas) warnings.push(...normalizeSchema(document, schema, path, is30));
  for (const [schema, path] of schemas)
    if (schema.default === null && !acceptsNull(document as unknown as Document, schema)) {
      delete schema.default;
      warnings.push([[...path, 'default'], 'a default of null that its schema does not allow is ignored']);
    }
  return warnings;
}

/** The name of an operation without one: `getV1Elevation` for `GET /v1/elevation`. */
export function nameOf(method: string, path: string): string {
  const words = path.match(/[\p{L}\p{N}]+/gu) ?? ['root'];
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** The greatest size of what is copied for paths that share an item, in bytes: more is an attack. */
const COPIES_BYTES_MAX = 10_000_000;

/** Gives each path an item of its own: one that two share by a reference has operations of one name, and parameters of one path. */
function separatePaths(document: Schema): void {
  let copied = 0;
  const paths = isSchema(document.paths) ? document.paths : {};
  const taken = new Set<unknown>();
  const written = Object.entries(paths).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
  // References come last: what they share is kept where it is written.
  written.sort(([, a], [, b]) => Number(a.$ref !== undefined) - Number(b.$ref !== undefined));
  for (const [path, item] of written) {
    const found = resolved(document, item);
    if (found && taken.has(found)) {
      const bytes = serialize(found);
      copied += bytes.length;
      if (copied > COPIES_BYTES_MAX) return;
      paths[path] = deserialize(bytes);
    }
    taken.add(found);
  }
}

interface Placed extends PlacedOperation {
  path: string;
  item: PathItem;
  at: Path;
}

function placedOperations(document: Schema): Placed[] {
  const paths = isSchema(document.paths) ? document.paths : {};
  return Object.entries(paths).flatMap(([path, written]) => {
    const item: PathItem | undefined = isSchema(written) ? resolved(document, written) : undefined;
    if (!item) return [];
    return operationsIn(item).map((placed) => ({ ...placed, path, item, at: ['paths', path, ...placed.steps] }));
  });
}

/** The target of a reference; undefined if there is none, which load-contract.ts reports. */
function resolved<T extends object>(document: Schema, part: T): T | undefined {
  try {
    return resolve(document as unknown as Document, part);
  } catch {
    return undefined;
  }
}

/** Gives every operation a name of its own; of two with the same name the first keeps it. */
function* nameOperations(operations: readonly Placed[]): Generator<Problem> {
  const taken = new Map<unknown, Placed | undefined>();
  for (const placed of operations) {
    const { operationId } = placed.operation;
    if (isName(operationId) && !taken.has(operationId)) taken.set(operationId, placed);
  }
  for (const placed of operations) {
    const { path, method, operation, at } = placed;
    const { operationId } = operation;
    const other = taken.get(operationId);
    if (other === placed) continue;
    const name = nameOf(method, path);
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
    taken.set(free, placed);
    operation.operationId = free;
    const why =
      operationId === undefined
        ? 'without operationId'
        : isName(operationId)
          ? 'with the operationId of another'
          : `with the operationId ${operationId}`;
    const place = operationId === undefined ? at : [...at, 'operationId'];
    yield [
      place,
      `an operation ${why} is named after its method and path`,
      other ? `${free}; ${other.method.toUpperCase()} ${other.path} has it` : free,
    ];
  }
}

/** True if an operationId can be a name in types and in the table of handlers: openapi-typescript writes `/` for `#`. */
function isName(operationId: unknown): boolean {
  return typeof operationId === 'string' ? !/^(?:__proto__)?$|#/.test(operationId) : operationId !== undefined;
}

/**
 * Declares missing path parameters as text, and drops those that are not in the path. A path with both is left
 * unchanged, because one may be meant for the other.
 */
function* mendPathParameters(document: Schema, operations: readonly Placed[]): Generator<Problem> {
  for (const { path, item, operation, at } of operations) {
    const inPath = namesInPath(path);
    const lists = [operation, item].map(({ parameters }) => (Array.isArray(parameters) ? parameters : []));
    const nameIfInPath = (parameter: Parameter): string | undefined => {
      const { in: where, name } = (isSchema(parameter) && resolved(document, parameter)) || {};
      return where === 'path' ? String(name) : undefined;
    };
    const declared = lists.flat().flatMap((each) => nameIfInPath(each) ?? []);
    const missing = inPath.filter((name) => !declared.includes(name));
    const superfluous = declared.filter((name) => !inPath.includes(name));
    if (missing.length > 0 && superfluous.length > 0) continue;
    for (const name of missing) yield [at, 'a parameter of the path that is not declared is text', name];
    for (const name of superfluous) yield [at, 'a path parameter that is not in the path is ignored', name];
    const text = missing.map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
    const isList = ({ parameters = [] }: Pick<PathItem, 'parameters'>): boolean => Array.isArray(parameters);
    if (text.length > 0 && isList(operation)) operation.parameters = [...(operation.parameters ?? []), ...text];
    if (superfluous.length > 0)
      for (const holder of [operation, item])
        if (holder.parameters && isList(holder))
          holder.parameters = holder.parameters.filter((each) => !superfluous.includes(nameIfInPath(each) ?? ''));
  }
}

/** Writes the schemas `true` and `false` of what references may lead to, and of bodies, headers and parameters, as objects. */
function writeOutBooleans({ part, path, isMap }: Part, is30: boolean): void {
  const isNamed = isMap && ['schemas', '$defs', 'definitions'].includes(String(path.at(-1)));
  const others = isMap || is30 ? [] : ['schema', 'itemSchema'];
  for (const name of isNamed ? Object.keys(part) : others) {
    const schema: unknown = Reflect.get(part, name);
    if (typeof schema === 'boolean') Reflect.set(part, name, schema ? {} : { not: {} });
  }
}

/** Texts for people, which some tools write as null, a number or a reference. */
const TEXTS = ['title', 'summary', 'description', 'version'];

function* mendTexts({ part, path, isMap }: Part): Generator<Problem> {
  for (const key of isMap ? [] : TEXTS) {
    const text: unknown = Reflect.get(part, key);
    if (typeof text === 'number') Reflect.set(part, key, String(text));
    else if (text !== null && !(isSchema(text) && text.$ref !== undefined)) continue;
    else Reflect.deleteProperty(part, key);
    yield [
      [...path, key],
      `a ${key} that is not text is ${typeof text === 'number' ? 'read as one: expected it in quotes' : 'left out'}`,
    ];
  }
}

/** Lists and maps that say nothing if they are null. */
const EMPTY = ['content', 'headers', 'links', 'callbacks', 'parameters', 'tags'];

/** Leaves out a header that is described by the media type, and that OpenAPI says to ignore (OpenAPI 3.1, Response Object). */
function ignoreContentType(headers: unknown): void {
  if (!isSchema(headers)) return;
  for (const name of Object.keys(headers))
    if (name.toLowerCase() === 'content-type') Reflect.deleteProperty(headers, name);
}

/** Adds fields that OpenAPI requires although they are implied, and drops invalid ones that have no effect. */
function* mendPart({ part, path, isMap }: Part): Generator<Problem> {
  const isOfOperation = path.at(-1) === 'responses' && path[0] !== 'components';
  // OpenAPI allows extensions in these; they are no statuses and no paths.
  if ((isMap && isOfOperation) || (!isMap && (path.at(-2) === 'callbacks' || pointerOf(path) === '/paths')))
    for (const key of Object.keys(part)) if (key.startsWith('x-')) Reflect.deleteProperty(part, key);
  if (isMap && path.at(-1) === 'responses')
    for (const [key, response] of Object.entries(part)) {
      if (!isSchema(response) || response.$ref !== undefined) continue;
      ignoreContentType(response.headers);
      if (response.description !== undefined) continue;
      response.description = '';
      yield [[...path, key], 'a response without description is described as nothing'];
    }
  if (isMap) return;
  for (const key of EMPTY)
    if (Reflect.get(part, key) === null && Reflect.deleteProperty(part, key))
      yield [[...path, key], `${key} that is null is left out`];
  if (!('in' in part)) return;
  // OpenAPI defines them for queries only.
  if (part.in !== 'query') {
    Reflect.deleteProperty(part, 'allowEmptyValue');
    if ('allowReserved' in part && part.allowReserved === false) delete part.allowReserved;
  }
  if (part.in === 'path' && 'name' in part && (!('required' in part) || part.required === false)) {
    Object.assign(part, { required: true });
    yield [[...path, 'required'], 'a path parameter is required, whether it says so or not: expected required: true'];
  }
}
