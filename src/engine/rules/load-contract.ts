/** Checks a contract before it is served, and reports all problems at once, each with its place. */
import { METHODS } from 'node:http';
import { messageOf } from '../errors/api-error';
import { SCOPE } from '../auth/challenges';
import { BUNDLE, namesOtherFiles, readServed, type ServedDocument } from '../contract/bundle';
import { digestOf } from '../contract/digest';
import type { ErrorBodies } from '../errors/error-body';
import { chooseErrorBodies } from './error-bodies';
import { codeNameProblems, type ErrorOptions } from './error-rules';
import { formProblems } from './form-rules';
import { defaultProblems, schemaProblems, schemaWarnings } from './schema-rules';
import { judgeStructure } from './structure-rules';
import { leaveOutUnserved } from './unserved';
import { mediaTypeHint, unreadExamples, unwiseSchemas } from './unwise';
import { hintOf, nearest } from '../errors/misspelt';
import { type Contract, type ContractOperation, operationsOf } from '../contract/operations';
import { type Document, lookUp, type Path, pathOfPointer, pointerOf, resolve, schemeKind } from '../contract/document';
import { ContractProblems, type Problem, problemLines } from '../contract/problems';
import { applicableSchemas, isSchema, partsOf, type PlacedSchema, placedSchemas, typesOf } from '../contract/traverse';
import { type Limits, limitProblems } from '../operation/limits';
import { canonical } from '../operation/router';
import { answerSchemas, type Schemas } from '../schema/schemas';

/** The parts of a service that a contract is checked against. */
export interface Served extends ErrorOptions {
  /** The operations that have a handler. */
  handlers: readonly string[];
  /** The service's own verifiers by the names of security schemes, each with the kind that it verifies: `http bearer`. */
  verifiers: Readonly<Record<string, { scheme: string }>>;
  /** True for kinds of schemes that the engine has a verifier for; by default for none. */
  canVerify?: (kind: string) => boolean;
  /** True for media types whose bodies can be read. */
  canRead: (mediaType: string) => boolean;
  /** The contract, if it was read before; by default its file is read. */
  document?: ServedDocument;
  /** Operations without a handler are answered by a mock, so that they are no problem. */
  mocksMissing?: boolean;
  /** Limits of single operations. */
  limits?: Limits;
  /** The digest of the contract that `generated/` was made from; optional. */
  digest?: string;
}

/** A contract that is fit to be served. */
export interface LoadedContract extends Contract {
  /** Its schemas, compiled for answers. */
  answerSchemas: Schemas;
  /** The bodies of errors, as the contract declares them. */
  errorBodies: ErrorBodies;
  /** A line for each part that may not be served as its author expects. */
  warnings: readonly string[];
}

