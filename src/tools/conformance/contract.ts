/**
 * Reads the operations of a contract independently of the server, so that a mistake of that one is not repeated here. Shared with it is
 * how a document is read: its files, its references, OpenAPI 3.1 of any version, and the rules of OpenAPI that leave no choice.
 */
import {
  allSchemas,
  type Annotation,
  type Content,
  ContractProblems,
  type Document,
  type Header,
  isHeaderName,
  isIgnored,
  isSchema,
  keyFor,
  lookUp,
  mostSpecific,
  oneLine,
  operationsIn,
  type Parameter,
  type Path,
  type PathItem,
  problemLines,
  readDocument,
  referenceProblems,
  refuseAnnotated,
  resolve,
  type ResponseObject,
  type Schema,
  schemeKind,
  type SecurityRequirement,
  judgeStructure,
  serverPath,
  withDoubles,
} from '../../engine/reading';
import { patternProblems } from '../samples/oracle';

export interface Operation {
  /** `POST /notes` */
  name: string;
  /** Its operationId. */
  id: string;
  method: string;
  path: string;
  /** Its place in the contract: `openapi.yaml:12:7`. */
  place: string;
  parameters: readonly Parameter[];
  body: { required: boolean; content: Content } | undefined;
  /** The content of the body with its `readOnly` properties, as answers have them: a part of the document for answers. */
  fullBody: Content;
  responses: ReadonlyMap<string, DeclaredResponse>;
  /** The alternatives that let a request in; empty means everyone, and so does an alternative without schemes. */
  security: readonly (readonly Scheme[])[];
}

export interface DeclaredResponse {
  headers: ReadonlyMap<string, Header>;
  content: Content;
}

/** A security scheme as an operation asks for it. */
export interface Scheme {
  name: string;
  /** `http bearer`, `http basic`, `apiKey in header` and the like, or a type that this suite has no credential for. */
  kind: string;
  /** The header, query parameter or cookie of an API key. */
  parameter: string;
  scopes: readonly string[];
}

export interface Contract {
  /** The document for requests: without `readOnly` properties. */
  document: Document;
  /** The document for answers: without `writeOnly` properties. `responses` and `fullBody` of operations are part of it. */
  answers: Document;
  /** The path of its first server, empty or `/v1`. */
  basePath: string;
  operations: readonly Operation[];
  /** The operations of every path. */
  methods: ReadonlyMap<string, readonly Operation[]>;
  /** All content that is declared for errors; that of one media type fits one of its schemas. */
  errors: Content;
}

/** Reads a contract of one file or several, also in `allowed` folders; throws ContractProblems if it is none. */
export function readContract(file: string, allowed: readonly string[] = []): Contract {
  const { value, place } = readDocument(file, allowed);
  if (!isDocument(value)) throw new ContractProblems([`${place([])} expected an OpenAPI document with paths`]);
  const read = withDoubles(value) as Document;
  refuseUnreadable(read, place);
  const document = withoutProperties(read, 'readOnly');
  const answers = withoutProperties(read, 'writeOnly');
  const methods = new Map(
    Object.entries(document.paths ?? {}).map(([path, item]) => {
      const ofAnswers = operationsAt(answers, path, answers.paths?.[path] ?? {}, place);
      const operations = operationsAt(document, path, item, place);
      const asAnswered = (index: number): Partial<Operation> => {
        const { responses = new Map(), fullBody = {} } = ofAnswers[index] ?? {};
        return { responses, fullBody };
      };
      return [path, operations.map((each, index): Operation => ({ ...each, ...asAnswered(index) }))];
    }),
  );
  const operations = [...methods.values()].flat();
  return { document, answers, basePath: serverPath(read), operations, methods, errors: errorsOf(operations) };
}

function isDocument(value: unknown): boolean {
  return isSchema(value) && 'openapi' in value && isSchema(value.paths);
}

/** A copy of the document in which no value has a property of this annotation, and none is required. */
function withoutProperties(document: Document, annotation: Annotation): Document {
  const copy = structuredClone(document);
  refuseAnnotated(copy, allSchemas(copy), annotation);
  return copy;
}

/** Throws for what no reader could make sense of, such as `content: null`; a server can be held to a contract with other mistakes. */
function refuseUnreadable(document: Document, place: (path: Path) => string): void {
  const nulls = judgeStructure(document).problems.filter(([path]) => lookUp(document, path) === null);
  const problems = nulls.length > 0 ? nulls : [...referenceProblems(document), ...patternProblems(document)];
  if (problems.length > 0) throw new ContractProblems(problemLines(problems, place));
}

