/** Warnings for schemas and examples that mean something, but hardly what their author meant. */
import { isDefaultBranch, isDiscriminator } from '../contract/discriminator';
import { type Document, type Path, resolve, type Schema } from '../contract/document';
import { named, type Problem } from '../contract/problems';
import { frameOf } from '../contract/sequences';
import { applicableSchemas, constantsOf, isSchema, partsOf, type PlacedSchema, typesOf } from '../contract/traverse';
import { hintOf, nearest } from '../errors/misspelt';
import { compareNumbers } from '../json/number';
import { isBound, isOfType } from '../schema/number-rules';
import { sayWrong } from '../schema/violation';

export function* unwiseSchemas(document: Document, placed: readonly PlacedSchema[]): Generator<Problem> {
  for (const [schema, path] of placed) {
    yield* wrongConstants(schema, path);
    yield* emptyRanges(schema, path);
    yield* otherTypes(schema, path);
    yield* undeclaredRequired(document, schema, path);
    yield* closedBeside(document, schema, path);
    yield* lostDefault(schema, path);
    yield* unboundNodes(schema, path);
    yield* sameNodes(document, schema, path);
  }
  yield* unboundPrefixes(placed);
  yield* untypedObjects(document, placed);
}

/** Values with properties, of no type: their handlers' types say that they are objects. */
function* untypedObjects(document: Document, placed: readonly PlacedSchema[]): Generator<Problem> {
  const paths = new Map(placed);
  const found = new Set<Schema>();
  for (const [schema, path] of placed) {
    if (schema.type !== undefined || !isOfValue(path)) continue;
    const all = [...applicableSchemas(document, schema)];
    const described = all.find(({ properties }) => properties !== undefined);
    if (!described || found.has(described) || typesOf(all).size > 0 || all.some(constantsOf)) continue;
    found.add(described);
    yield named(
      [...(paths.get(described) ?? path), 'properties'],
      'without type: object, null, lists and text are accepted too',
    );
  }
}

/** True for the path of a schema that alone says what a value is. A form is an object whatever its schema says. */
function isOfValue(path: Path): boolean {
  const [parent, own] = path.slice(-2).map(String);
  if (own === 'schema') return !FORM.test(parent ?? '');
  return (
    /^(?:items|itemSchema|additionalProperties)$/.test(own ?? '') || /^(?:p|patternP)roperties$/.test(parent ?? '')
  );
}

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/** A default branch that is none of the branches. */
function* lostDefault({ discriminator, oneOf, anyOf }: Schema, path: Path): Generator<Problem> {
  const branches = oneOf ?? anyOf;
  if (!isDiscriminator(discriminator) || discriminator.defaultMapping === undefined || !Array.isArray(branches)) return;
  if (!branches.some((branch) => isDefaultBranch(branch, discriminator)))
    yield [[...path, 'discriminator', 'defaultMapping'], 'defaultMapping names none of the branches, and is ignored'];
}

/** Objects whose members would be in XML where their own element is. */
function* unboundNodes(schema: Schema, path: Path): Generator<Problem> {
  if (isSchema(schema.xml) && schema.xml.nodeType === 'none' && !typesOf([schema]).has('array'))
    yield [[...path, 'xml', 'nodeType'], 'nodeType none is for lists: expected an element in XML'];
}

/** Properties that are the same element or attribute in XML: all of them are read as the last one. */
function* sameNodes(document: Document, { properties = {} }: Schema, path: Path): Generator<Problem> {
  const keys = new Map<string, string>();
  for (const [key, property] of Object.entries(properties)) {
    const { xml } = isSchema(property) ? resolve(document, property) : {};
    const { name = key, namespace, attribute, nodeType } = isSchema(xml) ? xml : {};
    const node = JSON.stringify([name, namespace, attribute === true || nodeType === 'attribute']);
    const other = keys.get(node);
    if (other !== undefined)
      yield named([...path, 'properties', key], `${other} and ${key} have the same name in XML: ${String(name)}`);
    if (nodeType !== 'text' && nodeType !== 'cdata') keys.set(node, key);
  }
}

/** Prefixes in XML that no schema declares a namespace for; one that an outer element declares is bound. */
function* unboundPrefixes(placed: readonly PlacedSchema[]): Generator<Problem> {
  const prefixed = placed.flatMap(([{ xml }, path]) => {
    if (!isSchema(xml) || typeof xml.prefix !== 'string' || xml.prefix === '') return [];
    return [{ prefix: xml.prefix, isBound: xml.namespace !== undefined, path }];
  });
  const bound = new Set(prefixed.flatMap(({ prefix, isBound }) => (isBound ? prefix : [])));
  for (const { prefix, path } of prefixed)
    if (!bound.has(prefix))
      yield [[...path, 'xml', 'prefix'], `prefix ${prefix} is bound to no namespace: expected one beside it`];
}

