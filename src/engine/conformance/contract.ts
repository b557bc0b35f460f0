/**
 * Reads the contract independently of the server, so that a mistake of the server's reader is not repeated here. Shared are
 * only the types of an OpenAPI document and the resolution of references.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  type Content,
  type Document,
  type Header,
  METHODS,
  type Parameter,
  type PathItem,
  resolve,
  type ResponseObject,
  type Schema,
  type SecurityRequirement,
} from '../contract/document';

export interface Operation {
  /** `POST /notes` */
  name: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: { required: boolean; content: Content } | undefined;
  responses: ReadonlyMap<string, DeclaredResponse>;
  security: Security;
}

export interface DeclaredResponse {
  headers: ReadonlyMap<string, Header>;
  content: Content;
}

/** Whether a credential is required; `unknown` where it is of a kind that this suite cannot make. */
export type Security = 'none' | 'optional' | 'bearer' | 'unknown';

export interface Contract {
  document: Document;
  operations: readonly Operation[];
  /** The methods of every path, in upper case. */
  methods: ReadonlyMap<string, readonly Operation[]>;
  /** The schemas of all JSON bodies that are declared for errors. */
  errors: Schema[];
}

export function readContract(file: string): Contract {
  const document = parse(readFileSync(file, 'utf8')) as Document;
  const methods = new Map(
    Object.entries(document.paths ?? {}).map(([path, item]) => [path, operationsAt(document, path, item)]),
  );
  const operations = [...methods.values()].flat();
  return { document, operations, methods, errors: errorsOf(operations) };
}

/** Errors that belong to no operation, 404 and 405, are not declared anywhere; their bodies are like those that are. */
function errorsOf(operations: readonly Operation[]): Schema[] {
  const schemas = operations
    .flatMap(({ responses }) => [...responses])
    .filter(([status]) => /^(?:[45]|DEFAULT)/.test(status))
    .map(([, { content }]) => content['application/json']?.schema)
    .filter((schema) => schema !== undefined);
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** Header parameters of these names are ignored (OpenAPI 3.1, "Parameter Object"). */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

function operationsAt(document: Document, path: string, item: PathItem): Operation[] {
  const pathItem = resolve(document, item);
  return METHODS.flatMap((method) => {
    const operation = pathItem[method];
    if (!operation) return [];
    // An operation's parameter overrides the one of its path.
    const parameters = new Map<string, Parameter>();
    for (const each of [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])]) {
      const parameter = resolve(document, each);
      if (parameter.in === 'header' && IGNORED_HEADERS.has(parameter.name.toLowerCase())) continue;
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const body = operation.requestBody && resolve(document, operation.requestBody);
    return {
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: [...parameters.values()],
      body: isEmpty(body?.content) ? undefined : body && { required: body.required ?? false, content: body.content },
      responses: new Map(
        Object.entries(operation.responses ?? {}).map(([status, each]) => [
          status.toUpperCase(),
          declared(document, resolve(document, each)),
        ]),
      ),
      security: securityOf(document, operation.security ?? document.security ?? []),
    };
  });
}

function isEmpty(content: Content = {}): boolean {
  return Object.keys(content).length === 0;
}

function declared(document: Document, { headers = {}, content = {} }: ResponseObject): DeclaredResponse {
  return {
    headers: new Map(Object.entries(headers).map(([name, each]) => [name.toLowerCase(), resolve(document, each)])),
    content,
  };
}

function securityOf(document: Document, alternatives: readonly SecurityRequirement[]): Security {
  const schemes = document.components?.securitySchemes ?? {};
  const isBearer = (name: string): boolean =>
    schemes[name]?.type === 'http' && schemes[name].scheme?.toLowerCase() === 'bearer';
  if (alternatives.length === 0) return 'none';
  if (alternatives.some((each) => Object.keys(each).length === 0)) return 'optional';
  return alternatives.some((each) => Object.keys(each).every(isBearer)) ? 'bearer' : 'unknown';
}

/** What the contract declares for a status: by itself, by its range or by `default`. */
export function responseFor({ responses }: Operation, status: number): DeclaredResponse | undefined {
  return responses.get(String(status)) ?? responses.get(`${Math.floor(status / 100)}XX`) ?? responses.get('DEFAULT');
}

/** The schema of a parameter, and the media type of its text where it has one. */
export function schemaOf({ schema, content = {} }: Parameter): { schema: Schema; mediaType?: string } {
  const [serialized] = Object.entries(content);
  return serialized ? { mediaType: serialized[0], schema: serialized[1].schema ?? {} } : { schema: schema ?? {} };
}
