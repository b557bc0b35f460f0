/** Brings schemas to JSON Schema 2020-12 as their authors mean them: keywords of OpenAPI 3.0 and of older drafts, and those without effect. */
import { ExactNumber, readText } from '../json/number';
import { lookUp, type Path, pathOf, pointerOf, type Schema } from './document';
import type { Problem } from './problems';
import { isSchema } from './traverse';

/** Changes a schema in place; yields what its author may want to write differently. */
export function* normalizeSchema(document: Schema, schema: Schema, path: Path, is30: boolean): Generator<Problem> {
  if (is30 && schema.$ref !== undefined) dropBesideReference(schema);
  if (schema.$recursiveRef === '#') refer(schema, path);
  listValues(schema);
  if (is30 && Array.isArray(schema.type))
    yield [[...path, 'type'], 'a list of types is of OpenAPI 3.1: it is read as it is meant there'];
  for (const [keyword, text] of [
    ...withoutMeaning(schema),
    ...requiredByThemselves(schema),
    ...bringUp(schema),
    ...readNullable(schema, is30),
    ...readDefault(schema),
    ...definedNearby(document, schema, path),
  ])
    // In 3.0 there is no other way to write these.
    if (!is30 || !OF_3_0.has(keyword)) yield [[...path, keyword], text];
  combineReference(schema);
}

/** Moves a reference with keywords beside it into an `allOf`, so that a reference alone stands for its target. */
function combineReference(schema: Schema): void {
  const { $ref, allOf = [] } = schema;
  if ($ref === undefined || isReferenceAlone(schema)) return;
  delete schema.$ref;
  schema.allOf = [...allOf, { $ref }];
}

const OF_3_0: ReadonlySet<string> = new Set(['exclusiveMinimum', 'exclusiveMaximum']);

/** Removes what has no effect; yields the keywords, each with a warning. */
function* withoutMeaning(schema: Schema): Generator<[keyword: string, text: string]> {
  const drop = (keyword: string): boolean => Reflect.deleteProperty(schema, keyword);
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const list = schema[keyword];
    if (Array.isArray(list) && list.length === 0 && drop(keyword)) yield [keyword, `an empty ${keyword} is ignored`];
  }
  if (Array.isArray(schema.enum) && schema.enum.length === 0) yield ['enum', 'an empty enum accepts no value'];
  const { enum: values, 'x-enum-varnames': names } = schema;
  const areNamed =
    Array.isArray(values) &&
    Array.isArray(names) &&
    [names.length, new Set(names).size].every((count) => count === values.length);
  if (names !== undefined && !areNamed && drop('x-enum-varnames'))
    yield ['x-enum-varnames', 'x-enum-varnames that do not name each value of an enum are ignored'];
  if (schema.examples !== undefined && !Array.isArray(schema.examples) && drop('examples'))
    yield ['examples', 'examples of a schema that are not a list are ignored'];
  if (Array.isArray(schema.required) && new Set(schema.required).size < schema.required.length) {
    schema.required = [...new Set(schema.required)];
    yield ['required', 'a property that is required twice is required once'];
  }
  const { $schema = DIALECT } = schema;
  drop('$recursiveAnchor');
  if (drop('$schema') && !String($schema).startsWith(DIALECT) && !String($schema).includes('spec.openapis.org'))
    yield ['$schema', `a schema is read as of ${DIALECT}, whatever its $schema`];
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Reads a default that is not of the type of its schema, but is a text of such a value, or has such a text. */
function* readDefault(schema: Schema): Generator<[keyword: string, text: string]> {
  const { default: given, type } = schema;
  const types = [type ?? []].flat();
  const isText = typeof given === 'string' && types.length > 0;
  const hasText = /^(?:number|bigint|boolean)$/.test(typeof given) && types.join() === 'string';
  const read = isText ? readText(given, types) : hasText ? String(given) : given;
  if (read === given || read instanceof ExactNumber) return;
  schema.default = read;
  yield ['default', 'a default that is written as another type is read as a value of its own'];
}

/** Translates keywords of OpenAPI 3.0, which are common in documents of 3.1 too. */
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
}

/** Brings `nullable` up as OpenAPI 3.0.4 defines it; a null that authors mean elsewhere is accepted, and never sent. */
function* readNullable(schema: Schema, is30: boolean): Generator<[keyword: string, text: string]> {
  const { nullable, type } = schema;
  if (nullable === undefined) return;
  delete schema.nullable;
  const isLenient = nullable === true && !allowNull(schema, is30 && type !== undefined);
  if (isLenient)
    yield ['nullable', 'a null where nullable of OpenAPI 3.0 does not allow it is accepted, and never sent'];
  else if (!is30) yield ['nullable', 'nullable is of OpenAPI 3.0, and says nothing here'];
}

/** Keywords beside which `type` alone cannot allow `null`. */
const DECIDING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const'];
/** Keywords that decide on no value. */
export const ANNOTATION = /^(?:title|description|default|examples?|deprecated|readOnly|writeOnly|externalDocs|x-.*)$/;

/** True if nothing beside the reference of a schema decides on values. */
export function isReferenceAlone(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATION.test(keyword) || BESIDE_REFERENCE.test(keyword));
}

const BESIDE_REFERENCE = /^(?:xml|discriminator|definitions|\$(?:ref|defs|comment|id|anchor|dynamicAnchor))$/;

