/** Holds the answers of handlers to the contract: status, media type, headers and body. */
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
import { isWithin } from '../contract/media-type';
import { keyFor, WITHOUT_BODY } from '../contract/statuses';
import { isSetCookie } from '../http/send';
import type { Schemas } from '../schema/schemas';

/** A response that an operation declares, with references followed. */
interface Declared {
  headers: ReadonlyMap<string, Header>;
  /** The names of headers that every answer has. */
  required: readonly string[];
  content: Readonly<Record<string, MediaType>>;
  /** The media type of answers that name none; undefined if it has no body. */
  mediaType: string | undefined;
}

/** The responses of an operation. Their schemas are compiled when the first answer of the kind is given. */
export class Responses {
  private readonly declared: ReadonlyMap<string, Declared>;

  constructor(
    private readonly schemas: Schemas,
    { responses }: ContractOperation,
  ) {
    const { document } = schemas;
    this.declared = new Map(Object.entries(responses).map(([key, each]) => [key, declaredBy(document, each)]));
  }

  /** Whether the operation declares the status, by itself, by its range or by `default`. */
  declares(status: number): boolean {
    return this.find(status) !== undefined;
  }

  /** The media type of an answer: the one it names, or the first that is declared; undefined for an answer without body. */
  mediaTypeOf({ status, mediaType, body }: HandlerAnswer): string | undefined {
    if (body === undefined) return undefined;
    const declared = mediaType ?? this.find(status)?.mediaType ?? 'application/json';
    // A range says nothing of what is sent.
    return declared.includes('*')
      ? body instanceof Uint8Array
        ? 'application/octet-stream'
        : 'application/json'
      : declared;
  }

  /** What is wrong with the answer, as a sentence for the log; undefined if it keeps to the contract. */
  problem(answer: HandlerAnswer): string | undefined {
    const declared = this.find(answer.status);
    if (!declared) return `status ${answer.status} is not declared`;
    return this.headerProblem(declared, answer.headers) ?? this.bodyProblem(declared, answer);
  }

  private find(status: number): Declared | undefined {
    return this.declared.get(keyFor(status, (key) => this.declared.has(key)) ?? '');
  }

  private headerProblem({ headers, required }: Declared, given: HandlerAnswer['headers'] = {}): string | undefined {
    for (const name of required) if (given[name] === undefined) return `headers must have required property '${name}'`;
    for (const name in given) {
      if (given[name] === undefined) continue;
      const header = headers.get(name);
      if (!header) return `headers must NOT have additional properties (${name})`;
      const problem = this.headerValueProblem(header.schema ?? {}, name, given[name]);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Of several cookies a schema may describe the list, or each. */
  private headerValueProblem(schema: Schema, name: string, value: unknown): string | undefined {
    const problem = this.schemaProblem(schema, value, `headers/${name}`);
    if (problem === undefined || !isSetCookie(name) || !Array.isArray(value)) return problem;
    return value.every((each) => this.schemaProblem(schema, each, '') === undefined) ? undefined : problem;
  }

  private bodyProblem({ content, ...response }: Declared, answer: HandlerAnswer): string | undefined {
    const { body } = answer;
    if (body === undefined && WITHOUT_BODY.has(answer.status)) return undefined;
    if (response.mediaType === undefined) return body === undefined ? undefined : 'a body is not declared';
    const mediaType = this.mediaTypeOf(answer);
    if (mediaType === undefined) return 'the body is missing';
    const range = Object.hasOwn(content, mediaType)
      ? mediaType
      : Object.keys(content).find((each) => isWithin(mediaType, each));
    const declared: MediaType | undefined = range === undefined ? undefined : content[range];
    if (!declared) return `media type ${mediaType} is not declared`;
    // Schemas describe no bytes.
    return body instanceof Uint8Array ? undefined : this.schemaProblem(declared.schema, body, 'the body');
  }

  private schemaProblem(schema: Schema | undefined, value: unknown, what: string): string | undefined {
    if (schema === undefined) return undefined;
    const validate = this.schemas.compileWithin(schema);
    return validate(value) ? undefined : this.schemas.explain(validate, what);
  }
}

function declaredBy(document: Document, { headers = {}, content = {} }: ResponseObject): Declared {
  const resolved = Object.entries(headers).map(([name, header]): [string, Header] => [name, resolve(document, header)]);
  return {
    headers: new Map(resolved),
    required: resolved.flatMap(([name, { required = false }]) => (required ? name : [])),
    content,
    mediaType: Object.keys(content)[0],
  };
}