/** Reads and checks the contract; throws ContractProblems with all its faults. */
export function loadContract(file: string, served: Served): LoadedContract {
  const { value: read, place, warnings } = served.document ?? readServed(file);
  const report = (problems: Problem[]): void => {
    if (problems.length > 0)
      throw new ContractProblems(
        problemLines(problems, place),
        problems.map(([path]) => path),
      );
  };
  const { document: kept, judged, warnings: ofUnserved } = leaveOutUnserved(read, judgeDocument);
  if (judged.stage === 'structure') report(judged.problems);
  const value = kept as Document; // its structure is valid
  if (served.digest !== undefined && namesOtherFiles(value))
    report([[[], `it names other files, and there is no ${BUNDLE}: run npm run generate`]]);
  if (judged.stage === 'references') report(judged.problems);
  const operations = operationsOf(value, served.canRead);
  const { problems: ofSchemas, placed } = judged;
  // Schemas that have problems cannot be compiled.
  const schemas = ofSchemas.length === 0 ? answerSchemas(value) : undefined;
  const errors = schemas && chooseErrorBodies(schemas, placed, operations, served);
  report([
    ...digestProblems(read, served),
    ...ofSchemas,
    ...(schemas ? defaultProblems(value, placed, schemas) : []),
    ...(errors?.problems ?? []),
    ...(errors ? codeNameProblems(value, placed, operations, served) : []),
    ...samePathProblems(operations),
    ...operations.flatMap((operation) => [...operationProblems(operation)]),
    ...operations.flatMap((operation) => [...formProblems(value, operation)]),
    ...handlerProblems(operations, served),
    ...limitProblems(
      operations.map(({ id }) => id),
      served.limits ?? {},
    ),
    ...securityProblems(value, operations, served),
  ]);
  if (!schemas || !errors) throw new Error('problems of schemas have been reported');
  const allWarnings = [
    ...warnings,
    ...ofUnserved,
    ...judged.warnings,
    ...errors.warnings,
    ...schemaWarnings(placed),
    ...unwiseSchemas(value, placed),
    ...unreadExamples(value),
    ...unservedPaths(operations),
    ...(value.paths ? [] : [[[], 'no paths are declared: nothing is served'] satisfies Problem]),
    ...operations.flatMap((operation) => [...operationWarnings(value, operation)]),
  ];
  return {
    document: value,
    operations,
    place,
    answerSchemas: schemas,
    errorBodies: errors.errorBodies,
    warnings: problemLines(allWarnings, place),
  };
}

/** The result of a check, and its last stage: references are checked if the structure is valid, and schemas if all references lead somewhere. */
interface Judged {
  stage: 'structure' | 'references' | 'schemas';
  problems: Problem[];
  warnings: Problem[];
  /** The schemas, at the last stage. */
  placed: readonly PlacedSchema[];
}

/** Checks a document by itself, without a service. */
export function judgeDocument(document: unknown): Judged {
  const { problems, warnings } = judgeStructure(document);
  if (problems.length > 0) return { stage: 'structure', problems, warnings, placed: [] };
  const value = document as Document; // its structure is valid by judgeStructure
  const ofReferences = [...referenceProblems(value)];
  if (ofReferences.length > 0) return { stage: 'references', problems: ofReferences, warnings, placed: [] };
  const placed = placedSchemas(value);
  return { stage: 'schemas', problems: schemaProblems(value, placed), warnings, placed };
}

function* digestProblems(document: unknown, { digest }: Served): Generator<Problem> {
  if (digest !== undefined && digest !== digestOf(document))
    yield [[], 'generated/openapi.ts was made from another contract: run npm run generate'];
}

function* referenceProblems(document: Document): Generator<Problem> {
  for (const { part, path, isMap } of partsOf(document)) {
    if (isMap || !('$ref' in part)) continue;
    try {
      resolve(document, { $ref: part.$ref as string }); // throws if it is no text
      const where = placeOfSchema(path);
      if (where !== undefined && String(part.$ref).startsWith('#/components/schemas/'))
        yield [[...path, '$ref'], `${String(part.$ref)} is a schema: expected it below ${where}`];
    } catch (error) {
      yield [[...path, '$ref'], messageOf(error) + referenceHint(document, part.$ref)];
    }
  }
}

/** The fields below which a request body, response, parameter or header has its schema. */
function placeOfSchema(path: Path): string | undefined {
  if (path.includes('schema') || path.includes('schemas')) return undefined;
  const [holder, last] = path.slice(-2);
  if (last === 'requestBody' || holder === 'responses' || holder === 'requestBodies')
    return 'content, a media type such as application/json, and schema';
  return holder === 'parameters' || holder === 'headers' ? 'schema' : undefined;
}

