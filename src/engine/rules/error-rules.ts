/** The errors that the server itself answers with, and what each operation declares of them. */
import { ApiError } from '../errors/api-error';
import type { ErrorBody } from '../errors/error-body';
import { ErrorCode } from '../errors/error-codes';
import { conditionalAnswers, offeredTypes } from '../contract/conditional';
import { type Document, resolve, type Schema } from '../contract/document';
import type { Contract, ContractOperation } from '../contract/operations';
import { type Problem, problemLines } from '../contract/problems';
import { declaredKey } from '../contract/statuses';
import { type PlacedSchema, reachableSchemas } from '../contract/traverse';
import { API_HEADERS } from '../http/send';
import { testOf } from '../operation/declared-headers';
import { isMadeId } from '../operation/declared-ids';
import type { Schemas } from '../schema/schemas';

/** The codes of errors that the server answers with by itself. */
export const serverCodes: readonly number[] = Object.values(ErrorCode);
/** Errors of requests that match no operation. */
const OF_NO_OPERATION: readonly number[] = [ErrorCode.NoSuchPath, ErrorCode.MethodNotAllowed];
const OF_SECURITY: readonly number[] = [ErrorCode.TokenMissing, ErrorCode.TokenInvalid, ErrorCode.TooManyRequests];
const OF_SCOPES: readonly number[] = [ErrorCode.InsufficientScope];
const OF_BODIES: readonly number[] = [ErrorCode.MalformedBody, ErrorCode.BodyTooLarge, ErrorCode.UnsupportedMediaType];

/** Two violations, so that schemas of lists are tested with several items. */
const VIOLATIONS = ['/body/a', '/query/b'].map((place) => ({ place, text: 'expected string, got null' }));

/** One error of each code. */
const ERRORS: readonly ApiError[] = serverCodes.map(
  (code) => new ApiError(code, 'message', code === ErrorCode.ContractViolation ? { violations: VIOLATIONS } : {}),
);

/** The errors that the server itself may answer an operation with; 429 only with `RATE_LIMIT`. */
export function serverErrors(operation: ContractOperation, isRateLimited: boolean): ApiError[] {
  const { security, body } = operation;
  const impossible = [
    ...OF_NO_OPERATION,
    ...(isRateLimited ? [] : [ErrorCode.TooManyRequests]),
    ...(security.length > 0 ? [] : OF_SECURITY),
    ...(namesScopes(security) ? [] : OF_SCOPES),
    ...(body === undefined ? OF_BODIES : []),
    ...(offeredTypes(operation).length > 0 ? [] : [ErrorCode.NotAcceptable]),
    ...(conditionalAnswers(operation)?.notSatisfiable === true ? [] : [ErrorCode.RangeNotSatisfiable]),
  ];
  return ERRORS.filter(({ code }) => !impossible.includes(code));
}

/** True if these operations may answer with the code: one of the server's that applies to them, or any other. */
export function canBeAnswered(code: unknown, operations: readonly ContractOperation[]): boolean {
  const own: readonly unknown[] = serverCodes;
  return (
    !own.includes(code) || operations.some((each) => serverErrors(each, true).some((error) => error.code === code))
  );
}

function namesScopes(security: ContractOperation['security']): boolean {
  return security.some((alternative) => Object.values(alternative).some((scopes) => scopes.length > 0));
}

export interface ErrorOptions {
  /** The service's own shape of errors, or several; without it the engine's own. */
  errorBody?: ErrorBody | undefined;
  /** The codes of the errors that handlers throw, by name. */
  errorCodes?: Readonly<Record<string, number>> | undefined;
  /** Makes the shapes from the contract, in place of `errorBody`. */
  errorsOf?: ((schemas: Schemas, operations: readonly ContractOperation[]) => ErrorBody | undefined) | undefined;
  /** The rate limit of a principal in requests per second. */
  rateLimit?: number | undefined;
}

/** Error codes that the contract lists under another name than the tables do. */
export function* codeNameProblems(
  document: Document,
  placed: readonly PlacedSchema[],
  operations: readonly ContractOperation[],
  { errorCodes: handlerCodes = {} }: ErrorOptions,
): Generator<Problem> {
  const tables = [
    ['src/engine/errors/error-codes.ts', ErrorCode],
    ['src/handlers.ts', handlerCodes],
  ] as const;
  const ofErrors = schemasOfErrors(document, operations);
  for (const [schema, at] of placed.filter(([schema]) => ofErrors.has(schema)))
    for (const [file, known] of tables)
      for (const [within, text] of nameProblems(schema, known, file)) yield [[...at, ...within], text];
}

