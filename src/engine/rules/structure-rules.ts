/** Whether a document, and each schema in it, is one at all, by the schemas that their specifications give; each mistake is told once. */
import { readFileSync } from 'node:fs';
import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { type Path, pathOfPointer, type Schema } from '../contract/document';
import { type Problem, withDoubles } from '../contract/source';

/** Formats, such as those of URLs, change nothing of what is served. */
const ajv = new Ajv2020({ allErrors: true, logger: false, strict: false, validateFormats: false });

/** The keywords of JSON Schema. */
export const KEYWORDS: readonly string[] = Object.keys(ajv.RULES.keywords);

/** The OpenAPI Initiative's current schema for 3.1; it takes a while to compile. */
let openApi: ValidateFunction | undefined;

/** Whether it is an OpenAPI document. */
export function* structureProblems(value: unknown): Generator<Problem> {
  const version = typeof value === 'object' && value !== null && 'openapi' in value ? value.openapi : undefined;
  if (typeof version !== 'string' || !/^3\.1\.\d+/.test(version)) {
    const got = version === undefined ? 'nothing' : JSON.stringify(version);
    yield [['openapi'], `expected openapi: 3.0.x, 3.1.x or 3.2.x, got ${got}`];
    return;
  }
  openApi ??= ajv.compile(ofOpenApi());
  openApi(withDoubles(value));
  yield* mistakes(openApi.errors ?? [], 'the document', []);
}

/** Whether it is a schema of JSON Schema 2020-12. */
export function* schemaStructureProblems(schema: Schema, at: Path): Generator<Problem> {
  void ajv.validateSchema(withDoubles(schema) as Schema);
  yield* mistakes(ajv.errors ?? [], 'the schema', at);
}

function ofOpenApi(): Schema {
  const file = require.resolve('@seriousme/openapi-schema-validator/schemas/v3.1/schema.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Schema;
}

/** Keywords that fail because others do. */
const COMBINING: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'unevaluatedProperties']);

/** Of all that Ajv says of a mistake, what is said at the deepest place. */
function* mistakes(errors: readonly ErrorObject[], what: string, at: Path): Generator<Problem> {
  const plain = errors.filter(({ keyword }) => !COMBINING.has(keyword));
  const said = new Set<string>();
  for (const error of [...plain, ...errors.filter((each) => !plain.includes(each))]) {
    const { instancePath, keyword, params, message = '' } = error;
    const detail = Object.values(params).flat().join(', ');
    const place = keyword === 'unevaluatedProperties' ? `${instancePath}/${detail}` : instancePath;
    const isCause = ({ instancePath: other }: ErrorObject): boolean => other === instancePath || isWithin(other, place);
    if (said.has(place) || (COMBINING.has(keyword) && plain.some(isCause))) continue;
    said.add(place);
    yield [[...at, ...pathOfPointer(instancePath), detail], `${what}${instancePath} ${message} (${detail})`];
  }
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
