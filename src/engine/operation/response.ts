/** Checks the answers of handlers against the contract: status, media type, headers and body. */
import {
  type Document,
  type Header,
  type MediaType,
  resolve,
  type ResponseObject,
  type Schema,
} from '../contract/document';
import type { HandlerAnswer } from '../contract/handler-types';
import type { ContractOperation } from '../contract/operations';
import { isJson, mostSpecific } from '../contract/media-type';
import { keyFor, WITHOUT_BODY } from '../contract/statuses';
import { asWritten, parseJson, scalarText, stringifyJson } from '../json/json';
import { isSetCookie } from '../http/send';
import type { Schemas } from '../schema/schemas';
import { type Sequence, sequenceOf } from './sequence';
import { inAscii, writesObjects, type Written } from './write-body';

/** A response that an operation declares, with references followed. */
interface Declared {
  headers: ReadonlyMap<string, Header>;
  /** The names of required headers. */
  required: readonly string[];
  content: Readonly<Record<string, MediaType>>;
  /** The default media type of answers; undefined if the response has no body. */
  mediaType: string | undefined;
  /** The media types in which any object is written, if there are several. */
  open: readonly string[];
}

/** The responses of an operation. Each schema is compiled at the first answer that needs it. */
export class Responses {
  private readonly declared: ReadonlyMap<string, Declared>;
  private readonly sequences = new Map<MediaType, Sequence>();
  /** True if any of them leaves the media type open. */
  private readonly isOpen: boolean;

  /** `writers` are the media types that the service writes. */
  constructor(
    private readonly schemas: Schemas,
    { responses }: ContractOperation,
    writers: readonly string[] = [],
  ) {
    const { document } = schemas;
    const declared = Object.entries(responses).map(
      ([key, each]) => [key, declaredBy(document, each, writers)] as const,
    );
    this.declared = new Map(declared);
    this.isOpen = declared.some(([, { open }]) => open.length > 0);
  }

  /** True if the operation declares the status, by its code, by its range or by `default`. */
  declares(status: number): boolean {
    return this.find(status) !== undefined;
  }

  /** The media types of an answer whose handler leaves the choice to the client: it names none, and the body can be written in each. */
  openTypes({ status, mediaType, body }: HandlerAnswer): readonly string[] {
    return (this.isOpen && mediaType === undefined && isObject(body) && this.find(status)?.open) || [];
  }

  /** The media type of an answer: the one it names, or the first that is declared; undefined for an answer without body, or of a status without one. */
  mediaTypeOf({ status, mediaType, body }: HandlerAnswer): string | undefined {
    if (body === undefined || WITHOUT_BODY.has(status)) return undefined;
    const declared = mediaType ?? this.find(status)?.mediaType ?? 'application/json';
    // A range does not say which media type is sent: choose by the body.
    return declared.includes('*')
      ? body instanceof Uint8Array
        ? 'application/octet-stream'
        : 'application/json'
      : declared;
  }

  /** The schema of an answer's body in a media type, with the document that it is of. */
  writtenAs(status: number, mediaType: string): Written {
    const declared = contentOf(this.find(status)?.content ?? {}, mediaType);
    return { document: this.schemas.document, schema: declared?.schema };
  }

  /** The first violation of the contract, as a sentence for the log; undefined if the answer is valid. */
  problem(answer: HandlerAnswer): string | undefined {
    const declared = this.find(answer.status);
    if (!declared) return `status ${answer.status} is not declared`;
    return this.headerProblem(declared, answer.headers) ?? this.bodyProblem(declared, answer);
  }

  private find(status: number): Declared | undefined {
    return this.declared.get(keyFor(status, (key) => this.declared.has(key)) ?? '');
  }

