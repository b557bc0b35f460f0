/** The door of the engine: all that a service may import of it, ours and those of teams. Each name has an example where it is defined. */

// Serving: the service as one value, and the process that serves it.
export type { Context, Mocking, Opened, Service } from './service-interface';
export type { OperationLimits } from './operation/limits';
export { type Outputs, type Running, serve } from './serve';
export { runProcess } from './run-process';
export { type Project, projectOf } from './process/project';

// Handlers: their types by the contract, and placeholders until they are written.
export type { HandlerAnswer, HandlerOf, Principal, RequestContext, Upload } from './contract/handler-types';
export { NotWrittenCode, notWritten, writtenOf } from './errors/not-written';

// Errors: thrown by handlers and verifiers, and the shape in which clients get them.
export { ApiError, messageOf } from './errors/api-error';
export { ErrorCode } from './errors/error-codes';
export type { ErrorBody, ErrorShape, ErrorTable } from './errors/error-body';
export type { DeclaredErrorBody } from './contract/handler-types';

// Credentials: verifiers of security schemes, and token stores.
export type { Verifier, Verifiers } from './auth/authenticate';
export type { Credentials } from './auth/credentials';
export { makeToken, type TokenVerifier } from './auth/tokens';

// Variables: the engine's, and those of a service.
export { type Settings, engineVariables, settingsOf } from './settings';
export { helpOn, readVariables, variable, wholeNumber } from './process/variables';

// Exact JSON and numbers.
export { canonicalText } from './json/canonical-text';
export { parseJson, stringifyJson } from './json/json';
export { ExactNumber, toInt64 } from './json/number';

// Files.
export { copyAccess } from './process/copy-access';
export { syncFolder } from './process/sync-folder';

// The command line: the commands of a program, and scripts.
export { engineCommands, runCommands } from './commands/run-commands';
export { readArguments } from './commands/read-arguments';
export { exitWith } from './commands/exit-with';

// A project's tests.
export { unwrittenIn } from './errors/not-written';
