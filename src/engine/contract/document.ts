/** The parts of an OpenAPI 3.1 document that the engine reads, and how to look them up. */

/** The place of something in the document: the keys and indices that lead to it. */
export type Path = readonly (string | number)[];

/** The part of a member that a place is of: its name, rather than its value. */
export type PlacePart = 'name';

export interface Reference {
  $ref?: string;
}

export interface Schema extends Reference {
  type?: string | string[];
  format?: string;
  pattern?: string;
  allOf?: (Schema | boolean)[];
  anyOf?: (Schema | boolean)[];
  oneOf?: (Schema | boolean)[];
  required?: string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  unevaluatedProperties?: Schema | boolean;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  unevaluatedItems?: Schema | boolean;
  [keyword: string]: unknown;
}

interface Examples {
  example?: unknown;
  examples?: Record<string, Reference & { value?: unknown }>;
}

export interface MediaType extends Examples {
  schema?: Schema;
  /** The schema of each item of a sequential media type. */
  itemSchema?: Schema;
  /** The encodings of a form's fields. */
  encoding?: Record<string, Encoding>;
  /** The encodings of parts without names: of the first ones by position, and of all others. */
  prefixEncoding?: Encoding[];
  itemEncoding?: Encoding;
}

export interface Encoding {
  contentType?: string;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

export type Content = Record<string, MediaType>;

/** The places whose parameters have names there. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter extends Reference, Examples {
  name: string;
  /** `querystring` is the whole query, as one value. */
  in: ParameterPlace | 'querystring';
  required?: boolean;
  schema?: Schema;
  content?: Content;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  allowEmptyValue?: boolean;
}

/** The place of a parameter's value in a request as handlers get it. */
export function placeOf({ in: where }: Pick<Parameter, 'in'>): ParameterPlace {
  return where === 'querystring' ? 'query' : where;
}

/** True if OpenAPI ignores the parameter: a header that is described elsewhere (OpenAPI 3.1, Parameter Object). */
export function isIgnored({ in: where, name }: Parameter): boolean {
  return where === 'header' && /^(?:accept|content-type|authorization)$/i.test(name);
}

/** True for a name that headers may have: a token (RFC 9110 section 5.6.2). */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

