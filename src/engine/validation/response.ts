/** Holds the answers of handlers to the contract: status, media type, headers and body. */
import type { ValidateFunction } from 'ajv/dist/2020';
import { type Document, resolve, type ResponseObject } from '../contract/document';
import type { HandlerAnswer } from '../contract/handler-types';
import type { Contract, ContractOperation } from '../contract/operations';
import { Schemas } from './schemas';

/** What the contract declares for one status of an operation, compiled. */
interface DeclaredResponse {
  headers: ValidateFunction;
  /** By media type; none at all means that the answer has no body. */
  bodies: ReadonlyMap<string, ValidateFunction>;
  /** The first of them. */
  mediaType: string | undefined;
}

export class Responses {
  /** By operation and status. */
  private readonly declared = new Map<string, ReadonlyMap<string, DeclaredResponse>>();
  private readonly schemas: Schemas;

  constructor({ document, operations }: Contract) {
    this.schemas = Schemas.of(document);
    for (const { id, responses } of operations) {
      const compiled = Object.entries(responses).map(
        ([status, response]) => [status, this.compile(document, response)] as const,
      );
      this.declared.set(id, new Map(compiled));
    }
  }

  /** Whether the operation declares the status, by itself, by its range or by `default`. */
  declares(operation: ContractOperation, status: number): boolean {
    return this.find(operation, status) !== undefined;
  }

  /** The media type of an answer: the one it names, or the first that is declared; undefined for an answer without body. */
  mediaTypeOf(operation: ContractOperation, { status, mediaType, body }: HandlerAnswer): string | undefined {
    if (body === undefined) return undefined;
    return mediaType ?? this.find(operation, status)?.mediaType ?? 'application/json';
  }

  /** What is wrong with the answer, as a sentence for the log; undefined where it keeps to the contract. */
  problem(operation: ContractOperation, answer: HandlerAnswer): string | undefined {
    const { status, body, headers = {} } = answer;
    const declared = this.find(operation, status);
    if (!declared) return `status ${status} is not declared`;
    if (!declared.headers(headers)) return this.schemas.explain(declared.headers, 'headers');
    if (declared.bodies.size === 0) return body === undefined ? undefined : 'a body is not declared';
    const mediaType = this.mediaTypeOf(operation, answer);
    if (mediaType === undefined) return 'the body is missing';
    const validate = declared.bodies.get(mediaType);
    if (!validate) return `media type ${mediaType} is not declared`;
    // Schemas describe no bytes.
    return body instanceof Uint8Array || validate(body) ? undefined : this.schemas.explain(validate, 'the body');
  }

  private compile(document: Document, { content = {}, headers = {} }: ResponseObject): DeclaredResponse {
    const declared = Object.entries(headers).map(([name, header]) => [name, resolve(document, header)] as const);
    const schemas = declared.map(([name, { schema = {} }]) => [name, this.schemas.prepare(schema)] as const);
    return {
      headers: this.schemas.compileWithin({
        properties: Object.fromEntries(schemas),
        required: declared.filter(([, { required = false }]) => required).map(([name]) => name),
        additionalProperties: false,
      }),
      bodies: new Map(
        Object.entries(content).map(([mediaType, { schema = {} }]) => [mediaType, this.schemas.compileWithin(schema)]),
      ),
      mediaType: Object.keys(content)[0],
    };
  }

  private find({ id }: ContractOperation, status: number): DeclaredResponse | undefined {
    const declared = this.declared.get(id);
    const name = String(status);
    return declared?.get(name) ?? declared?.get(`${name[0]}XX`) ?? declared?.get('default');
  }
}
