/** What must be true of a contract before it is served; all that is not is told at once, with its place. */
import Ajv2020 from 'ajv/dist/2020';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator';
import { messageOf } from '../api-error';
import { type Contract, type ContractOperation, ContractProblems, operationsOf, readYaml } from './contract';
import { numberFormats } from './integers';
import { applicableSchemas, integerPlaces, isInt64, typesOf } from './integer-places';
import {
  type Document,
  type Parameter,
  type Path,
  pathOfPointer,
  resolve,
  rootSchemas,
  type Schema,
  schemasWithin,
} from './openapi';
import { Schemas } from './schemas';

/** What the server brings to the contract. */
export interface Served {
  /** The operations that have a handler. */
  handlers: readonly string[];
  /** The security schemes that have a verifier, and what kind each verifies: `http bearer`. */
  verifiers: Readonly<Record<string, { scheme: string }>>;
  /** Whether a body of this media type can be read. */
  canRead: (mediaType: string) => boolean;
}

/** Something wrong, and where; without a place it is the whole document. */
type Problem = [path: Path, text: string];

/** Reads and checks the contract; throws ContractProblems with all that is wrong in it. */
export function loadContract(file: string, served: Served): Contract {
  const { value, place } = readYaml(file);
  const report = (problems: Problem[]): void => {
    if (problems.length === 0) return;
    throw new ContractProblems([...new Set(problems.map(([path, text]) => `${place(path)} ${text}`))]);
  };
  const structure = [...structureProblems(value)];
  if (!isDocument(value, structure))
    throw new ContractProblems(structure.map(([path, text]) => `${place(path)} ${text}`));
  report([...referenceProblems(value, value)]);
  const operations = operationsOf(value);
  const schemas = [...rootSchemas(value)].flatMap(([schema, path]) => [...schemaProblems(value, schema, path)]);
  report([
    ...(schemas.length > 0 ? schemas : compileProblems(value)),
    ...operations.flatMap((operation) => [...operationProblems(value, operation, served)]),
    ...handlerProblems(operations, served),
    ...securityProblems(value, operations, served),
  ]);
  return { document: value, operations, place };
}

function isDocument(_value: unknown, problems: readonly Problem[]): _value is Document {
  return problems.length === 0;
}

/** One for all versions 3.1.x; it takes a while to make. */
let openApi: OpenAPISchemaValidator | undefined;

/** Whether it is an OpenAPI 3.1 document at all, by the schema that the OpenAPI Initiative gives for it. */
function* structureProblems(value: unknown): Generator<Problem> {
  const version = typeof value === 'object' && value !== null && 'openapi' in value ? value.openapi : undefined;
  if (typeof version !== 'string' || !/^3\.1\.\d+$/.test(version)) {
    yield [['openapi'], `expected openapi: 3.1.x, got ${version === undefined ? 'nothing' : JSON.stringify(version)}`];
    return;
  }
  // The option is about the schema of schemas, which a test has found valid once and for all.
  openApi ??= new OpenAPISchemaValidator({ version, validateApiSpec: false });
  const { errors } = openApi.validate(value as never);
  for (const error of errors ?? []) {
    const detail = Object.values(error.params).join(', ');
    const text = draft2020.errorsText([error], { dataVar: 'the document' });
    yield [[...pathOfPointer(error.instancePath), detail], `${text} (${detail})`];
  }
}

