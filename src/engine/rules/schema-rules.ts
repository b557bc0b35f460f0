/** Checks every schema of a contract: it is a schema, and each of its keywords has the effect that its author meant. */
import { messageOf } from '../errors/api-error';
import { TEXT_FORMATS } from '../schema/formats';
import { NUMBER_FORMATS } from '../schema/number-rules';
import { isDiscriminator } from '../contract/discriminator';
import { compilePattern, expressionOf } from '../schema/patterns';
import { type Document, follow, type Path, pathOf, type Schema } from '../contract/document';
import { named, type Problem } from '../contract/problems';
import { ANNOTATION } from '../contract/normalize-schema';
import {
  applicableSchemas,
  directlyWithin,
  isInt64,
  isSchema,
  type PlacedSchema,
  rootSchemas,
  schemasBeside,
  schemasWithin,
  typesOf,
} from '../contract/traverse';
import { isEndless } from '../schema/request-values';
import { compiledSchemas, type Schemas } from '../schema/schemas';
import { hintOf, misspelt } from '../errors/misspelt';
import { KEYWORDS } from './published-schemas';
import { schemaStructureProblems } from './structure-rules';

/**
 * The faults of a document's schemas. To find them schemas are not compiled, which would take longer than the rest of startup: a schema can
 * be compiled if its structure is valid, its references lead to such schemas, and its patterns are regular expressions.
 */
export function schemaProblems(document: Document, placed: readonly PlacedSchema[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<Schema>();
  const references: [Schema, Path][] = [];
  const look = (root: Schema, path: Path, ofStructure: readonly Problem[]): void => {
    problems.push(...ofStructure);
    for (const [schema, at] of schemasWithin(root, path)) {
      seen.add(schema);
      if (ofStructure.length > 0) continue;
      problems.push(...problemsOf(schema, at));
      if (schema.$ref !== undefined) references.push([schema, at]);
    }
  };
  for (const [root, path] of rootSchemas(document)) look(root, path, schemaStructureProblems(root, path));
  // References to other places than components; `look` appends to them while this loop runs.
  for (const [reference, at] of references) {
    const { $ref = '' } = reference;
    const target = follow(document, reference);
    if (seen.has(target)) continue;
    const [problem] = schemaStructureProblems(target, []);
    const why = problem?.[1] ?? Object.keys(target).find(isUnknown);
    const noSchema: Problem[] =
      why === undefined ? [] : [[[...at, '$ref'], `${$ref} leads to something that is not a schema (${why})`]];
    look(target, pathOf($ref), noSchema);
  }
  return problems.length > 0 ? problems : [...endlessSchemas(document, placed), ...vastSchemas(placed)];
}

/** What Ajv makes one function of: a schema and the schemas within it, up to references. */
interface Extent {
  /** The greatest number of properties and branches, one within another: each is compiled within the one before it. */
  width: number;
  /** The number of all schemas: each has variables of its own. */
  schemas: number;
}

/** The greatest extent; with a width of 1,250, or 27,000 schemas, Ajv or the function that it makes overflows the stack. */
const EXTENT_MAX: Extent = { width: 1_000, schemas: 10_000 };
/** The keywords of which Ajv compiles a part only where the one before it was fine. */
const IN_TURN =
  'properties patternProperties allOf anyOf oneOf prefixItems dependentSchemas dependencies dependentRequired'.split(
    ' ',
  );

/** Schemas that Ajv cannot compile, or whose function cannot be called, the innermost ones. */
function* vastSchemas(placed: readonly PlacedSchema[]): Generator<Problem> {
  const extents = new Map<Schema, Extent>();
  const within = (schema: Schema): Extent[] =>
    directlyWithin(schema)
      .filter(([, [keyword]]) => keyword !== '$defs' && keyword !== 'definitions')
      .map(([inner]) => extentOf(inner));
  const extentOf = (schema: Schema): Extent => {
    const known = extents.get(schema);
    if (known !== undefined) return known;
    const parts = IN_TURN.flatMap((keyword): unknown[] => Object.values(schema[keyword] ?? {}));
    const own = parts.reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 1), 0); // a list of names
    const extent = { width: own, schemas: 1 };
    for (const { width, schemas } of within(schema)) {
      extent.width = Math.max(extent.width, own + width);
      extent.schemas += schemas;
    }
    extents.set(schema, extent);
    return extent;
  };
  for (const [schema, path] of placed) {
    const why = tooVast(extentOf(schema));
    if (why !== undefined && within(schema).every((each) => tooVast(each) === undefined)) yield [path, why];
  }
}

