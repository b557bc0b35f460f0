/** The operations of a contract as a table, with references followed. */
import { METHODS } from 'node:http';
import { canRead, isBytes, isForm, isJson, isXml } from './media-type';
import {
  type Document,
  operationsIn,
  type Parameter,
  type Path,
  type PlacePart,
  type RequestBody,
  resolve,
  type ResponseObject,
  type SecurityRequirement,
  type Server,
} from './document';
import { unreadForms } from './form-faults';
import { type Form, formOf, isFile } from './form-fields';
import { type Lifecycle, lifecycleOf } from './lifecycle';
import { isReferenceAlone } from './normalize-schema';
import { isSequence } from './sequences';
import { applicableSchemas, conjoinedSchemas, isSchema, typesOf } from './traverse';

/** One operation, with the parameters of its path and the default security included. */
export interface ContractOperation {
  id: string;
  /** As HTTP writes it. */
  method: string;
  /** The path template, without the base path. */
  path: string;
  /** Its place in the document. */
  at: Path;
  parameters: readonly Parameter[];
  /** The names of its path parameters that may be logged: those with `format: password` may not. */
  ids: readonly string[];
  requestBody: RequestBody | undefined;
  /** The bodies that are read; undefined if it takes none. */
  body: ExpectedBody | undefined;
  /** The fields of form bodies, by media type. */
  forms: ReadonlyMap<string, Form>;
  /** The media types whose bodies are XML, read by their schemas. */
  xml: ReadonlySet<string>;
  responses: Readonly<Record<string, ResponseObject>>;
  /** The alternatives, one of which must be satisfied; if there is none, the operation is open to everyone. */
  security: readonly SecurityRequirement[];
  lifecycle: Lifecycle;
}

/** The body that an operation accepts. */
export interface ExpectedBody {
  required: boolean;
  mediaTypes: readonly string[];
  /** The media types whose bodies handlers get as bytes. */
  bytes: readonly string[];
  /** The media types, and ranges of them, whose bodies are read as JSON. */
  json: readonly string[];
  /** The media types whose bodies handlers get item by item. */
  sequences: readonly string[];
  /** The `maxLength` of bodies of bytes and the `maxItems` of sequences, by media type, where the contract declares them. */
  lengths: ReadonlyMap<string, number>;
  /** True if `Content-Range` is a parameter, so that its handler knows of parts. */
  takesParts: boolean;
  /** True if `Content-Encoding` is a parameter, so that its handler knows how bytes are coded. */
  takesCoded: boolean;
  /** The fields of form bodies, by media type. */
  forms: ReadonlyMap<string, Form>;
}

export interface Contract {
  document: Document;
  operations: readonly ContractOperation[];
  /** The place of a path in the file, such as `openapi.yaml:12:7`, or of the name there; the nearest one if there is nothing at the path. */
  place: (path: Path, part?: PlacePart) => string;
}

/** True if a request with this method can come: Node's HTTP parser knows it, and it asks for no tunnel. */
export function canCome(method: string): boolean {
  return METHODS.includes(method) && method !== 'CONNECT';
}

/** The path of the contract's first server, such as `/v1`, or empty: the API is mounted there unless `BASE_URL` is set. */
export function serverPath({ servers: [server] = [] }: Pick<Document, 'servers'>): string {
  const written = addressOf(server ?? { url: '/' });
  const address = hasNoScheme(written) ? `http://${written}` : written;
  // The host may be a placeholder with characters that no host has.
  const path = URL.canParse(address, 'http://localhost')
    ? new URL(address, 'http://localhost').pathname
    : address.replace(/^[a-z]+:\/\/[^/]*/i, '');
  return path.replace(/(?<!\/)\/+$/, '');
}

/** The URL of a server with the defaults of its variables. */
export function addressOf({ url, variables = {} }: Server): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
}

/** True for `localhost:8080/v1`, which is a URL of the scheme `localhost:` without a host. */
export function hasNoScheme(address: string): boolean {
  return URL.canParse(address) && !new URL(address).pathname.startsWith('/');
}

/** The operations of a document, in its order; `reads` says whether bodies of a media type can be read. */
export function operationsOf(document: Document, reads = canRead): ContractOperation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const pathItem = resolve(document, item);
    return operationsIn(pathItem).map(({ method, operation, steps }) => {
      const own = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
      const shared = (pathItem.parameters ?? []).map((parameter) => resolve(document, parameter));
      const overridden = ({ name, in: where }: Parameter) =>
        own.some((each) => each.name === name && each.in === where);
      const parameters = [...own, ...shared.filter((parameter) => !overridden(parameter))];
      const { operationId, responses = {} } = operation;
      const requestBody = operation.requestBody && resolve(document, operation.requestBody);
      const forms = requestBody ? formsOf(document, requestBody) : new Map<string, Form>();
      const kinds = requestBody ? kindsOf(document, requestBody, forms, reads) : [];
      return {
        id: operationId ?? `${method} ${path}`,
        method,
        path,
        at: ['paths', path, ...steps],
        parameters,
        ids: parameters.filter((parameter) => isId(document, parameter)).map(({ name }) => name),
        requestBody,
        body: requestBody && {
          ...expectedBody(document, requestBody, kinds, forms),
          takesParts: hasHeader(parameters, 'content-range'),
          takesCoded: hasHeader(parameters, 'content-encoding'),
        },
        forms,
        xml: new Set(kinds.flatMap(({ mediaType, kind }) => (kind === 'xml' ? mediaType : []))),
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, resolve(document, response)]),
        ),
        security: operation.security ?? document.security ?? [],
        lifecycle: lifecycleOf(operation),
      };
    });
  });
}