function* referenceProblems(document: Document, value: unknown, path: Path = []): Generator<Problem> {
  if (typeof value !== 'object' || value === null) return;
  for (const [step, inner] of Object.entries(value)) {
    if (step === '$ref' && typeof inner === 'string') {
      try {
        resolve(document, { $ref: inner });
      } catch (error) {
        yield [[...path, step], messageOf(error)];
      }
    } else if (path.at(-1) === 'properties' || !/^(?:examples?$|x-)/.test(step)) {
      yield* referenceProblems(document, inner, [...path, step]);
    }
  }
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
const draft2020 = new Ajv2020({ allErrors: true, logger: false });

function* schemaProblems(document: Document, root: Schema, at: Path): Generator<Problem> {
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

function* operationProblems(document: Document, operation: ContractOperation, { canRead }: Served): Generator<Problem> {
  const { at, path, parameters, requestBody } = operation;
  yield* pathProblems(operation);
  if (path.length > 1 && path.endsWith('/')) yield [at.slice(0, 2), 'a path that ends in a slash is not served'];
  for (const mediaType of Object.keys(requestBody?.content ?? {})) {
    if (!canRead(mediaType)) {
      yield [[...at, 'requestBody', 'content', mediaType], `no reader for bodies of ${mediaType}`];
    }
  }
  for (const parameter of parameters) {
    const problem = parameterProblem(document, parameter);
    if (problem) yield [[...at, 'parameters'], `parameter ${parameter.name}: ${problem}`];
  }
}

/** What a parameter is for, OpenAPI says only in words: each `{name}` of the path is one, and no two are the same. */
function* pathProblems({ at, path, parameters }: ContractOperation): Generator<Problem> {
  const template = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => `path parameter ${name}`);
  const declared = parameters.map(({ name, in: where }) => `${where} parameter ${name}`);
  for (const name of template) if (!declared.includes(name)) yield [at, `${name} is not declared`];
  for (const [index, name] of declared.entries()) {
    const here = [...at, 'parameters'];
    if (name.startsWith('path ') && !template.includes(name)) yield [here, `${name} is not in the path ${path}`];
    if (declared.indexOf(name) !== index) yield [here, `${name} is there twice`];
  }
}

function parameterProblem(document: Document, { name, in: where, schema, style }: Parameter): string | undefined {
  if (name.includes('[') || style === 'deepObject') return 'names with brackets cannot be read exactly';
  if (where === 'cookie') return 'parameters in cookies are not supported, nothing would check them';
  // With `content`, the validator turns one type into another before it looks.
  if (schema === undefined) return 'expected a schema, and no content';
  const types = typesOf(applicableSchemas(document, schema));
  if (where !== 'query' && types.has('array')) return 'lists are read from the query only';
  if (!integerPlaces(document, schema)) return undefined;
  if (types.has('object')) return 'integers within an object cannot be read exactly';
  if (types.has('string')) return 'a text that may be an integer cannot be read exactly';
  return undefined;
}

function* handlerProblems(operations: readonly ContractOperation[], { handlers }: Served): Generator<Problem> {
  const seen = new Set<string>();
  for (const { id, at, method, path } of operations) {
    if (id === `${method} ${path}`) yield [at, `${id} has no operationId, so that no handler can be bound to it`];
    else if (seen.has(id)) yield [[...at, 'operationId'], `operationId ${id} is there twice`];
    else if (!handlers.includes(id))
      yield [[...at, 'operationId'], `operation ${id} has no handler: add it to src/operations.ts`];
    seen.add(id);
  }
  for (const id of handlers) if (!seen.has(id)) yield [['paths'], `handler ${id} has no operation in the contract`];
}

function* securityProblems(
  document: Document,
  operations: readonly ContractOperation[],
  { verifiers }: Served,
): Generator<Problem> {
  const schemes = document.components?.securitySchemes ?? {};
  for (const [name, { type, scheme }] of Object.entries(schemes)) {
    const at: Path = ['components', 'securitySchemes', name];
    const kind = scheme === undefined ? type : `${type} ${scheme.toLowerCase()}`;
    const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
    if (!verifier) yield [at, `security scheme ${name} has no verifier: add it in src/main.ts`];
    else if (verifier.scheme !== kind)
      yield [at, `security scheme ${name} is ${kind}, and its verifier is for ${verifier.scheme}`];
  }
  const own = operations.filter(({ security }) => security !== document.security);
  const places = [{ at: [] as Path, security: document.security ?? [] }, ...own];
  for (const { at, security } of places) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      if (!Object.hasOwn(schemes, name)) {
        yield [[...at, 'security'], `security names ${name}, which components.securitySchemes does not declare`];
      } else if (scopes.length > 0) {
        yield [[...at, 'security'], `security asks ${name} for ${scopes.join(', ')}, which nothing checks`];
      }
    }
  }
}