/** Errors that belong to no operation, 404 and 405, are not declared anywhere; their bodies are like those that are. */
function errorsOf(operations: readonly Operation[]): Content {
  const schemas = new Map<string, Map<string, Schema>>();
  for (const [status, { content }] of operations.flatMap(({ responses }) => [...responses]))
    for (const [mediaType, { schema = {} }] of /^(?:[45]|default)/.test(status) ? Object.entries(content) : []) {
      const known = schemas.get(mediaType) ?? new Map<string, Schema>();
      schemas.set(mediaType, known.set(JSON.stringify(schema), schema));
    }
  return Object.fromEntries(
    [...schemas].map(([mediaType, all]) => [mediaType, { schema: { anyOf: [...all.values()] } }]),
  );
}

function operationsAt(document: Document, path: string, item: PathItem, place: (path: Path) => string): Operation[] {
  const pathItem = resolve(document, item);
  return operationsIn(pathItem).map(({ method, operation, steps }) => {
    const security = securityOf(document, operation.security ?? document.security ?? []);
    // An operation's parameter overrides the one of its path.
    const parameters = new Map<string, Parameter>();
    for (const each of [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]) {
      const parameter = resolve(document, each);
      if (isIgnored(parameter) || !canBeSent(parameter) || isKey(parameter, security)) continue;
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const body = operation.requestBody && resolve(document, operation.requestBody);
    const name = oneLine(`${method} ${path}`);
    return {
      name,
      id: operation.operationId ?? name,
      method,
      path,
      place: place(['paths', path, ...steps]),
      parameters: [...parameters.values()],
      body: isEmpty(body?.content) ? undefined : body && { required: body.required ?? false, content: body.content },
      fullBody: body?.content ?? {},
      responses: new Map(
        Object.entries(operation.responses ?? {}).map(([status, each]) => [
          status.replace(/xx$/i, 'XX'),
          declared(document, resolve(document, each)),
        ]),
      ),
      security,
    };
  });
}

/** True for the parameter in which an API key is sent: it is a credential, which some contracts declare as a parameter as well. */
function isKey({ in: where, name }: Parameter, security: Operation['security']): boolean {
  return security
    .flat()
    .some(({ kind, parameter }) => kind === `apiKey in ${where}` && isSameName(where, parameter, name));
}

/** Compares two names at a place: those of headers have letters of either case. */
export function isSameName(where: Parameter['in'], one: string, other: string): boolean {
  return where === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/**
 * True unless no request has a header of the name, or it would say that a body is coded, which none is; a required one is kept, for the
 * operation then cannot be asked. Those of framing are the client's.
 */
function canBeSent({ in: where, name, required = false }: Parameter): boolean {
  const mayBeSent = isHeaderName(name) && name.toLowerCase() !== 'content-encoding';
  return where !== 'header' || ((required || mayBeSent) && !FRAMING.test(name));
}

const FRAMING = /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

function isEmpty(content: Content = {}): boolean {
  return Object.keys(content).length === 0;
}

function declared(document: Document, { headers = {}, content = {} }: ResponseObject): DeclaredResponse {
  return {
    headers: new Map(Object.entries(headers).map(([name, each]) => [name.toLowerCase(), resolve(document, each)])),
    content,
  };
}

function securityOf(document: Document, alternatives: readonly SecurityRequirement[]): Scheme[][] {
  const schemes = document.components?.securitySchemes ?? {};
  return alternatives.map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => {
      const scheme = schemes[name];
      return { name, scopes, kind: scheme ? schemeKind(scheme) : 'not declared', parameter: scheme?.name ?? '' };
    }),
  );
}

/** The response that an operation declares for a status. */
export function responseFor({ responses }: Operation, status: number): DeclaredResponse | undefined {
  return responses.get(keyFor(status, (key) => responses.has(key)) ?? '');
}

/** The schema of a parameter, and the media type of its text if it has one. */
export function schemaOf({ schema, content = {} }: Pick<Parameter, 'schema' | 'content'>): {
  schema: Schema;
  mediaType?: string;
} {
  const [serialized] = Object.entries(content);
  return serialized ? { mediaType: serialized[0], schema: serialized[1].schema ?? {} } : { schema: schema ?? {} };
}

/** The key of declared content for a media type: its own, or that of the most specific range around it; none is within the range of all. */
export function declaredType(content: Content, mediaType = ''): string | undefined {
  return mostSpecific(essenceOf(mediaType) || '-', Object.keys(content));
}

/** A media type without its parameters. */
export function essenceOf(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';')[0]?.trim().toLowerCase();
}