/** Lets a schema accept null; false if the specification does not allow that, so that it is a branch for requests alone. */
function allowNull(schema: Schema, isSpecified: boolean): boolean {
  const isDecided = DECIDING.some((keyword) => schema[keyword] !== undefined);
  const isListed = Array.isArray(schema.enum) && !schema.enum.includes(null);
  const types = [schema.type ?? []].flat();
  if (isSpecified && !isListed && !types.includes('null')) schema.type = [...types, 'null'];
  // It has no keyword that refuses null.
  if (!isDecided && !isListed && (isSpecified || types.length === 0 || types.includes('null'))) return true;
  const rules = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !ANNOTATION.test(keyword) || keyword.startsWith('x-enum')),
  );
  for (const keyword of Object.keys(rules)) Reflect.deleteProperty(schema, keyword);
  schema.anyOf = [rules, { type: 'null', writeOnly: true }];
  return false;
}

/** OpenAPI 3.0 ignores what stands beside a `$ref`; authors mean a `nullable` there all the same. */
function dropBesideReference(schema: Schema): void {
  for (const keyword of Object.keys(schema))
    if (keyword !== '$ref' && keyword !== 'nullable' && !ANNOTATION.test(keyword))
      Reflect.deleteProperty(schema, keyword);
}

/** A value of an annotated enumeration. */
interface Listed {
  const: unknown;
  title?: string;
  description?: string;
}

/** The branches of a `oneOf` that only lists values with their titles and descriptions; undefined for any other. */
function listedValues(branches: unknown): Listed[] | undefined {
  const isListed = (branch: unknown): branch is Listed =>
    isSchema(branch) &&
    (branch.const === null || !['object', 'undefined'].includes(typeof branch.const)) &&
    Object.entries(branch).every(([key, value]) => key === 'const' || (SAID.test(key) && typeof value === 'string'));
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isListed)) return undefined;
  return new Set(branches.map((each) => each.const)).size === branches.length ? branches : undefined;
}
const SAID = /^(?:title|description)$/;

/**
 * Turns `oneOf: [{ const: 40001, title: MalformedBody, description: ... }, ...]` into an `enum`, which is faster to validate and to explain;
 * the titles become `x-enum-varnames` for generators, and the descriptions a table for people.
 */
function listValues(schema: Schema): void {
  const listed =
    schema.enum === undefined && schema.discriminator === undefined ? listedValues(schema.oneOf) : undefined;
  if (!listed) return;
  delete schema.oneOf;
  schema.enum = listed.map((each) => each.const);
  const names = listed.map(({ title = '' }) => title);
  const areNames = new Set(names).size === names.length && names.every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (areNames) schema['x-enum-varnames'] ??= names;
  if (!listed.some(({ description, title }) => description !== undefined || title !== undefined)) return;
  const rows = listed.map(({ const: value, title = '', description = '' }) => [String(value), title, description]);
  const table = [['value', 'name', 'meaning'], ['---', '---', '---'], ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |\n`,
  );
  const said = typeof schema.description === 'string' ? schema.description : '';
  schema.description = `${said.trimEnd()}\n\n${table.join('')}`.trimStart();
}

/** Replaces `$recursiveRef` of JSON Schema 2019-09, which refers to the schema around it. */
function refer(schema: Schema, path: Path): void {
  delete schema.$recursiveRef;
  schema.$ref = `#${pointerOf(path.slice(0, path[0] === 'components' ? 3 : path.indexOf('schema') + 1))}`;
}

/** Moves `required: true` of a property, as in early drafts of JSON Schema, into the list of its object. */
function* requiredByThemselves(schema: Schema): Generator<[keyword: string, text: string]> {
  if (typeof schema.required === 'boolean') {
    delete schema.required;
    yield ['required', 'required: true has no effect on a schema that is not a property'];
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const required: unknown = isSchema(property) ? property.required : undefined;
    if (typeof required !== 'boolean') continue;
    delete property.required;
    if (required) schema.required = [...new Set([...(schema.required ?? []), name])];
    yield ['properties', 'required: true of a property is read as its name in the list of its object'];
  }
}

const NEARBY = /^#\/(?:\$defs|definitions)\//;

/** Corrects references to `#/$defs/...` that mean the `$defs` of a schema around them, as in a schema that was copied into the document. */
function* definedNearby(document: Schema, schema: Schema, path: Path): Generator<[keyword: string, text: string]> {
  const meant = (ref: string): string | undefined => {
    if (!NEARBY.test(ref) || lookUp(document, pathOf(ref)) !== undefined) return undefined;
    for (let length = path.length; length > 0; length--) {
      const around = [...path.slice(0, length), ...pathOf(ref)];
      if (lookUp(document, around) !== undefined) return `#${pointerOf(around).replaceAll('%', '%25')}`;
    }
    return undefined;
  };
  const { $ref, discriminator } = schema;
  const target = typeof $ref === 'string' ? meant($ref) : undefined;
  if (target !== undefined) {
    schema.$ref = target;
    yield ['$ref', 'a reference to $defs is read as one to those of the schema that it stands in'];
  }
  const mapping = isSchema(discriminator) && isSchema(discriminator.mapping) ? discriminator.mapping : {};
  for (const [value, ref] of Object.entries(mapping)) if (typeof ref === 'string') mapping[value] = meant(ref) ?? ref;
}