  private headerProblem({ headers, required }: Declared, given: HandlerAnswer['headers'] = {}): string | undefined {
    for (const name of required) if (given[name] === undefined) return `headers/${name}: expected a value`;
    for (const name in given) {
      if (given[name] === undefined) continue;
      const header = headers.get(name);
      if (!header) return `headers/${name}: expected no property of this name`;
      const problem = this.headerValueProblem(schemaOfHeader(header), name, given[name]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** A header as text, a list or an object in the style `simple`; throws a TypeError for a value that has none, or would be read as another. */
  headerText(status: number, name: string, value: unknown): string {
    const { explode = false, content }: Partial<Header> = this.find(status)?.headers.get(name) ?? {};
    if (content && isJson(Object.keys(content)[0] ?? '')) return inAscii(stringifyJson(value)); // headers have no other characters that all clients read alike
    if (typeof value !== 'object') return scalarText(value);
    const plain = parseJson(stringifyJson(value)).value; // without what JSON leaves out
    if (Array.isArray(plain)) return plain.map((each) => itemText(each)).join(',');
    if (!isObject(plain)) return scalarText(plain);
    return Object.entries(plain)
      .map(([key, member]) => `${itemText(key, explode ? /[,=]/ : /,/)}${explode ? '=' : ','}${itemText(member)}`)
      .join(',');
  }

  /** The violation of a header value. The schema of `Set-Cookie` may describe the list of cookies, or each cookie. */
  private headerValueProblem(schema: Schema, name: string, value: unknown): string | undefined {
    const problem = this.schemaProblem(schema, value, `headers/${name}`);
    if (problem === undefined || !isSetCookie(name) || !Array.isArray(value)) return problem;
    return value.every((each) => this.schemaProblem(schema, each, '') === undefined) ? undefined : problem;
  }

  private bodyProblem({ content, ...response }: Declared, answer: HandlerAnswer): string | undefined {
    const { body } = answer;
    if (WITHOUT_BODY.has(answer.status))
      return body === undefined ? undefined : `HTTP has no body for ${answer.status}`;
    if (response.mediaType === undefined) return body === undefined ? undefined : 'a body is not declared';
    const mediaType = this.mediaTypeOf(answer);
    if (mediaType === undefined) return 'the body is missing';
    const declared = contentOf(content, mediaType);
    if (!declared) return `media type ${mediaType} is not declared`;
    // Bytes are not validated: schemas do not describe them.
    return body instanceof Uint8Array ? undefined : this.schemaProblem(declared.schema, asWritten(body), 'the body');
  }

  /** The sequence of a media type that the contract declares for the status; undefined if it is not sequential. */
  sequenceOf(status: number, mediaType: string): Sequence | undefined {
    const declared = contentOf(this.find(status)?.content ?? {}, mediaType) ?? {};
    const known = this.sequences.get(declared) ?? sequenceOf(this.schemas, mediaType, declared);
    if (known) this.sequences.set(declared, known);
    return known;
  }

  private schemaProblem(schema: Schema | undefined, value: unknown, what: string): string | undefined {
    if (schema === undefined) return undefined;
    const validate = this.schemas.compileWithin(schema);
    return validate(value) ? undefined : this.schemas.explain(validate, what);
  }
}

/** A text between the commas of a header; those within quotes or angle brackets, as in `Link`, separate nothing. */
function itemText(value: unknown, delimiter = /,/): string {
  const text = scalarText(value);
  if (text !== text.trim() || delimiter.test(text.replaceAll(/"[^"]*"|<[^<>]*>/g, '')))
    throw new TypeError('expected no delimiter within an item of a header, and no blanks around it');
  return text;
}

/** The declaration of a media type, by itself or by a range that it is within. */
function contentOf(content: Declared['content'], mediaType: string): MediaType | undefined {
  const range = Object.hasOwn(content, mediaType) ? mediaType : mostSpecific(mediaType, Object.keys(content));
  return range === undefined ? undefined : content[range];
}

function schemaOfHeader({ schema, content = {} }: Header): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}

function declaredBy(
  document: Document,
  { headers = {}, content = {} }: ResponseObject,
  writers: readonly string[],
): Declared {
  const mediaTypes = Object.keys(content);
  const open = mediaTypes.filter((each) => writers.includes(each) || writesObjects(each));
  const resolved = Object.entries(headers).map(([name, header]): [string, Header] => [name, resolve(document, header)]);
  return {
    headers: new Map(resolved),
    required: resolved.flatMap(([name, { required = false }]) => (required ? name : [])),
    content,
    mediaType: mediaTypes[0],
    open: open.length > 1 ? open : [],
  };
}