/** The reference to a component that one may mean, which leads nowhere. */
function referenceHint(document: Document, reference: unknown): string {
  if (reference === null) return ': it has to be quoted, because # begins a comment';
  if (typeof reference !== 'string') return '';
  if (reference.startsWith('#/') && lookUp(document, pathOfPointer(reference.slice(1))) !== undefined) return '';
  const kinds = Object.entries(document.components ?? {}).filter(([kind, each]) => KINDS.test(kind) && isSchema(each));
  const all = kinds.flatMap(([kind, each]) => Object.keys(each).map((name) => ({ kind, name })));
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  const meant =
    all.find(({ name }) => name === last)?.name ??
    nearest(
      last,
      all.map(({ name }) => name),
    );
  const found = all.find(({ name }) => name === meant);
  if (found) return `: expected #${pointerOf(['components', found.kind, found.name])}`;
  const [, kind] = /^#\/components\/(\w+)\//.exec(reference) ?? [];
  return kind !== undefined && !kinds.some(([each]) => each === kind) ? `: components has no ${kind}` : '';
}

const KINDS =
  /^(?:schemas|responses|parameters|examples|requestBodies|headers|securitySchemes|links|callbacks|pathItems|mediaTypes)$/;

/** Pairs of operations of which one is unreachable: their paths differ only in the names of parameters, or in spelling. */
function* samePathProblems(operations: readonly ContractOperation[]): Generator<Problem> {
  const first = new Map<string, ContractOperation>();
  for (const operation of operations) {
    const key = `${operation.method} ${canonical(operation.path.replaceAll(/\{[^{}]*\}/g, '{}'))}`;
    const other = first.get(key);
    if (!other) first.set(key, operation);
    if (!other) continue;
    const { method, path } = operation;
    const text =
      other.path === path
        ? `${method} ${path} is declared twice: only one of the two can be reached`
        : `the paths ${other.path} and ${path} are one: only one ${method} of it can be reached`;
    yield [other.at, text];
    yield [operation.at, text];
  }
}

function* operationProblems(operation: ContractOperation): Generator<Problem> {
  const { at, requestBody, body, lifecycle } = operation;
  yield* pathProblems(operation);
  for (const [name, fault] of lifecycle.faults) yield [[...at, name], fault];
  if (requestBody && body?.mediaTypes.length === 0) {
    const mediaTypes = Object.keys(requestBody.content);
    yield [
      [...at, 'requestBody', 'content', ...mediaTypes.slice(0, 1)],
      `no reader for bodies of ${mediaTypes.join(' or ')}: give the service one, in its readers`,
    ];
  }
}

/** Paths that are written as other tools write them, so that no request reaches what is meant. */
function* unservedPaths(operations: readonly ContractOperation[]): Generator<Problem> {
  for (const path of new Set(operations.map((each) => each.path))) {
    const [, name] = /\/:(\w+)/.exec(path) ?? [];
    if (name !== undefined)
      yield [['paths', path], `:${name} in a path is a text like any other: expected {${name}}`, undefined, 'name'];
    if (path.includes('?'))
      yield [['paths', path], 'a path has no query: expected query parameters', undefined, 'name'];
  }
}

function* operationWarnings(
  document: Document,
  { at, method, requestBody, body, parameters, forms }: ContractOperation,
): Generator<Problem> {
  if (!METHODS.includes(method))
    yield [at, 'no request with this method can come: the HTTP parser of Node does not know it', method];
  for (const mediaType of Object.keys(requestBody?.content ?? {})) {
    const meant = mediaTypeHint(mediaType);
    const here = [...at, 'requestBody', 'content', mediaType];
    if (meant !== '') yield [here, `bodies of ${mediaType} are taken as they are named${meant}`, undefined, 'name'];
    if (body && body.mediaTypes.length > 0 && !body.mediaTypes.includes(mediaType))
      yield [here, `bodies of ${mediaType} have no reader: they are answered with 415`];
  }
  for (const { name, schema } of parameters) {
    const types = typesOf(applicableSchemas(document, schema));
    const others = ['integer', 'number', 'boolean'].filter((type) => types.has(type));
    if (types.has('string') && others.length > 0)
      yield [[...at, 'parameters'], `a parameter that may be text or ${others.join(' or ')} is text`, name];
  }
  for (const [mediaType, { fields, others }] of forms) {
    const here = [...at, 'requestBody', 'content', mediaType];
    for (const [name, { besideText }] of [...fields, ['additionalProperties', others] as const])
      if (besideText.length > 0)
        yield [here, `a field of a form that may be text or ${besideText.join(' or ')} is text`, name];
  }
}

