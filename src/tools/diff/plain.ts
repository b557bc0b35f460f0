/** Writes in one way what a contract can say in several, and leaves out what says nothing, so that redocly takes neither for a change. */
import {
  type Document,
  isFile,
  isSchema,
  type Part,
  partsOf,
  type Path,
  pathOf,
  pointerOf,
  type Schema,
} from '../../engine/reading';

/** Fields that say nothing where they are false or 0. */
const FALSE = ['required', 'allowReserved', 'allowEmptyValue', 'readOnly', 'writeOnly', 'uniqueItems'];
const ZERO = ['minLength', 'minItems', 'minProperties'];
/** Keywords for other members, where redocly takes `{}` for a rule and `true` for none. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems'];
/** Keywords that decide on no value. */
export const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  '$comment',
];
export function isAnnotation(key: string): boolean {
  return ANNOTATIONS.includes(key);
}

/** Keywords that decide on null, beside `type`. */
const DECIDING = ['$ref', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** True if a reference leads to a part below a path. */
export type IsReferredTo = (path: Path) => boolean;

export function referencesInto(document: Document): IsReferredTo {
  const around = new Set<string>();
  for (const { part } of partsOf(document)) {
    if (!('$ref' in part) || typeof part.$ref !== 'string' || !part.$ref.startsWith('#/')) continue;
    const path = pathOf(part.$ref);
    for (const index of path.keys()) around.add(pointerOf(path.slice(0, index)));
  }
  return (path) => around.has(pointerOf(path));
}

/** Changes a document in place. */
export function writePlainly(document: Document, isReferredTo: IsReferredTo): void {
  // What is within a schema first, so that what is combined is plain.
  for (const each of partsOf(document).reverse()) {
    if (each.isMap || !isSchema(each.part)) continue;
    const { part, path } = each;
    for (const key of FALSE) if (part[key] === false) Reflect.deleteProperty(part, key);
    for (const key of ZERO) if (part[key] === 0) Reflect.deleteProperty(part, key);
    for (const key of OTHERS) if (isEmpty(part[key])) part[key] = true;
    if (part.const !== undefined) part.enum = [part.const];
    if (part.enum !== undefined) delete part.const;
    if (path.at(-2) !== 'variables') writeTypes(part);
    if (isFile(part)) writeFile(part);
    if (path.at(-2) === 'securitySchemes') {
      if (typeof part.scheme === 'string') part.scheme = part.scheme.toLowerCase();
      if (part.in === 'header' && typeof part.name === 'string') part.name = part.name.toLowerCase();
    }
    // Redocly compares servers as they are written.
    if (path.at(-2) === 'servers' && typeof part.url === 'string') delete part.description;
    leaveOutStyle(each);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) if (!isReferredTo([...path, keyword])) combine(part, keyword);
  }
}

function isEmpty(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0;
}

/** Gives an enumeration the types of its values, if those beside it, or none, say no more; text may be an object that was written as such. */
function writeTypes(schema: Schema): void {
  const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : [];
  const found = new Set(values.map(typeOf));
  if (found.size === 0 || values.some((each) => typeof each === 'string' && /^["[{]/.test(each))) return;
  const given = new Set([schema.type ?? [...found]].flat());
  if (![...found].every((each) => given.has(each) || (each === 'integer' && given.has('number')))) return;
  if (found.has('number')) found.delete('integer');
  const [first = '', ...others] = [...found].sort();
  schema.type = others.length > 0 ? [first, ...others] : first;
}

function typeOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint')
    return Number.isInteger(Number(value)) ? 'integer' : 'number';
  return value === null ? 'null' : typeof value;
}

/** Writes bytes of any kind as OpenAPI 3.0 does: 3.1 has the keyword of JSON Schema for them. */
function writeFile(schema: Schema): void {
  schema.format ??= 'binary';
  if (schema.contentMediaType === 'application/octet-stream') delete schema.contentMediaType;
  if (schema.contentEncoding === 'binary') delete schema.contentEncoding;
}

/** Leaves out the style that a parameter or header has anyway (OpenAPI 3.1, Parameter Object). */
function leaveOutStyle({ part, path }: Part): void {
  if (!isSchema(part)) return;
  const isHeader = path.at(-2) === 'headers';
  if (!isHeader && typeof part.in !== 'string') return;
  const usual = part.in === 'query' || part.in === 'cookie' ? 'form' : 'simple';
  const { style = usual, explode } = part;
  if (explode === (style === 'form')) delete part.explode;
  if (style === usual) delete part.style;
}

/** Puts the only branch of a combination in its place, and null as a type beside the only other type. */
function combine(schema: Schema, keyword: string): void {
  const { [keyword]: branches, ...own } = schema;
  if (!Array.isArray(branches) || !Object.keys(own).every(isAnnotation)) return;
  const [only, ...others] = branches as unknown[];
  const branch = branchBesideNull(schema);
  const one = isSchema(only) && others.length === 0 ? { ...only, ...own } : branch && withNull(schema, branch);
  if (!one) return;
  Reflect.deleteProperty(schema, keyword); // the branch may have another one under the same keyword
  Object.assign(schema, one);
}

/** The branch of a choice between it and null, beside annotations; undefined for other schemas. */
export function branchBesideNull({ anyOf, oneOf, ...own }: Schema): Schema | undefined {
  const branches: readonly unknown[] = anyOf && oneOf ? [] : (anyOf ?? oneOf ?? []);
  const [branch, ...others] = branches.filter((each) => !isNull(each));
  const isChoice = branches.length === 2 && others.length === 0 && Object.keys(own).every(isAnnotation);
  return isChoice && isSchema(branch) ? branch : undefined;
}

/** A choice between a schema and null as that schema with one more type; undefined where it does not say which types it has. */
export function withNull({ anyOf: _anyOf, oneOf: _oneOf, ...own }: Schema, branch: Schema): Schema | undefined {
  const types = [branch.type ?? []].flat();
  if (types.length === 0 || types.includes('null') || DECIDING.some((key) => key in branch)) return undefined;
  return { ...branch, ...own, type: [...types, 'null'] };
}

/** True for the schema of null alone, which answers have as well. */
function isNull(schema: unknown): boolean {
  return isSchema(schema) && schema.type === 'null' && Object.keys(schema).length === 1;
}

/** A path without the names of its parameters, which are not sent. */
export function templateOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}
