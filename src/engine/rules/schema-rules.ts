/** What must be true of every schema of a contract: it is one, and nothing in it would be decided otherwise than it says. */
import Ajv2020 from 'ajv/dist/2020';
import { messageOf } from '../http/api-error';
import { NUMBER_FORMATS } from '../validation/number-rules';
import { type Document, type Path, pathOfPointer, type Schema } from '../contract/document';
import { Schemas } from '../validation/schemas';
import { type Problem, withDoubles } from '../contract/source';
import { rootSchemas, schemasWithin, typesOf } from '../contract/walk';

/** All that is wrong with the document's schemas. */
export function schemaProblems(document: Document): Problem[] {
  const problems = [...rootSchemas(document)].flatMap(([schema, path]) => [...problemsOf(schema, path)]);
  return problems.length > 0 ? problems : compileProblems(document);
}

/** Keywords that Ajv knows and that would not mean here what they say: of OpenAPI 3.0, or of schemas with addresses of their own. */
const KEYWORDS_NOT_READ: ReadonlySet<string> = new Set(['$id', '$schema', '$dynamicRef']);
/** The keywords that OpenAPI adds to JSON Schema. */
const OPENAPI_KEYWORDS: ReadonlySet<string> = new Set(['discriminator', 'xml', 'externalDocs', 'example']);
/** The rules for schemas themselves. */
export const draft2020 = new Ajv2020({ allErrors: true, logger: false });

function* problemsOf(root: Schema, at: Path): Generator<Problem> {
  void draft2020.validateSchema(withDoubles(root) as Schema);
  const errors = draft2020.errors ?? [];
  for (const error of errors) {
    const text = draft2020.errorsText([error], { dataVar: 'the schema' });
    yield [[...at, ...pathOfPointer(error.instancePath)], text];
  }
  if (errors.length > 0) return;
  for (const [schema, path] of schemasWithin(root, at)) {
    for (const keyword of Object.keys(schema)) {
      if (keyword.startsWith('x-') || OPENAPI_KEYWORDS.has(keyword)) continue;
      if (keyword === 'nullable')
        yield [[...path, keyword], "nullable is a keyword of OpenAPI 3.0: write type: [..., 'null']"];
      else if (!draft2020.RULES.keywords[keyword] || KEYWORDS_NOT_READ.has(keyword))
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
    if (numeric && schema.format !== undefined && !Object.hasOwn(NUMBER_FORMATS, schema.format)) {
      const known = Object.keys(NUMBER_FORMATS).join(', ');
      yield [[...path, 'format'], `unknown format ${schema.format} of a number: expected one of ${known}`];
    }
    const { enum: values, 'x-enum-varnames': names } = schema;
    if (Array.isArray(values) && Array.isArray(names) && values.length !== names.length)
      yield [
        [...path, 'x-enum-varnames'],
        `expected ${values.length} names, as many as the enum has values, got ${names.length}`,
      ];
    if (typeof schema.default === 'bigint') yield [[...path, 'default'], 'expected a default within ±9007199254740991'];
  }
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
