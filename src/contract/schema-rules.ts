/** What must be true of every schema of a contract: it is one, and nothing in it would be decided otherwise than it says. */
import Ajv2020 from 'ajv/dist/2020';
import { messageOf } from '../api-error';
import { numberFormats } from '../validation/integers';
import { integerPlaces } from '../validation/integer-places';
import { type Document, type Path, pathOfPointer, type Schema } from './document';
import { Schemas } from '../validation/schemas';
import type { Problem } from './source';
import { applicableSchemas, isInt64, rootSchemas, schemasWithin, typesOf } from './walk';

/** All that is wrong with the document's schemas. */
export function schemaProblems(document: Document): Problem[] {
  const problems = [...rootSchemas(document)].flatMap(([schema, path]) => [...problemsOf(document, schema, path)]);
  return problems.length > 0 ? problems : compileProblems(document);
}

/** The keywords that JSON Schema has, and that are not for this server: `integer-places.ts` does not see through them. */
const KEYWORDS_NOT_READ: ReadonlySet<string> = new Set(['nullable', '$id', '$schema', '$dynamicRef']);
/** The keywords that OpenAPI adds to JSON Schema. */
const OPENAPI_KEYWORDS: ReadonlySet<string> = new Set(['discriminator', 'xml', 'externalDocs', 'example']);
/** The bounds of a number, and which limit of int64 each may be: where the stand-ins of what is beside it are beside it too. */
const BOUNDS: Readonly<Record<string, number | undefined>> = {
  minimum: -(2 ** 63),
  maximum: 2 ** 63,
  exclusiveMinimum: undefined,
  exclusiveMaximum: undefined,
  const: undefined,
};
/** The rules for schemas themselves. */
export const draft2020 = new Ajv2020({ allErrors: true, logger: false });

function* problemsOf(document: Document, root: Schema, at: Path): Generator<Problem> {
  void draft2020.validateSchema(root);
  const errors = draft2020.errors ?? [];
  for (const error of errors) {
    const text = draft2020.errorsText([error], { dataVar: 'the schema' });
    yield [[...at, ...pathOfPointer(error.instancePath)], text];
  }
  if (errors.length > 0) return;
  for (const [schema, path] of schemasWithin(root, at)) {
    for (const keyword of Object.keys(schema)) {
      if (keyword.startsWith('x-') || OPENAPI_KEYWORDS.has(keyword)) continue;
      if (!draft2020.RULES.keywords[keyword] || KEYWORDS_NOT_READ.has(keyword))
        yield [[...path, keyword], `unknown keyword ${keyword}`];
    }
    for (const pattern of [schema.pattern ?? '', ...Object.keys(schema.patternProperties ?? {})]) {
      try {
        new RegExp(pattern, 'u');
      } catch (error) {
        yield [[...path, 'pattern'], messageOf(error)];
      }
    }
    const types = typesOf([schema]);
    const numeric = types.has('integer') || types.has('number');
    if (numeric && schema.format !== undefined && !Object.hasOwn(numberFormats, schema.format)) {
      const known = Object.keys(numberFormats).join(', ');
      yield [[...path, 'format'], `unknown format ${schema.format} of a number: expected one of ${known}`];
    }
    yield* inexactProblems(document, schema, path);
  }
}

/** What cannot be decided on the stand-in of an int64 (see `integers.ts`) is refused here rather than decided wrongly. */
function* inexactProblems(document: Document, schema: Schema, path: Path): Generator<Problem> {
  const schemas = applicableSchemas(document, schema);
  if (isInt64(schemas)) {
    for (const [keyword, limit] of Object.entries(BOUNDS)) {
      if (schema[keyword] !== limit && !isExactBound(schema[keyword])) yield [[...path, keyword], INEXACT];
    }
    if (Array.isArray(schema.enum) && !schema.enum.every(isExactBound)) yield [[...path, 'enum'], INEXACT];
    if (schema.multipleOf !== undefined)
      yield [[...path, 'multipleOf'], 'multipleOf of an int64 cannot be checked exactly'];
  }
  if (schema.uniqueItems === true && integerPlaces(document, { type: 'array', items: schema.items ?? true })) {
    yield [[...path, 'uniqueItems'], 'uniqueItems over int64 cannot be checked exactly'];
  }
}

const INEXACT =
  'expected an integer within ±9007199254740991, or int64 itself as minimum and maximum: others cannot be compared exactly';

function isExactBound(bound: unknown): boolean {
  return typeof bound !== 'number' || Number.isSafeInteger(bound);
}

/** What only shows when a schema is compiled. */
function compileProblems(document: Document): Problem[] {
  const schemas = Schemas.of(document);
  return [...rootSchemas(document)].flatMap(([schema, path]): Problem[] => {
    try {
      schemas.compileWithin(schema);
      return [];
    } catch (error) {
      return [[path, messageOf(error)]];
    }
  });
}
