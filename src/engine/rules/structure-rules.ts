/** Checks documents and schemas against the schemas that OpenAPI and JSON Schema publish; each mistake is reported once. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { lookUp, type Path, pathOfPointer, pointerOf, type Schema } from '../contract/document';
import type { Problem } from '../contract/problems';
import { withDoubles } from '../contract/read-yaml';
import { isSchema, placedSchemas } from '../contract/traverse';
import { misspelt } from './misspelt';
import { compilePublished, publishedText } from './published-schemas';

/** The OpenAPI Initiative's schemas by version, and all fields that each knows. */
const openApi = new Map<string, { validate: ValidateFunction; fields: ReadonlySet<string> }>();

/** Checks the structure of an OpenAPI document: problems, and warnings for fields without effect. */
export function judgeStructure(value: unknown): { problems: Problem[]; warnings: Problem[] } {
  const version = typeof value === 'object' && value !== null && 'openapi' in value ? value.openapi : undefined;
  const minor = typeof version === 'string' ? /^(3\.[12])\.\d+/.exec(version)?.[1] : undefined;
  if (minor === undefined) {
    const got = version === undefined ? 'nothing' : JSON.stringify(version);
    return { problems: [[['openapi'], `expected openapi: 3.0.x, 3.1.x or 3.2.x, got ${got}`]], warnings: [] };
  }
  const { validate, fields } = openApi.get(minor) ?? compileOpenApi(minor);
  const copy = withDoubles(value);
  const warnings: Problem[] = [];
  for (;;) {
    validate(copy);
    const found = [...mistakes(validate.errors ?? [], 'the document')];
    const odd = found.filter((each) => hasNoEffect(each, fields, copy));
    const unknown = odd.filter(({ field }) => field !== undefined);
    if (unknown.length === 0) {
      const names = odd.map(asProblem);
      return {
        problems: found.filter((each) => !odd.includes(each)).map(asProblem),
        warnings: [...warnings, ...names],
      };
    }
    warnings.push(...unknown.map(({ path, text }): Problem => [path, `${text} is ignored`]));
    for (const { path } of unknown) remove(copy, path); // because they may hide other mistakes
  }
}

let jsonSchema: ValidateFunction | undefined;

/** Checks that a schema is one of JSON Schema 2020-12. */
export function schemaStructureProblems(schema: Schema, at: Path): Problem[] {
  jsonSchema ??= compilePublished(publishedText('JSON Schema'));
  void jsonSchema(withDoubles(schema));
  return [...mistakes(jsonSchema.errors ?? [], 'the schema')].map(({ path, text }) => [[...at, ...path], text]);
}

function compileOpenApi(minor: string) {
  const text = publishedText(minor);
  const schema = JSON.parse(text) as Schema;
  const all = [...placedSchemas({ components: { schemas: { OpenApi: schema } } })];
  const fields = new Set(all.flatMap(([{ properties = {} }]) => Object.keys(properties)));
  const compiled = { validate: compilePublished(text), fields };
  openApi.set(minor, compiled);
  return compiled;
}

/** Fields for readers, which have no effect on a server in any place. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  'description summary title tags name example examples externalDocs deprecated'.split(' '),
);
/** Fields of OpenAPI 3.2 that a document of 3.1 does not have, and that cannot be ignored without serving something else than the contract declares. */
const OF_3_2 = /^(?:query|additionalOperations|(?:item|prefix)(?:Schema|Encoding)|mediaTypes)$/;

/** True if a mistake does not affect what is served; that of a misspelt or misplaced field may. */
function hasNoEffect({ path, field, isName }: Mistake, fields: ReadonlySet<string>, document: unknown): boolean {
  if (field === undefined) return isName;
  // The fields of a security scheme that are read depend on its kind.
  if (ANNOTATIONS.has(field) || (fields.has(field) && path[1] === 'securitySchemes')) return true;
  // These wrong keys have an effect: a path without a slash, an unknown status or method.
  const value = lookUp(document, path);
  if (path.at(-2) === 'paths' || path.at(-2) === 'responses' || (isSchema(value) && 'responses' in value)) return false;
  return !fields.has(field) && !OF_3_2.test(field) && !field.startsWith('$') && misspelt(field, fields) === undefined;
}

interface Mistake {
  path: Path;
  text: string;
  /** The unknown field, if it is the mistake. */
  field?: string;
  /** True if the mistake is a name that the contract chooses, such as that of a component. */
  isName: boolean;
}

function asProblem({ path, text }: Mistake): Problem {
  return [path, text];
}

/** Keywords that fail because their subschemas fail. */
const COMBINING: ReadonlySet<string> = new Set(
  ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'unevaluatedProperties'].concat('propertyNames'),
);

/** The mistakes in Ajv's errors: of several errors for one mistake only that at the deepest place is kept. */
function* mistakes(errors: readonly ErrorObject[], what: string): Generator<Mistake> {
  const plain = errors.filter(({ keyword }) => !COMBINING.has(keyword));
  const said = new Set<string>();
  for (const error of [...plain, ...errors.filter((each) => !plain.includes(each))]) {
    const { instancePath, keyword, message = '', propertyName } = error;
    const { unevaluatedProperty: field, missingProperty, allowedValues, allowedValue }: Details = error.params;
    const step = field ?? missingProperty ?? propertyName;
    const place = field === undefined ? instancePath : instancePath + pointerOf([field]);
    const isCause = ({ instancePath: other }: ErrorObject): boolean => other === instancePath || isWithin(other, place);
    if (said.has(place) || (COMBINING.has(keyword) && plain.some(isCause))) continue;
    said.add(place);
    const path = pathOfPointer(instancePath);
    const subject = path.findLast((each) => !/^\d+$/.test(each)) ?? what;
    const values = allowedValues ?? (allowedValue === undefined ? undefined : [allowedValue]);
    yield {
      path: [...path, ...(step === undefined ? [] : [step])],
      text:
        field !== undefined
          ? `unknown field ${field}`
          : `${propertyName === undefined ? subject : `the name ${propertyName}`} ${message}${values ? ` (${values.join(', ')})` : ''}`,
      ...(field !== undefined && { field }),
      isName: propertyName !== undefined,
    };
  }
}

/** The parameters of Ajv's errors that are reported. */
interface Details {
  unevaluatedProperty?: string;
  missingProperty?: string;
  allowedValues?: readonly unknown[];
  allowedValue?: unknown;
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

function remove(value: unknown, path: Path): void {
  const holder = lookUp(value, path.slice(0, -1));
  if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, path.at(-1) ?? '');
}
