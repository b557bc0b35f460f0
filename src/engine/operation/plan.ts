/** The plan of an operation: what is done with its requests, as functions that are made once, when the contract is loaded. */
import { type Authenticate, createAuthenticate, type Verifiers } from '../auth/authenticate';
import type { ContractOperation, ExpectedBody } from '../contract/operations';
import type { ErrorBodies, WriteBody } from '../errors/error-body';
import { BodyReaders, type ReadRequestBody } from '../http/body';
import type { ErrorHeaders } from '../http/errors';
import type { Reader } from '../http/parse-body';
import type { Schemas } from '../schema/schemas';
import { withAcceptable } from './accept';
import { withConditions } from './conditions';
import { requiredIds } from './declared-ids';
import { handlingOf, type HandlingOptions } from './dispatch';
import type { Handling } from './handling';
import type { Limits } from './limits';
import type { Routed } from './router';
import { type Validate, validators } from './validator';

export interface Plan extends Routed, Handling {
  operation: ContractOperation;
  authenticate: Authenticate;
  readBody: ReadRequestBody;
  validate: Validate;
  /** The bodies of its errors. */
  errorBody: WriteBody;
  /** The ids that its errors require. */
  errorIds: ErrorHeaders | undefined;
}

export interface PlanOptions extends HandlingOptions {
  verifiers: Verifiers;
  bodyBytesMax: number;
  /** Limits of single operations, in place of `bodyBytesMax` and the time limit of the server. */
  limits?: Limits | undefined;
  /** For bodies of further media types. */
  readers?: Readonly<Record<string, Reader>> | undefined;
  /** The folder for large files of forms while a request is answered; that of the system by default. */
  temporaryFolder?: string | undefined;
  /** The treatment of `readOnly` properties in requests; they are refused by default. */
  readOnly?: 'refuse' | 'leave out' | undefined;
}

/** The parts of a contract that plans are made of. */
interface Planned {
  operations: readonly ContractOperation[];
  answerSchemas: Schemas;
  errorBodies: ErrorBodies;
}

/** The least rate of bodies that may take long, like that of answers. */
const BYTES_PER_SECOND_MIN = 1_000;

/** True if a body comes while its handler reads it, or its files go to disk, so that it is not held in memory. */
function flows({ sequences, bytes, forms }: ExpectedBody, mediaType: string): boolean {
  return sequences.includes(mediaType) || bytes.includes(mediaType) || forms.get(mediaType)?.hasFiles === true;
}

/** The plans of all operations of a contract. Schemas are compiled when the first request needs them. */
export function plansOf(
  { operations, answerSchemas, errorBodies }: Planned,
  { verifiers, bodyBytesMax, limits = {}, readers, readOnly, temporaryFolder, ...handling }: PlanOptions,
): Plan[] {
  const held = operations.filter(({ body }) => body && !body.mediaTypes.every((each) => flows(body, each)));
  const bytesMax = Math.max(bodyBytesMax, ...held.map(({ id }) => limits[id]?.bytes ?? 0));
  const bodies = new BodyReaders({ itemBytesMax: bodyBytesMax, bytesMax, readers, temporaryFolder });
  const validatorOf = validators(answerSchemas, readOnly);
  return operations.map((operation) => {
    const { id, method, path, security, body } = operation;
    const { bytes, seconds, bytesPerSecondMin = BYTES_PER_SECOND_MIN } = limits[id] ?? {};
    const bodyLimits = { bytesMax: bytes, ms: seconds && seconds * 1_000, bytesPerSecondMin };
    return {
      method,
      path,
      operation,
      authenticate: createAuthenticate(verifiers, security),
      readBody: bodies.readerOf(body, bodyLimits),
      validate: validatorOf(operation),
      errorBody: errorBodies.of(operation),
      errorIds: requiredIds(operation, answerSchemas),
      ...[withAcceptable, withConditions, withLifecycle].reduce(
        (inner, wrap) => wrap(operation, inner, answerSchemas),
        handlingOf(operation, answerSchemas, handling),
      ),
    };
  });
}

/** The handling of an operation whose answers say when its life ends, unless they say something else of it. */
function withLifecycle({ lifecycle: { headers } }: ContractOperation, handling: Handling): Handling {
  if (Object.keys(headers).length === 0) return handling;
  return {
    ...handling,
    answerOf(given, req) {
      const answer = handling.answerOf(given, req);
      return { ...answer, headers: { ...headers, ...answer.headers } };
    },
  };
}