/** True for a text that is in a header as it is: recipients take blanks around it off, and read characters beyond ASCII differently (RFC 9110 section 5.5). */
export function isHeaderText(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

export interface RequestBody extends Reference {
  required?: boolean;
  content: Content;
}

export interface Header extends Reference, Examples {
  required?: boolean;
  schema?: Schema;
  explode?: boolean;
  content?: Content;
}

export interface ResponseObject extends Reference {
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
}

export interface SecurityScheme {
  type: string;
  /** The name of an HTTP authentication scheme, in any letter case. */
  scheme?: string;
  /** The place of an API key (`header`, `query` or `cookie`), and its name there. */
  in?: string;
  name?: string;
}

/** The security schemes of a document that is not validated yet: those whose kind can be told. */
export function schemesOf(document: unknown): Readonly<Record<string, SecurityScheme>> {
  const schemes = lookUp(document, ['components', 'securitySchemes']);
  const isScheme = (each: unknown): boolean =>
    typeof each === 'object' && each !== null && (!('scheme' in each) || typeof each.scheme === 'string');
  const named = typeof schemes === 'object' && schemes !== null ? Object.entries(schemes) : [];
  return Object.fromEntries(named.filter((entry): entry is [string, SecurityScheme] => isScheme(entry[1])));
}

/** The kind of a scheme: its type, with the name of the HTTP scheme or the place of the API key. */
export function schemeKind({ type, scheme = '', in: where = '' }: SecurityScheme): string {
  if (type === 'http') return `http ${scheme.toLowerCase()}`;
  if (type === 'apiKey') return `apiKey in ${where}`;
  // Both issue bearer tokens (RFC 6750 section 1; OpenID Connect Core 1.0 section 3.1.3.3).
  return type === 'oauth2' || type === 'openIdConnect' ? 'http bearer' : type;
}

/** One alternative: the names of security schemes that must all be satisfied. Empty means anonymous. */
export type SecurityRequirement = Record<string, string[]>;

export interface Server {
  url: string;
  variables?: Record<string, { default: string }>;
}

export interface OperationObject {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses?: Record<string, ResponseObject>;
  security?: SecurityRequirement[];
  servers?: Server[];
  deprecated?: boolean;
  /** Since when it is deprecated, and from when on it may be gone. */
  'x-deprecated-since'?: unknown;
  'x-sunset'?: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

export interface PathItem extends Reference, Partial<Record<(typeof METHODS)[number], OperationObject>> {
  parameters?: Parameter[];
  servers?: Server[];
  /** The operations of further methods, as HTTP writes these. */
  additionalOperations?: Record<string, OperationObject>;
}

/** An operation of a path item: its method as HTTP writes it, and the keys that lead to it. */
export interface PlacedOperation {
  method: string;
  operation: OperationObject;
  steps: readonly [string, ...string[]];
}

/** The operations of a path item, by method, further methods last; leaves out what is no object. */
export function operationsIn(item: PathItem): PlacedOperation[] {
  const additional = Object.entries(item.additionalOperations ?? {});
  const all: PlacedOperation[] = [
    ...METHODS.flatMap((key) => {
      const operation = item[key];
      return operation ? [{ method: key.toUpperCase(), operation, steps: [key] as const }] : [];
    }),
    ...additional.map(([method, operation]) => ({
      method,
      operation,
      steps: ['additionalOperations', method] as const,
    })),
  ];
  return all.filter(({ operation }: { operation: unknown }) => typeof operation === 'object' && operation !== null);
}

export interface Document {
  servers?: Server[];
  openapi: string;
  info: { title: string; version: string };
  security?: SecurityRequirement[];
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, SecurityScheme>;
  };
}

/** The most references that lead to one another: nobody writes as many, and each of them is followed to the end. */
export const REFERENCES_MAX = 100;

/** Follows `$ref` within the document until there is none; throws if it leads nowhere, in a circle, or over too many others. */
export function resolve<T extends Reference>(document: Document, object: T): T {
  if (object.$ref === undefined) return object;
  const seen = new Set<unknown>();
  let found = object;
  while (found.$ref !== undefined) {
    if (seen.has(found)) throw new Error(`${found.$ref} leads in a circle`);
    if (seen.size === REFERENCES_MAX)
      throw new Error(`${object.$ref} leads over more than ${REFERENCES_MAX} references`);
    seen.add(found);
    found = follow(document, found);
  }
  return found;
}

/** The values of `example` and `examples` of a media type, parameter or header; a reference that leads nowhere has none. */
export function examplesIn(document: Document, { example, examples = {} }: Examples): unknown[] {
  const named = Object.values(examples).map((each) => {
    try {
      return resolve(document, each).value;
    } catch {
      return undefined; // no reason not to serve
    }
  });
  return [example, ...named].filter((value) => value !== undefined);
}

/** Follows `$ref` once, so that the result may have one itself; throws if it leads nowhere. */
export function follow<T extends Reference>(document: Document, { $ref = '#' }: T): T {
  const target = lookUp(document, pathOf($ref));
  if (typeof target !== 'object' || target === null) throw new Error(`${$ref} leads nowhere`);
  // The target is of the same kind: OpenAPI's schema allows no other in the place of the reference.
  return target as T;
}

/** `#/components/schemas/Note` as a path; throws for a reference to another document. */
export function pathOf(ref: string): Path {
  if (typeof ref !== 'string') throw new Error(`expected a reference, as text, got ${JSON.stringify(ref)}`);
  if (ref !== '#' && !ref.startsWith('#/')) throw new Error(`${ref} is not in this document`);
  return pathOfFragment(ref.slice(1));
}

/** The path of a JSON pointer as the fragment of a URI has it; throws if a `%` in it encodes nothing. */
export function pathOfFragment(fragment: string): string[] {
  try {
    return pathOfPointer(decodeURIComponent(fragment));
  } catch {
    throw new Error(`#${fragment} has a % that encodes no character`);
  }
}

/** The path of a JSON pointer (RFC 6901). */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step));
}

/** The JSON pointer (RFC 6901) of a path. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A reference to a path of the same document: `pathOf` the other way round. */
export function referenceTo(path: Path): string {
  return `#${pointerOf(path).replaceAll('%', '%25')}`;
}

/** The value at a path; undefined if there is none. */
export function lookUp(document: unknown, path: Path): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