function tooVast({ width, schemas }: Extent): string | undefined {
  if (width > EXTENT_MAX.width)
    return `expected at most ${EXTENT_MAX.width} properties and branches, with those of a schema within, got ${width}`;
  if (schemas > EXTENT_MAX.schemas)
    return `expected at most ${EXTENT_MAX.schemas} schemas, with all within that are not behind a $ref, got ${schemas}`;
  return undefined;
}

/** The greatest number of schemas for the same value, one within another: what goes through them calls itself for each. */
const HEIGHT_MAX = 500;

/** Schemas that refer to themselves, or to very many others, for the same value, so that validation would never end, or overflow. */
function* endlessSchemas(document: Document, placed: readonly PlacedSchema[]): Generator<Problem> {
  const heights = new Map<Schema, number>();
  const entered = new Set<Schema>();
  const endless = new Set<Schema>();
  const heightOf = (schema: Schema): number => {
    const known = heights.get(schema);
    if (entered.has(schema)) endless.add(schema);
    if (known !== undefined || entered.has(schema) || entered.size > HEIGHT_MAX) return known ?? 0;
    entered.add(schema);
    const within = [
      ...schemasBeside(schema),
      ...(isSchema(schema.not) ? [schema.not] : []),
      ...(schema.$ref === undefined ? [] : [follow(document, schema)]),
    ];
    const height = within.reduce((greatest, each) => Math.max(greatest, 1 + heightOf(each)), 0);
    entered.delete(schema);
    heights.set(schema, height);
    return height;
  };
  const highest = placed.find(([schema]) => heightOf(schema) > HEIGHT_MAX);
  if (highest)
    yield [highest[1], `expected at most ${HEIGHT_MAX} schemas for the same value, one within another, got more`];
  for (const [schema, path] of placed) if (endless.has(schema)) yield [path, 'the schema refers to itself without end'];
}

/** Warnings for keywords, formats and patterns that may not have the effect that their author meant. */
export function* schemaWarnings(placed: readonly PlacedSchema[]): Generator<Problem> {
  for (const [schema, path] of placed) {
    for (const keyword of Object.keys(schema).filter(isUnknown))
      if (misspelt(keyword, KNOWN) === undefined)
        yield named([...path, keyword], `an unknown keyword is ignored${keywordHint(schema, keyword)}`, keyword);
    const { format, discriminator } = schema;
    if (discriminator !== undefined && !isDiscriminator(discriminator))
      yield [
        [...path, 'discriminator'],
        `a discriminator without propertyName is ignored: expected propertyName${typeof discriminator === 'string' ? `: ${discriminator}` : ''} below it`,
      ];
    if (format !== undefined && isNumeric(schema) && !Object.hasOwn(NUMBER_FORMATS, format))
      yield [
        [...path, 'format'],
        `an unknown format of numbers is ignored${hintOf(format, Object.keys(NUMBER_FORMATS))}`,
        format,
      ];
    if (format !== undefined && typesOf([schema]).has('string') && !TEXT_FORMATS.has(format) && !isNumeric(schema))
      yield [[...path, 'format'], `an unknown format of text is ignored${hintOf(format, TEXT_FORMATS)}`, format];
    for (const [pattern, keyword] of patternsOf(schema)) {
      if (!expressionOf(pattern).unicode)
        yield [[...path, keyword], 'a pattern that is invalid with the flag u is read without it', pattern];
    }
  }
  yield* patternWarnings(placed);
}

