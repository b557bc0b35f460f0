/** The interface between a service and the engine: the parts of a service, and the parameters of its `open`. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Verifiers } from './auth/authenticate';
import type { Credentials } from './auth/credentials';
import type { TokenVerifier } from './auth/tokens';
import type { ServedDocument } from './contract/bundle';
import type { SecurityScheme } from './contract/document';
import type { AnyHandlers } from './contract/handler-types';
import type { Reader } from './http/parse-body';
import type { ErrorBody } from './errors/error-body';
import type { ErrorOptions } from './rules/error-rules';
import type { LoadedContract } from './rules/load-contract';
import type { Mock } from './operation/dispatch';
import type { OperationLimits } from './operation/limits';
import type { Writer } from './operation/write-body';

/**
 * A service, with the names of its operations. A contract and its handlers are enough.
 *
 * @example
 * const service: Service = {
 *   contract: join(__dirname, '../openapi.yaml'),
 *   handlers: { getBed, addBed: notWritten('addBed') },
 * };
 */
export interface Service<Ids extends string = string> {
  /** The path of the contract's file. */
  contract: string;
  /** A handler for each operation, by its `operationId`. */
  handlers: AnyHandlers;
  /** The digest of the contract that the handlers' types were generated from, to be compared at the start; optional. */
  digest?: string;
  /** The version of the program, for its log and metrics. */
  version?: string;
  /** The codes of the errors that handlers throw, by name. */
  errorCodes?: Readonly<Record<string, number>>;
  /** The shape of errors, or several; by default RFC 9457, or `{error, message}` where the contract declares that. */
  errorBody?: ErrorBody;
  /** Limits of single operations, by `operationId`. */
  limits?: Readonly<Partial<Record<Ids, OperationLimits>>>;
  /** Readers of bodies that the engine cannot read, by media type, such as `text/csv`. */
  readers?: Readonly<Record<string, Reader>>;
  /** Writers of values that handlers answer with, by media type, such as `text/csv`; bytes are sent as they are. */
  writers?: Readonly<Record<string, Writer>>;
  /**
   * The treatment of `readOnly` properties in requests, which OpenAPI says should not be sent: `refuse` them (the default), or `leave out`
   * what clients send back as they got it, and count it in the log and the metrics.
   */
  readOnly?: 'refuse' | 'leave out';
  /** Verifiers by the names of security schemes; for any other scheme the engine chooses one by its kind. */
  verifiersOn?: (tokens: TokenVerifier, schemes: Readonly<Record<string, SecurityScheme>>) => Verifiers;
  /** Answers for operations that have no handler; without it such a contract is refused. */
  mock?: Mocking;
  /** Reads the contract, in place of `readServed`. */
  read?: () => ServedDocument;
  /** The accepted credentials, in place of those that the settings name. */
  credentials?: Credentials;
  /** Opens resources of the handlers, such as a store, before the service listens; rejects with an Error that says what to do. */
  open?: (context: Context) => Promise<Opened>;
}

/**
 * Answers in place of handlers; the tools make them.
 *
 * @example
 * const mock: Mocking = { answersOf: () => () => ({ status: 200, body: { id: 7n } }) };
 * const mocked: Service = { ...service, handlers: writtenOf(service.handlers), mock };
 */
export interface Mocking {
  /** Logged at the start, with the names of the operations that are mocked. */
  warning?: string;
  answersOf(contract: LoadedContract): Mock;
  /** Makes the shapes of errors from the contract, for a service that has none of its own. */
  errorsOf?: ErrorOptions['errorsOf'];
  /** A curl line to try the contract with; undefined if none can be made. */
  curl?(contract: LoadedContract, baseUrl: string, token: string | undefined): string | undefined;
}

/**
 * The parameter of `Service.open`.
 *
 * @example
 * async function open({ log, broken }: Context): Promise<Opened> {
 *   const database = await connect(process.env.DATABASE, { onLost: broken });
 *   log.info('connected');
 *   return { ready: () => database.ping(), close: () => database.end() };
 * }
 */
export interface Context {
  log: Logger;
  /** The registry for the service's own metrics; undefined if metrics are off. */
  registry: Registry | undefined;
  /** To be called if the service can no longer work, so that the process has to end. */
  broken: (error: Error) => void;
}

/**
 * The result of `Service.open`.
 *
 * @example
 * const opened: Opened = { ready: () => database.ping(), close: () => database.end() };
 */
export interface Opened {
  /** Rejects with the reason while load balancers should send no requests. */
  ready?: () => Promise<void>;
  /** Fields that are added to the line `listening` of the log. */
  description?: object;
  /** Called after the last answer. */
  close(): Promise<void>;
}
