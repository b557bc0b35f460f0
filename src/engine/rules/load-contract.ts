/** What must be true of a contract before it is served; all that is not is told at once, with its place. */
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator';
import { messageOf } from '../http/api-error';
import { SCOPE } from '../auth/challenges';
import { BUNDLE, namesOtherFiles, readServed } from '../contract/bundle';
import { digestOf } from '../contract/digest';
import { type ErrorOptions, errorProblems } from './error-rules';
import { formProblems } from './form-rules';
import { draft2020, schemaProblems } from './schema-rules';
import { type Contract, type ContractOperation, operationsOf } from '../contract/operations';
import { type Document, type Path, pathOfPointer, resolve, schemeKind } from '../contract/document';
import { ContractProblems, type Problem, withDoubles } from '../contract/source';
import { partsOf } from '../contract/walk';

/** What the server brings to the contract. */
export interface Served extends ErrorOptions {
  /** The operations that have a handler. */
  handlers: readonly string[];
  /** The security schemes that have a verifier, and what kind each verifies: `http bearer`. */
  verifiers: Readonly<Record<string, { scheme: string }>>;
  /** Whether a body of this media type can be read. */
  canRead: (mediaType: string) => boolean;
  /** The digest of the contract that `generated/` was made from, for the contract that has generated types. */
  digest?: string;
}

/** Reads and checks the contract; throws ContractProblems with all that is wrong in it. */
export function loadContract(file: string, served: Served): Contract {
  const { value, place } = readServed(file);
  const report = (problems: Problem[]): void => {
    if (problems.length === 0) return;
    throw new ContractProblems([...new Set(problems.map(([path, text]) => `${place(path)} ${text}`))]);
  };
  assertDocument(value, report);
  if (served.digest !== undefined && namesOtherFiles(value))
    report([[[], `it names other files, and there is no ${BUNDLE}: run npm run generate`]]);
  report([...referenceProblems(value)]);
  const operations = operationsOf(value);
  const ofSchemas = schemaProblems(value);
  report([
    ...digestProblems(value, served),
    ...ofSchemas,
    ...(ofSchemas.length === 0 ? errorProblems(value, operations, served) : []), // which compiles them
    ...operations.flatMap((operation) => [...operationProblems(operation, served)]),
    ...operations.flatMap((operation) => [...formProblems(value, operation)]),
    ...handlerProblems(operations, served),
    ...securityProblems(value, operations, served),
  ]);
  return { document: value, operations, place };
}

function assertDocument(value: unknown, report: (problems: Problem[]) => void): asserts value is Document {
  report([...structureProblems(value)]);
}

function* digestProblems(document: Document, { digest }: Served): Generator<Problem> {
  if (digest !== undefined && digest !== digestOf(document))
    yield [[], 'generated/openapi.ts was made from another contract: run npm run generate'];
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
  const { errors } = openApi.validate(withDoubles(value) as never);
  for (const error of errors ?? []) {
    const detail = Object.values(error.params).join(', ');
    const text = draft2020.errorsText([error], { dataVar: 'the document' });
    yield [[...pathOfPointer(error.instancePath), detail], `${text} (${detail})`];
  }
}

function* referenceProblems(document: Document): Generator<Problem> {
  for (const { part, path, isMap } of partsOf(document)) {
    if (isMap || !('$ref' in part) || typeof part.$ref !== 'string') continue;
    try {
      resolve(document, { $ref: part.$ref });
    } catch (error) {
      yield [[...path, '$ref'], messageOf(error)];
    }
  }
}

function* operationProblems(operation: ContractOperation, { canRead }: Served): Generator<Problem> {
  const { at, requestBody } = operation;
  yield* pathProblems(operation);
  for (const mediaType of Object.keys(requestBody?.content ?? {})) {
    if (!canRead(mediaType)) {
      yield [[...at, 'requestBody', 'content', mediaType], `no reader for bodies of ${mediaType}`];
    }
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

function* handlerProblems(operations: readonly ContractOperation[], { handlers }: Served): Generator<Problem> {
  const seen = new Set<string>();
  for (const { id, at, method, path } of operations) {
    if (id === `${method} ${path}`) yield [at, `${id} has no operationId, so that no handler can be bound to it`];
    else if (seen.has(id)) yield [[...at, 'operationId'], `operationId ${id} is there twice`];
    else if (!handlers.includes(id))
      yield [[...at, 'operationId'], `operation ${id} has no handler: add it to src/handlers.ts`];
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
  for (const [name, declared] of Object.entries(schemes)) {
    const at: Path = ['components', 'securitySchemes', name];
    const kind = schemeKind(declared);
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
      }
      for (const scope of scopes.filter((each) => !SCOPE.test(each)))
        yield [[...at, 'security'], `${JSON.stringify(scope)} is no scope: expected ASCII without spaces, " and \\`];
    }
  }
}