/** Warnings for patterns that are too slow for long texts, unless their schema has a low `maxLength`: a character has two code units at most. */
export function* patternWarnings(placed: readonly PlacedSchema[]): Generator<Problem> {
  for (const [schema, path] of placed) {
    for (const [pattern, keyword] of patternsOf(schema)) {
      const { lengthMax } = compilePattern(pattern);
      if (lengthMax < Infinity && !(keyword === 'pattern' && Number(schema.maxLength) * 2 <= lengthMax))
        yield [[...path, keyword], `texts of more than ${lengthMax} characters are refused: ${SLOW_PATTERN}`, pattern];
    }
  }
}

function* problemsOf(schema: Schema, path: Path): Generator<Problem> {
  if (schema.$dynamicRef !== undefined) yield [[...path, '$dynamicRef'], '$dynamicRef is not followed'];
  for (const keyword of Object.keys(schema).filter(isUnknown)) {
    const known = misspelt(keyword, KNOWN);
    if (known === '$schema')
      yield named([...path, keyword], 'a schema is no member of another: expected what is below it');
    else if (known !== undefined) yield named([...path, keyword], `unknown keyword ${keyword}: expected ${known}`);
  }
  for (const [pattern, keyword] of patternsOf(schema)) {
    try {
      compilePattern(pattern);
    } catch (error) {
      yield [[...path, keyword], messageOf(error)];
    }
  }
}

/** Defaults that handlers would get although their own schemas refuse them; an int64 is compared exactly. */
export function* defaultProblems(
  document: Document,
  placed: readonly PlacedSchema[],
  schemas: Schemas,
): Generator<Problem> {
  let ofRequests: Schemas | undefined;
  for (const [schema, path] of placed) {
    if (schema.default === undefined || isOfItsType(schema)) continue;
    const at = [...path, 'default'];
    if (typeof schema.default === 'bigint' && !isInt64(applicableSchemas(document, schema))) {
      yield [at, 'expected a default within ±9007199254740991, or one of format int64'];
      continue;
    }
    const validate = schemas.compileWithin(schema);
    const isAccepted = validate(schema.default);
    if (isAccepted && (typeof schema.default !== 'object' || schema.default === null)) continue;
    // Answers lack `writeOnly` properties, which a default may have.
    ofRequests ??= compiledSchemas(document, 'requests');
    if (!isAccepted && !ofRequests.compileWithin(schema)(schema.default))
      yield [at, `a default that its own schema refuses: ${schemas.explain(validate, '')}`];
    else if (isEndless(ofRequests, schema)) yield [at, 'a default that lacks itself: filling it in never ends'];
  }
}

/** The end of a warning for an unknown keyword. */
function keywordHint(schema: Schema, keyword: string): string {
  const value = schema[keyword];
  const isProperty = isSchema(value) && ('type' in value || '$ref' in value) && schema.properties === undefined;
  return isProperty ? ': expected it below properties' : hintOf(keyword, KNOWN);
}

/** True if the type alone decides on a default, so that the schema need not be compiled; that is so for most. */
function isOfItsType({ type, ...rest }: Schema): boolean {
  return typeof rest.default === type && Object.keys(rest).every((keyword) => ANNOTATION.test(keyword));
}

function patternsOf({ pattern, patternProperties = {} }: Schema): [pattern: string, keyword: string][] {
  const ofNames = Object.keys(patternProperties).map((each): [string, string] => [each, 'patternProperties']);
  return pattern === undefined ? ofNames : [[pattern, 'pattern'], ...ofNames];
}

function isNumeric(schema: Schema): boolean {
  const types = typesOf([schema]);
  return types.has('integer') || types.has('number');
}

const SLOW_PATTERN =
  'a pattern with a lookahead, a back-reference or very many repetitions could take for ever on longer ones';

/** All known keywords: those of JSON Schema, and those that OpenAPI adds. */
const KNOWN: ReadonlySet<string> = new Set([...KEYWORDS, 'discriminator', 'xml', 'externalDocs', 'example']);

function isUnknown(keyword: string): boolean {
  return !KNOWN.has(keyword) && !keyword.startsWith('x-');
}