function schemasOfErrors(document: Document, operations: readonly ContractOperation[]): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  for (const [key, { content = {} }] of operations.flatMap(({ responses }) => Object.entries(responses)))
    if (!/^[1-3]/.test(key)) for (const { schema } of Object.values(content)) reachableSchemas(document, schema, found);
  return found;
}

/** In a schema that lists codes with their names: known codes under another name, and known names of another code. */
function* nameProblems(
  { enum: codes, 'x-enum-varnames': names }: Schema,
  known: Readonly<Record<string, number>>,
  file: string,
): Generator<Problem> {
  if (!Array.isArray(codes) || !Array.isArray(names)) return;
  for (const [name, code] of Object.entries(known)) {
    const ofCode = codes.indexOf(code);
    const ofName = names.indexOf(name);
    if (ofCode >= 0 && names[ofCode] !== name)
      yield [
        ['x-enum-varnames', ofCode],
        `error ${code} is called ${String(names[ofCode])} here, and ${name} in ${file}`,
      ];
    else if (ofCode < 0 && ofName >= 0 && isListOfErrors(codes))
      yield [['enum', ofName], `${name} is error ${String(codes[ofName])} here, and ${code} in ${file}`];
  }
}

/** True if the codes are those of errors: other lists may use the same names for something else. */
function isListOfErrors(codes: readonly unknown[]): boolean {
  return serverCodes.some((code) => codes.includes(code));
}

/**
 * The statuses that operations do not declare although the server may answer with them; one line for all operations
 * with the same statuses.
 */
export function undeclaredStatuses({ operations, place }: Contract, { rateLimit }: ErrorOptions = {}): string[] {
  const problems = operations.flatMap((operation): Problem[] => {
    const errors = serverErrors(operation, rateLimit !== undefined);
    const statuses = new Set(errors.map(({ status }) => status));
    const missing = [...statuses].filter((status) => declaredKey(operation, status) === undefined);
    if (missing.length === 0) return [];
    const text = `${missing.join(', ')} can be answered by the server, and ${missing.length > 1 ? 'are' : 'is'} not declared`;
    return [[[...operation.at, 'responses'], text, operation.id]];
  });
  return problemLines(problems, place);
}

/** The headers that the server's errors have, and of one status alone. */
const SENT: ReadonlySet<string> = new Set([
  ...API_HEADERS.keys(),
  'content-type',
  'content-length',
  'date',
  'connection',
]);
const SENT_WITH: Readonly<Record<string, readonly number[]>> = {
  'www-authenticate': [401, 403],
  accept: [415],
  'content-range': [416],
  'retry-after': [429, 503],
};

/** The headers that responses declare of errors which the server itself answers with, and which it sends with another value, or not at all. */
export function* missingHeaders(
  operation: ContractOperation,
  schemas: Schemas,
  { rateLimit }: ErrorOptions,
): Generator<Problem> {
  const { at, id, responses } = operation;
  const statuses = [...new Set(serverErrors(operation, rateLimit !== undefined).map(({ status }) => status))];
  for (const [key, { headers = {} }] of Object.entries(responses)) {
    const ofKey = statuses.filter((status) => declaredKey(operation, status) === key);
    for (const [name, header] of ofKey.length > 0 ? Object.entries(headers) : []) {
      const lower = name.toLowerCase();
      const value = API_HEADERS.get(lower);
      if (value !== undefined && !testOf(resolve(schemas.document, header), schemas)(value)) {
        const text = `${ofKey.join(', ')} of the server itself has \`${name}: ${value}\`, which does not fit`;
        yield [[...at, 'responses', key, 'headers', name], text, id];
      }
      const isOther = lower !== 'x-request-id' && resolve(schemas.document, header).required !== true;
      const isSent = SENT.has(lower) || ofKey.every((status) => SENT_WITH[lower]?.includes(status));
      if (isOther || isSent || isMadeId(name, header, schemas)) continue;
      const text =
        lower === 'x-request-id'
          ? `${name} is the id of the request in each answer, a UUID, which does not fit`
          : `${ofKey.join(', ')} of the server itself is without the required ${name}: expected it not to be required`;
      yield [[...at, 'responses', key, 'headers', name], text, id];
    }
  }
}