function formsOf(document: Document, { content }: RequestBody): Map<string, Form> {
  const unread = unreadForms(document, content);
  const forms = Object.entries(content).filter(([mediaType]) => isForm(mediaType) && !unread.has(mediaType));
  return new Map(forms.map(([mediaType, declared]) => [mediaType, formOf(document, mediaType, declared)]));
}

interface MediaTypeKind {
  mediaType: string;
  kind: 'bytes' | 'items' | 'json' | 'read' | 'text' | 'unread' | 'xml';
}

/**
 * The way in which each body is read. One of another media type than those that are read is given to handlers as text or bytes, if its
 * schema says no more than that; otherwise it is XML under a media type of XML, and JSON under a range such as `*\/*` or `application/*+json`.
 */
function kindsOf(
  document: Document,
  { content }: RequestBody,
  forms: ReadonlyMap<string, Form>,
  reads: typeof canRead,
): MediaTypeKind[] {
  return Object.entries(content).map(([mediaType, declared]) => {
    const { schema } = declared;
    if (isForm(mediaType) && !forms.has(mediaType)) return { mediaType, kind: 'unread' };
    if (isSequence(document, mediaType, declared)) return { mediaType, kind: 'items' };
    if (isBytes(mediaType)) return { mediaType, kind: 'bytes' };
    const isText = canRead(mediaType);
    if (reads(mediaType) && !(isXml(mediaType) && isText))
      return { mediaType, kind: isJson(mediaType) ? 'json' : 'read' };
    const schemas = [...applicableSchemas(document, schema)];
    const isRange = /^(?:(?:\*|application)\/\*|[\w-]+\/\*\+json)$/i.test(mediaType);
    const isFree = isSchema(schema) && (isRange ? Object.keys(schema).length === 0 : schemas.every(isReferenceAlone));
    if (schemas.some(isFile) || schema === undefined || isFree) return { mediaType, kind: isText ? 'text' : 'bytes' };
    if ([...typesOf(schemas)].join() === 'string') return { mediaType, kind: 'text' };
    if (isXml(mediaType)) return { mediaType, kind: 'xml' };
    return { mediaType, kind: isRange ? 'json' : 'unread' };
  });
}

function expectedBody(
  document: Document,
  { required = false, content }: RequestBody,
  kinds: readonly MediaTypeKind[],
  forms: ReadonlyMap<string, Form>,
): Omit<ExpectedBody, 'takesParts' | 'takesCoded'> {
  const ofKind = (...wanted: MediaTypeKind['kind'][]): string[] =>
    kinds.flatMap(({ mediaType, kind }) => (wanted.includes(kind) ? mediaType : []));
  return {
    required,
    mediaTypes: ofKind('items', 'read', 'json', 'bytes', 'text', 'xml'),
    bytes: ofKind('bytes'),
    json: ofKind('json'),
    sequences: ofKind('items'),
    forms,
    lengths: new Map([
      ...declaredMaxima(document, content, ofKind('bytes'), 'maxLength'),
      ...declaredMaxima(document, content, ofKind('items'), 'maxItems'),
    ]),
  };
}

function hasHeader(parameters: readonly Parameter[], header: string): boolean {
  return parameters.some(({ in: where, name }) => where === 'header' && name.toLowerCase() === header);
}

/** The largest lengths that the schemas of media types declare. */
function declaredMaxima(
  document: Document,
  content: RequestBody['content'],
  mediaTypes: readonly string[],
  keyword: 'maxLength' | 'maxItems',
): [mediaType: string, max: number][] {
  return mediaTypes.flatMap((mediaType) => {
    const held = [...conjoinedSchemas(document, content[mediaType]?.schema)];
    const maxima = held.map((schema) => schema[keyword]).filter((max) => typeof max === 'number');
    return maxima.length > 0 ? [[mediaType, Math.min(...maxima)]] : [];
  });
}

function isId(document: Document, { in: where, schema }: Parameter): boolean {
  return where === 'path' && ![...applicableSchemas(document, schema)].some(({ format }) => format === 'password');
}