/** Examples that are not in the document. */
export function* unreadExamples(document: Document): Generator<Problem> {
  for (const { part, path, isMap } of partsOf(document)) {
    if (isMap || !('examples' in part) || !isSchema(part.examples)) continue;
    for (const [name, example] of Object.entries(part.examples))
      if (isSchema(example) && example.externalValue !== undefined && example.value === undefined)
        yield [[...path, 'examples', name, 'externalValue'], 'an example outside of the contract is not read'];
  }
}

/** Values of an `enum` or a `const` that the type refuses. */
function* wrongConstants(schema: Schema, path: Path): Generator<Problem> {
  const types = [schema.type ?? []].flat();
  const keyword = schema.const === undefined ? 'enum' : 'const';
  for (const value of types.length > 0 ? (constantsOf(schema) ?? []) : []) {
    if (types.some((type) => isOfType(value, type))) continue;
    const hint =
      types.includes('boolean') && typeof value === 'string' && /^(?:yes|no|on|off)$/i.test(value)
        ? ': YAML 1.2 has true and false only'
        : '';
    yield [[...path, keyword], `${keyword} has ${sayWrong(value)}, which type ${types.join(' or ')} never is${hint}`];
  }
}

const RANGES = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

function* emptyRanges(schema: Schema, path: Path): Generator<Problem> {
  for (const [least, most] of RANGES) {
    const [min, max] = [schema[least], schema[most]];
    if (isBound(min) && isBound(max) && compareNumbers(min, max) > 0)
      yield [[...path, least], `${least} ${min} is above ${most} ${max}: no value fits`];
  }
}

/** The keywords that say something of one type only. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties'],
};

function* otherTypes(schema: Schema, path: Path): Generator<Problem> {
  const declared = typesOf([schema]);
  const types = new Set([...declared].map((type) => (type === 'integer' ? 'number' : type)));
  for (const [type, keywords] of Object.entries(OF_TYPE))
    for (const keyword of types.size > 0 && !types.has(type) ? keywords : [])
      if (schema[keyword] !== undefined)
        yield named([...path, keyword], `${keyword} says nothing of type ${[...declared].join(' or ')}`);
  const { pattern } = schema;
  if (pattern !== undefined && /^\/\^.*\/[a-z]*$|^\/.*\$\/[a-z]*$/s.test(pattern))
    yield [[...path, 'pattern'], 'the slashes around a pattern are part of what it matches'];
}

/** Required properties that resemble a declared one, and not any of them. */
function* undeclaredRequired(document: Document, schema: Schema, path: Path): Generator<Problem> {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isSchema(properties)) return;
  if (required.every((name) => Object.hasOwn(properties, name))) return;
  const declared = namesOf(applicableSchemas(document, schema));
  for (const [index, name] of required.entries()) {
    if (typeof name !== 'string' || declared.has(name)) continue;
    const meant = nearest(
      name,
      [...declared].filter((each) => !required.includes(each)),
    );
    if (meant !== undefined)
      yield [[...path, 'required', index], `required names ${name}, which is no property here: expected ${meant}`];
  }
}

/** `additionalProperties: false` beside schemas with other properties, all of which it refuses. */
function* closedBeside(document: Document, schema: Schema, path: Path): Generator<Problem> {
  const closed = [
    [schema, []],
    ...(schema.allOf ?? []).map((each, index) => [each, ['allOf', index]] as const),
  ] as const;
  for (const [each, steps] of closed) {
    if (!isSchema(each) || each.additionalProperties !== false || isSchema(each.patternProperties)) continue;
    const all = namesOf(applicableSchemas(document, schema));
    const refused = [...all].filter((name) => !Object.hasOwn(each.properties ?? {}, name));
    if (refused.length === 0) continue;
    const text = `additionalProperties: false refuses ${refused.join(', ')}, which another part of the schema declares: unevaluatedProperties: false knows all parts`;
    yield named([...path, ...steps, 'additionalProperties'], text);
  }
}

function namesOf(schemas: Iterable<Schema>): Set<string> {
  return new Set([...schemas].flatMap(({ properties }) => Object.keys(isSchema(properties) ? properties : {})));
}

const MEDIA_TYPES = ['application/json', 'application/xml', 'text/plain', 'multipart/form-data'].concat(
  'application/x-www-form-urlencoded',
);

/** The end of a warning for a media type that is nearly a common one, or its second half. */
export function mediaTypeHint(mediaType: string): string {
  const [whole] = MEDIA_TYPES.filter((each) => each.endsWith(`/${mediaType}`));
  if (whole !== undefined) return `: expected ${whole}`;
  return MEDIA_TYPES.includes(mediaType) || frameOf(mediaType) !== undefined ? '' : hintOf(mediaType, MEDIA_TYPES);
}
