/** Holds the answers of handlers to the contract: status, media type, headers and body. */
import { type Header, type MediaType, resolve, type ResponseObject, type Schema } from '../contract/document';
import type { HandlerAnswer } from '../contract/handler-types';
import type { ContractOperation } from '../contract/operations';
import { isWithin } from '../contract/media-type';
import { isSetCookie } from '../http/send';
import type { Schemas } from '../schema/schemas';

/** Its schemas are compiled when the first answer of the kind is given. */
export class Responses {
  constructor(private readonly schemas: Schemas) {}

  /** Whether the operation declares the status, by itself, by its range or by `default`. */
  declares(operation: ContractOperation, status: number): boolean {
    return find(operation, status) !== undefined;
  }

  /** The media type of an answer: the one it names, or the first that is declared; undefined for an answer without body. */
  mediaTypeOf(operation: ContractOperation, { status, mediaType, body }: HandlerAnswer): string | undefined {
    if (body === undefined) return undefined;
    const declared = mediaType ?? firstOf(find(operation, status)?.content) ?? 'application/json';
    // A range says nothing of what is sent.
    return declared.includes('*')
      ? body instanceof Uint8Array
        ? 'application/octet-stream'
        : 'application/json'
      : declared;
  }

  /** What is wrong with the answer, as a sentence for the log; undefined if it keeps to the contract. */
  problem(operation: ContractOperation, answer: HandlerAnswer): string | undefined {
    const declared = find(operation, answer.status);
    if (!declared) return `status ${answer.status} is not declared`;
    return this.headerProblem(declared, answer.headers) ?? this.bodyProblem(declared, operation, answer);
  }

  private headerProblem({ headers = {} }: ResponseObject, given: HandlerAnswer['headers'] = {}): string | undefined {
    const { document } = this.schemas;
    for (const name in headers) {
      const { required = false }: Header = resolve(document, headers[name] ?? {});
      if (required && given[name] === undefined) return `headers must have required property '${name}'`;
    }
    for (const name in given) {
      if (given[name] === undefined) continue;
      const header = Object.hasOwn(headers, name) ? headers[name] : undefined;
      if (!header) return `headers must NOT have additional properties (${name})`;
      const { schema = {} } = resolve(document, header);
      const problem = this.headerValueProblem(schema, name, given[name]);
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

  private bodyProblem(
    { content = {} }: ResponseObject,
    operation: ContractOperation,
    answer: HandlerAnswer,
  ): string | undefined {
    const { body } = answer;
    if (body === undefined && WITHOUT_BODY.has(answer.status)) return undefined;
    if (firstOf(content) === undefined) return body === undefined ? undefined : 'a body is not declared';
    const mediaType = this.mediaTypeOf(operation, answer);
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

function find({ responses }: ContractOperation, status: number): ResponseObject | undefined {
  const name = String(status);
  return responses[name] ?? responses[`${name[0]}XX`] ?? responses.default;
}

/** HTTP has no body for them, whatever is declared (RFC 9110 section 15). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function firstOf(content: object = {}): string | undefined {
  for (const mediaType in content) return mediaType;
  return undefined;
}
