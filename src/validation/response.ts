/** Holds the answers of handlers to the contract: status, media type, headers and body. */
import type { ValidateFunction } from 'ajv/dist/2020';
import type { Contract, ContractOperation } from '../contract/operations';
import { type Header, resolve, type Schema } from '../contract/document';
import { Schemas } from './schemas';

/** An answer of any operation, as a handler gives it. */
export interface HandlerAnswer {
  status: number;
  headers?: Readonly<Record<string, unknown>> | undefined;
  mediaType?: string | undefined;
  body?: unknown;
}

/** What the contract declares for one status of an operation, compiled. */
interface DeclaredResponse {
  /** What holds for the body in each media type; none at all means that the answer has no body. */
  bodies: ReadonlyMap<string, ValidateFunction | undefined>;
  headers: ReadonlyMap<string, { required: boolean; validate: ValidateFunction | undefined }>;
}

export class Answers {
  private readonly declared = new Map<string, ReadonlyMap<string, DeclaredResponse>>();
  private readonly schemas: Schemas;

  constructor({ document, operations }: Contract) {
    this.schemas = Schemas.of(document);
    const compile = (schema: Schema | undefined): ValidateFunction | undefined =>
      schema && this.schemas.compileWithin(schema);
    for (const { id, responses } of operations) {
      const byStatus = Object.entries(responses).map(
        ([status, { content = {}, headers = {} }]): [string, DeclaredResponse] => [
          status,
          {
            bodies: new Map(Object.entries(content).map(([mediaType, { schema }]) => [mediaType, compile(schema)])),
            headers: new Map(
              Object.entries(headers).map(([name, header]) => {
                const { required = false, schema }: Header = resolve(document, header);
                return [name, { required, validate: compile(schema) }];
              }),
            ),
          },
        ],
      );
      this.declared.set(id, new Map(byStatus));
    }
  }

  /** Whether the operation declares the status, by itself, by its range or by `default`. */
  declares(operation: ContractOperation, status: number): boolean {
    return this.responseFor(operation, status) !== undefined;
  }

  /** The media type of an answer: the one it names, or the only one that is declared; undefined for an answer without body. */
  mediaTypeOf(operation: ContractOperation, { status, mediaType, body }: HandlerAnswer): string | undefined {
    if (body === undefined) return undefined;
    const [only] = this.responseFor(operation, status)?.bodies.keys() ?? [];
    return mediaType ?? only ?? 'application/json';
  }

  /** What is wrong with the answer, as a sentence for the log; undefined where it keeps to the contract. */
  problem(operation: ContractOperation, answer: HandlerAnswer): string | undefined {
    const { status, body, headers = {} } = answer;
    const declared = this.responseFor(operation, status);
    if (!declared) return `status ${status} is not declared`;
    for (const [name, { required, validate }] of declared.headers) {
      const value = headers[name];
      if (value === undefined && required) return `header ${name} is missing`;
      if (value !== undefined && validate && !validate(value)) return this.schemas.explain(validate, `header ${name}`);
    }
    const undeclared = Object.keys(headers).find((name) => !declared.headers.has(name));
    if (undeclared !== undefined) return `header ${undeclared} is not declared`;
    if (declared.bodies.size === 0) return body === undefined ? undefined : 'a body is not declared';
    const mediaType = this.mediaTypeOf(operation, answer);
    if (mediaType === undefined) return 'the body is missing';
    if (!declared.bodies.has(mediaType)) return `media type ${mediaType} is not declared`;
    const validate = declared.bodies.get(mediaType);
    if (!validate || validate(body)) return undefined;
    return this.schemas.explain(validate, 'the body');
  }

  private responseFor({ id }: ContractOperation, status: number): DeclaredResponse | undefined {
    const declared = this.declared.get(id);
    return declared?.get(String(status)) ?? declared?.get(`${String(status)[0]}XX`) ?? declared?.get('default');
  }
}
