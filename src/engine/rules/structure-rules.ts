/** Checks documents and schemas against the schemas that OpenAPI and JSON Schema publish; each mistake is reported once. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { lookUp, type Path, pathOfPointer, pointerOf, type Schema } from '../contract/document';
import { named, type Problem } from '../contract/problems';
import { withDoubles } from '../contract/read-yaml';
import { isLink, isSchema, LINK_DATA, partsOf, placedSchemas } from '../contract/traverse';
import { expectedOf, sayWrong } from '../schema/violation';
import { hintOf, misspelt } from '../errors/misspelt';
import { compilePublished, publishedText } from './published-schemas';
import { kindHint, structureHint, wordHint } from './structure-hints';
import { without } from './unserved';

/** The OpenAPI Initiative's schemas by version, and all fields that each knows. */
const openApi = new Map<string, { validate: ValidateFunction; fields: ReadonlySet<string> }>();

/** Checks the structure of an OpenAPI document: problems, and warnings for fields without effect. */
export function judgeStructure(value: unknown): { problems: Problem[]; warnings: Problem[] } {
  const minor = minorOf(value);
  if (typeof minor !== 'string') return { problems: [minor], warnings: [] };
  const { validate, fields } = openApi.get(minor) ?? compileOpenApi(minor);
  let copy = withoutLinkData(withDoubles(value));
  const warnings: Problem[] = [];
  for (;;) {
    validate(copy);
    const found = [...mistakes(validate.errors ?? [], copy, fields)];
    const odd = found.filter((each) => hasNoEffect(each, fields, copy));
    const unknown = odd.filter(({ field }) => field !== undefined);
    if (unknown.length === 0) {
      const names = odd.map(asProblem);
      return {
        problems: found.filter((each) => !odd.includes(each)).map(asProblem),
        warnings: [...warnings, ...names],
      };
    }
    warnings.push(...unknown.map(ignored));
    for (const { path } of unknown) copy = without(copy, path); // because they may hide other mistakes
  }
}

/** A copy of the document in which links have no data. OpenAPI allows any; its schema of 3.1 allows only text. */
function withoutLinkData(document: unknown): unknown {
  let copy = document;
  for (const part of partsOf(document).filter(isLink))
    for (const name of LINK_DATA) copy = without(copy, [...part.path, name]);
  return copy;
}

const VERSIONS = 'expected openapi: 3.0.x, 3.1.x or 3.2.x';

/** The version that a document is read as, such as `3.1`; a problem if there is none. */
function minorOf(value: unknown): string | Problem {
  if (!isSchema(value))
    return [[], `expected an OpenAPI document with openapi, info and paths, got ${sayWrong(value)}`];
  const { openapi: version, swagger } = value;
  const minor = typeof version === 'string' ? /^(3\.[12])\.\d+/.exec(version)?.[1] : undefined;
  if (minor !== undefined && swagger === undefined) return minor;
  const others = Object.keys(value).filter((name) => name !== 'openapi' && hintOf(name, ['openapi']) !== '');
  if (swagger !== undefined)
    return named(['swagger'], `${VERSIONS}, got Swagger ${sayWrong(swagger)}: npx swagger2openapi brings it to 3.0`);
  const [other] = version === undefined ? others : [];
  if (other !== undefined) return named([other], `unknown field ${other}: expected openapi`);
  return [['openapi'], `${VERSIONS}, got ${version === undefined ? 'nothing' : JSON.stringify(version)}`];
}

let jsonSchema: ValidateFunction | undefined;

