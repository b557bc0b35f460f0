/** The operations of a contract as a table: what `openapi.yaml` declares of each, with references followed. */
import type { ExpectedBody } from '../http/body';
import { canRead, isForm } from '../http/media-type';
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
import { type Form, formOf } from './forms';
import { applicableSchemas } from './walk';

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
  return new URL(address, 'http://localhost').pathname.replace(/\/+$/, '');
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
        body: requestBody && {
          required: requestBody.required ?? false,
          mediaTypes: Object.keys(requestBody.content).filter(reads),
        },
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

function isId(document: Document, { in: where, schema }: Parameter): boolean {
  return where === 'path' && ![...applicableSchemas(document, schema)].some(({ format }) => format === 'password');
}
