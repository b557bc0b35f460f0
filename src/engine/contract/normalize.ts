/**
 * What authors write and mean, brought to OpenAPI 3.1: documents of 3.0 and 3.2, `nullable`, keywords that say nothing, operations
 * without a name. It is done when a document is read, so that validation, types and documentation see the same.
 */
import { type Document, METHODS, type Path, pointerOf, resolve, type Schema } from './document';
import type { Problem } from './source';
import { isSchema, partsOf, placedSchemas } from './walk';

/** Changes the document in place; says what of it its author may want to write otherwise. */
export function normalize(document: unknown): Problem[] {
  if (!isSchema(document)) return [];
  const version = String(document.openapi);
  const is30 = /^3\.0\.\d+/.test(version);
  if (/^3\.2\.\d+/.test(version)) dropNewAnnotations(document);
  if (is30 || /^3\.2\.\d+/.test(version)) document.openapi = '3.1.1';
  dropAllowEmptyValue(document);
  const said: Problem[] = [...nameOperations(document)];
  for (const [schema, path] of placedSchemas(document)) {
    if (is30 && schema.$ref !== undefined) dropBesideReference(schema);
    if (schema.$recursiveRef === '#') refer(schema, path);
    for (const [keyword, text] of [...withoutMeaning(schema), ...bringUp(schema)])
      // In 3.0 these are what its author had to write.
      if (!is30 || !OF_3_0.has(keyword)) said.push([[...path, keyword], text]);
  }
  return said;
}

/** `getV1Elevation` for `GET /v1/elevation`. */
export function nameOf(method: string, path: string): string {
  const words = path.match(/[\p{L}\p{N}]+/gu) ?? ['root'];
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

function* nameOperations(document: Schema): Generator<Problem> {
  const paths = isSchema(document.paths) ? document.paths : {};
  const items = Object.entries(paths).map(([path, item]) => [path, resolved(document, item)] as const);
  const operations = items.flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = isSchema(item) ? item[method] : undefined;
      return isSchema(operation) ? [{ path, method, operation }] : [];
    }),
  );
  const taken = new Set(operations.map(({ operation }) => operation.operationId));
  for (const { path, method, operation } of operations) {
    if (operation.operationId !== undefined) continue;
    const name = nameOf(method, path);
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}${number}`;
    taken.add(free);
    operation.operationId = free;
    yield [['paths', path, method], 'an operation without operationId is named after its method and path', free];
  }
}

function resolved(document: Schema, item: unknown): unknown {
  try {
    return isSchema(item) ? resolve(document as unknown as Document, item) : item;
  } catch {
    return undefined; // what is wrong with the reference is said elsewhere
  }
}

const OF_3_0: ReadonlySet<string> = new Set(['nullable', 'exclusiveMinimum', 'exclusiveMaximum']);

/** What says nothing about a value; keywords and what is said of them. */
function* withoutMeaning(schema: Schema): Generator<[keyword: string, text: string]> {
  const drop = (keyword: string): boolean => Reflect.deleteProperty(schema, keyword);
  for (const keyword of ['enum', 'anyOf', 'oneOf', 'allOf']) {
    const list = schema[keyword];
    if (Array.isArray(list) && list.length === 0 && drop(keyword)) yield [keyword, `an empty ${keyword} is ignored`];
  }
  if (schema.examples !== undefined && !Array.isArray(schema.examples) && drop('examples'))
    yield ['examples', 'examples of a schema that are no list are ignored'];
  if (Array.isArray(schema.required) && new Set(schema.required).size < schema.required.length) {
    schema.required = [...new Set(schema.required)];
    yield ['required', 'a property that is required twice is required once'];
  }
  // References are of the whole document, whatever name a schema gives itself.
  if (schema.$id !== undefined && drop('$id')) yield ['$id', '$id is ignored: references are of the document'];
  const { $schema = DIALECT } = schema;
  drop('$anchor');
  drop('$recursiveAnchor');
  if (drop('$schema') && !String($schema).startsWith(DIALECT) && !String($schema).includes('spec.openapis.org'))
    yield ['$schema', `a schema is read as of ${DIALECT}, whatever its $schema`];
}
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Keywords of OpenAPI 3.0, read as they were meant: in documents of 3.1 they are common too. */
function* bringUp(schema: Schema): Generator<[keyword: string, text: string]> {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'] as const,
    ['exclusiveMaximum', 'maximum'] as const,
  ]) {
    const isExclusive = schema[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    Reflect.deleteProperty(schema, exclusive);
    if (isExclusive && schema[bound] !== undefined) {
      schema[exclusive] = schema[bound];
      Reflect.deleteProperty(schema, bound);
    }
    yield [exclusive, `${exclusive}: ${isExclusive} is of OpenAPI 3.0: it is read as it was meant there`];
  }
  const { nullable } = schema;
  if (nullable === undefined) return;
  delete schema.nullable;
  if (nullable === true) allowNull(schema);
  yield ['nullable', "nullable is of OpenAPI 3.0: true is read as type: [..., 'null'], and false says nothing"];
}

/** What a value may be is also decided by these; `null` is then a branch of its own. */
const DECIDING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'];
const ANNOTATION = /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|externalDocs|x-.*)$/;

function allowNull(schema: Schema): void {
  if (DECIDING.some((keyword) => schema[keyword] !== undefined)) {
    const rules = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATION.test(keyword)));
    for (const keyword of Object.keys(rules)) Reflect.deleteProperty(schema, keyword);
    schema.anyOf = [rules, { type: 'null' }];
    return;
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.includes('null')) schema.type = [...types, 'null'];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...(schema.enum as unknown[]), null];
}

/** In 3.0 what stands beside a `$ref` is ignored; `nullable` there is meant all the same. */
function dropBesideReference(schema: Schema): void {
  for (const keyword of Object.keys(schema))
    if (keyword !== '$ref' && keyword !== 'nullable' && !ANNOTATION.test(keyword))
      Reflect.deleteProperty(schema, keyword);
}

/** `$recursiveRef` of JSON Schema 2019-09 is a reference to the schema that it stands in. */
function refer(schema: Schema, path: Path): void {
  delete schema.$recursiveRef;
  schema.$ref = `#${pointerOf(path.slice(0, path[0] === 'components' ? 3 : path.indexOf('schema') + 1))}`;
}

/** Which is for queries alone, and says nothing elsewhere. */
function dropAllowEmptyValue(document: Schema): void {
  for (const { part, isMap } of partsOf(document))
    if (!isMap && 'in' in part && part.in !== 'query') Reflect.deleteProperty(part, 'allowEmptyValue');
}

/** By what they stand in, the fields of 3.2 that change nothing of what is served; its other fields are refused. */
const NEW_ANNOTATIONS: Readonly<Record<string, readonly string[]>> = {
  servers: ['name'],
  tags: ['summary', 'parent', 'kind'],
  responses: ['summary'],
  securitySchemes: ['deprecated', 'oauth2MetadataUrl'],
  flows: ['deviceAuthorization'],
  examples: ['dataValue', 'serializedValue'],
};

function dropNewAnnotations(document: Schema): void {
  delete document.$self;
  for (const { part, path } of partsOf(document)) {
    const kind = String(path.at(-1) === 'flows' ? 'flows' : path.at(-2));
    for (const field of NEW_ANNOTATIONS[kind] ?? []) Reflect.deleteProperty(part, field);
    if (kind === 'responses' && !('$ref' in part)) Object.assign(part, { description: '', ...part });
  }
}
