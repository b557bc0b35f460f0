/** What a service is to the engine: what a team gives it to serve, and what it gives the team to open a store with. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Verifiers } from './auth/authenticate';
import type { Credentials } from './auth/credentials';
import type { TokenVerifier } from './auth/tokens';
import type { ServedDocument } from './contract/bundle';
import type { SecurityScheme } from './contract/document';
import type { AnyHandlers } from './contract/handler-types';
import type { Reader } from './http/body';
import type { ErrorShape } from './http/error-body';
import type { ErrorOptions } from './rules/error-rules';
import type { LoadedContract } from './rules/load-contract';
import type { Mock } from './validation/dispatch';

/** What is served: a contract, and all that answers for it. A contract and its handlers are enough. */
export interface Service {
  /** The file of the contract. */
  contract: string;
  /** A handler for each operation, by its `operationId`. */
  handlers: AnyHandlers;
  /** The digest of the contract that the types of the handlers were made from; not looked at unless given. */
  digest?: string;
  /** The version of the program, for its metrics. */
  version?: string;
  /** The codes of the errors that handlers throw, by name. */
  errorCodes?: Readonly<Record<string, number>>;
  /** The shape of errors, instead of the one that fits what the contract declares. */
  errorBody?: ErrorShape;
  /** Readers of bodies by media type, such as `application/xml`, for those that the engine does not read. */
  readers?: Readonly<Record<string, Reader>>;
  /** Verifiers of its own, by the names of security schemes; for the others the engine chooses one by the scheme's kind. */
  verifiersOn?: (tokens: TokenVerifier, schemes: Readonly<Record<string, SecurityScheme>>) => Verifiers;
  /** Answers for operations that have no handler; without it such a contract is refused. */
  mock?: Mocking;
  /** Reads the contract in another way than `readServed`. */
  read?: () => ServedDocument;
  /** Accepted credentials, instead of those that the settings name. */
  credentials?: Credentials;
  /** Opens what the handlers need, such as a store, before the service listens; rejects with an Error that says what to do. */
  open?: (context: Context) => Promise<Opened>;
}

/** What stands in for handlers that are not written yet; `mock/mocking.ts` makes it. */
export interface Mocking {
  answersOf(contract: LoadedContract): Mock;
  /** A body for errors of which the server cannot write one that the contract declares. */
  errorSample?: ErrorOptions['errorSample'];
  /** A line to try the contract with, if it has no example for one. */
  curl?(contract: LoadedContract, baseUrl: string, token: string | undefined): string | undefined;
}

/** What a service is given to open what it needs. */
export interface Context {
  log: Logger;
  /** Metrics of its own go here; undefined if there are none. */
  registry: Registry | undefined;
  /** To be called if the service can do its work no longer: the process has to end. */
  broken: (error: Error) => void;
}

/** What a service has opened. */
export interface Opened {
  /** Rejects with the reason as long as no request should be sent here. */
  ready?: () => Promise<void>;
  /** What the log's line `listening` says of it. */
  description?: object;
  /** Called after the last answer. */
  close(): Promise<void>;
}