/** Rules for parameters that OpenAPI has in prose only: each `{name}` of the path has one, and no two are the same. */
function* pathProblems({ at, path, parameters }: ContractOperation): Generator<Problem> {
  const template = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => `path parameter ${name}`);
  const declared = parameters.map(({ name, in: where }) => `${where} parameter ${name}`);
  const here = [...at, 'parameters'];
  const others = declared.filter((name) => name.startsWith('path ') && !template.includes(name));
  for (const name of others) {
    const [meant] = template.filter((each) => !declared.includes(each));
    yield [here, `${name} is not in the path ${path}${meant === undefined ? '' : `: expected ${meant}`}`];
  }
  for (const name of others.length > 0 ? [] : template)
    if (!declared.includes(name)) yield [at, `${name} is not declared`];
  for (const [index, name] of declared.entries())
    if (declared.indexOf(name) !== index) yield [here, `duplicate ${name}`];
}

function* handlerProblems(
  operations: readonly ContractOperation[],
  { handlers, mocksMissing = false }: Served,
): Generator<Problem> {
  const seen = new Set<string>();
  const known = new Set(handlers);
  for (const { id, at } of operations) {
    if (seen.has(id)) yield [[...at, 'operationId'], `duplicate operationId ${id}`];
    else if (!mocksMissing && !known.has(id))
      yield [[...at, 'operationId'], `operation ${id} has no handler: add it to src/handlers.ts`];
    seen.add(id);
  }
  for (const id of handlers) if (!seen.has(id)) yield [['paths'], `handler ${id} has no operation in the contract`];
}

function* securityProblems(
  document: Document,
  operations: readonly ContractOperation[],
  { verifiers, canVerify = () => false }: Served,
): Generator<Problem> {
  const schemes = document.components?.securitySchemes ?? {};
  for (const [name, declared] of Object.entries(schemes)) {
    const at: Path = ['components', 'securitySchemes', name];
    const kind = schemeKind(declared);
    const { type, scheme = '' } = declared;
    if (
      type === 'http' &&
      hintOf(scheme.toLowerCase(), ['bearer', 'basic']) !== '' &&
      !/^(?:bearer|basic)$/i.test(scheme)
    ) {
      yield [[...at, 'scheme'], `unknown HTTP scheme ${scheme}${hintOf(scheme, ['bearer', 'basic'])}`];
      continue;
    }
    const verifier = Object.hasOwn(verifiers, name) ? verifiers[name] : undefined;
    if (!verifier && !canVerify(kind))
      yield [at, `security scheme ${name} is ${kind} and has no verifier: add it in src/service.ts`];
    else if (verifier && verifier.scheme !== kind)
      yield [at, `security scheme ${name} is ${kind}, and its verifier is for ${verifier.scheme}`];
  }
  const own = operations.filter(({ security }) => security !== document.security);
  const places = [{ at: [] as Path, security: document.security ?? [] }, ...own];
  for (const { at, security } of places) {
    for (const [name, scopes] of security.flatMap((requirement) => Object.entries(requirement))) {
      if (!Object.hasOwn(schemes, name)) {
        const hint = hintOf(name, Object.keys(schemes));
        const index = security.findIndex((requirement) => Object.hasOwn(requirement, name));
        const text = `security names ${name}, which components.securitySchemes does not declare${hint}`;
        yield [[...at, 'security', index, name], text, undefined, 'name'];
      }
      for (const scope of scopes.filter((each) => !SCOPE.test(each)))
        yield [[...at, 'security'], `${JSON.stringify(scope)} is not a scope: expected ASCII without spaces, " and \\`];
    }
  }
}
