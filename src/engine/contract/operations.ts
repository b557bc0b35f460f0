/** The operations of a contract as a table: what `openapi.yaml` declares of each, with references followed. */
import type { ExpectedBody } from '../http/body';
import { canRead, isBytes, isForm } from '../http/media-type';
import {
  type Document,
  METHODS,
  type Parameter,
  type Path,
  type RequestBody,
  resolve,
  type ResponseObject,
  type SecurityRequirement,
} from './document';
import { type Form, formOf, isFile } from './forms';
import { applicableSchemas, isSchema, typesOf } from './walk';

/** One operation of the contract, references followed, path-level parameters and default security included. */
export interface ContractOperation {
  id: string;
  /** In upper case, as HTTP writes it. */
  method: string;
  /** The path template, without the base path. */
  path: string;
  /** Where it stands in the document. */
  at: Path;
  parameters: readonly Parameter[];
  /** The names of its path parameters, but those that the contract calls passwords. */
  ids: readonly string[];
  requestBody: RequestBody | undefined;
  /** What a body must be to be read. */
  body: ExpectedBody | undefined;
  /** By media type, how the fields of form bodies are read. */
  forms: ReadonlyMap<string, Form>;
  responses: Readonly<Record<string, ResponseObject>>;
  /** The alternatives that let a request in; empty means everyone. */
  security: readonly SecurityRequirement[];
}

export interface Contract {
  document: Document;
  operations: readonly ContractOperation[];
  /** `openapi.yaml:12:7` for the path of something in the document, or of what is nearest to it. */
  place: (path: Path) => string;
}

/** The path of the contract's first server, where the API is mounted unless the environment says otherwise: empty, or `/v1`. */
export function serverPath({ servers: [server] = [] }: Document): string {
  const { url, variables = {} } = server ?? { url: '/' };
  const address = url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
  // Some leave a place for the host that no host has the characters of.
  const path = URL.canParse(address, 'http://localhost')
    ? new URL(address, 'http://localhost').pathname
    : address.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return path.replace(/\/+$/, '');
}

/** The operations of a document in its order; `reads` says whether bodies of a media type can be read. */
export function operationsOf(document: Document, reads = canRead): ContractOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const pathItem = resolve(document, item);
    return METHODS.flatMap((method) => {
      const operation = pathItem[method];
      if (operation === undefined) return [];
      const own = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
      const shared = (pathItem.parameters ?? []).map((parameter) => resolve(document, parameter));
      const overridden = ({ name, in: where }: Parameter) =>
        own.some((each) => each.name === name && each.in === where);
      const parameters = [...own, ...shared.filter((parameter) => !overridden(parameter))];
      const { operationId, responses = {} } = operation;
      const requestBody = operation.requestBody && resolve(document, operation.requestBody);
      return {
        id: operationId ?? `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        at: ['paths', path, method],
        parameters,
        ids: parameters.filter((parameter) => isId(document, parameter)).map(({ name }) => name),
        requestBody,
        body: requestBody && expectedBody(document, requestBody, reads),
        forms: new Map(
          Object.entries(requestBody?.content ?? {})
            .filter(([mediaType]) => isForm(mediaType))
            .map(([mediaType, content]) => [mediaType, formOf(document, content)]),
        ),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, resolve(document, response)]),
        ),
        security: operation.security ?? document.security ?? [],
      };
    });
  });
}

/** What is neither read by its media type nor described as more than text or bytes is given to handlers as these. */
function expectedBody(
  document: Document,
  { required = false, content }: RequestBody,
  reads: typeof canRead,
): ExpectedBody {
  const kinds = Object.entries(content).map(([mediaType, { schema }]) => {
    if (isBytes(mediaType)) return { mediaType, kind: 'bytes' };
    if (reads(mediaType)) return { mediaType, kind: 'read' };
    const schemas = [...applicableSchemas(document, schema)];
    if (schemas.some(isFile) || schema === undefined || (isSchema(schema) && Object.keys(schema).length === 0))
      return { mediaType, kind: 'bytes' };
    return { mediaType, kind: [...typesOf(schemas)].join() === 'string' ? 'text' : 'unread' };
  });
  const ofKind = (...wanted: string[]): string[] =>
    kinds.flatMap(({ mediaType, kind }) => (wanted.includes(kind) ? mediaType : []));
  return { required, mediaTypes: ofKind('read', 'bytes', 'text'), bytes: ofKind('bytes') };
}

function isId(document: Document, { in: where, schema }: Parameter): boolean {
  return where === 'path' && ![...applicableSchemas(document, schema)].some(({ format }) => format === 'password');
}