/** Checks that a schema is one of JSON Schema 2020-12. */
export function schemaStructureProblems(schema: Schema, at: Path): Problem[] {
  const copy = withDoubles(schema);
  jsonSchema ??= compilePublished(publishedText('JSON Schema'));
  void jsonSchema(copy);
  return [...mistakes(jsonSchema.errors ?? [], copy, [])].map((each) => {
    const [path, ...rest] = asProblem(each);
    return [[...at, ...path], ...rest];
  });
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
function hasNoEffect(
  { path, field, isName = false }: Mistake,
  fields: ReadonlySet<string>,
  document: unknown,
): boolean {
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
  /** The field that may be meant by it, as the end of a text. */
  hint?: string;
  /** True if the mistake is a name that the contract chooses, such as that of a component. */
  isName?: boolean;
}

function asProblem({ path, text, hint = '', field }: Mistake): Problem {
  return field === undefined ? [path, text] : named(path, text + hint);
}

/** The warning for an unknown field without effect. */
function ignored({ path, text, hint = '' }: Mistake): Problem {
  return named(path, `${text} is ignored${hint}`);
}

/** Keywords that fail because their subschemas fail. */
const COMBINING: ReadonlySet<string> = new Set(
  ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'unevaluatedProperties'].concat('propertyNames'),
);

/** Keywords of a value itself. */
const OF_VALUE: ReadonlySet<string> = new Set(['type', 'enum', 'const']);

/** The mistakes in Ajv's errors: of several errors for one mistake only that at the deepest place is kept. */
function* mistakes(errors: readonly ErrorObject[], document: unknown, fields: Iterable<string>): Generator<Mistake> {
  const plain = errors.filter((error) => !COMBINING.has(error.keyword) && !isOfNoStatus(error, document));
  // A condition fails for what its branch refuses, which has an error of its own.
  const combined = errors.filter(({ keyword }) => COMBINING.has(keyword) && (keyword !== 'if' || errors.length === 1));
  const reported = new Set<string>();
  for (const error of [...plain, ...combined]) {
    const { instancePath, keyword, propertyName } = error;
    const { unevaluatedProperty: field, missingProperty }: Details = error.params;
    const step = field ?? missingProperty ?? propertyName;
    const place = field === undefined ? instancePath : instancePath + pointerOf([field]);
    const isCause = ({ instancePath: other }: ErrorObject): boolean => other === instancePath || isWithin(other, place);
    if (reported.has(place) || (COMBINING.has(keyword) && plain.some(isCause))) continue;
    // Another alternative takes a value of this type, and refuses what is within it.
    if (OF_VALUE.has(keyword) && plain.some(({ instancePath: other }) => other.startsWith(`${instancePath}/`)))
      continue;
    reported.add(place);
    const at = pathOfPointer(instancePath);
    const path = [...at, ...(step === undefined ? [] : [step])];
    const holder = lookUp(document, at);
    const meant = structureHint(at, holder, { field, missing: missingProperty, fields });
    if (missingProperty !== undefined) yield { path: at, text: `expected a field ${missingProperty}${meant}` };
    else if (field !== undefined) yield { path, text: `unknown field ${field}`, hint: meant, field };
    else if (propertyName === undefined) yield { path, text: textOf(error, holder) };
    else yield { path, text: `the name ${propertyName}: ${expectedOf(error)}`, isName: true };
  }
}

/** True if `responses` lacks a `default` because none of its names is a status: these have errors of their own. */
function isOfNoStatus({ instancePath, params }: ErrorObject, document: unknown): boolean {
  const { missingProperty }: Details = params;
  const holder = lookUp(document, pathOfPointer(instancePath));
  return (
    missingProperty === 'default' &&
    instancePath.endsWith('/responses') &&
    isSchema(holder) &&
    Object.keys(holder).length > 0
  );
}

/** The expected and the actual value at the place of an error, with the word that is meant if it resembles one. */
function textOf(error: ErrorObject, value: unknown): string {
  const { allowedValues, allowedValue = allowedValues }: Details = error.params;
  const known = [allowedValue].flat().filter((each) => typeof each === 'string');
  const expected = expectedOf(error);
  const wrong = `${expected}, got ${sayWrong(value)}`;
  if (expected === 'expected array') return `${wrong}: each item begins with "- "`;
  const hint = expected.startsWith('expected object') ? kindHint(pathOfPointer(error.instancePath), value) : '';
  if (hint !== '' || typeof value !== 'string') return wrong + hint;
  if (expected === 'expected object or boolean' && /^[a-z]{1,9}$/.test(value))
    return `${wrong}: a schema is written { type: ${value} }`;
  return wrong + wordHint(value, known);
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
