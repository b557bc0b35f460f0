/** Contracts of tests, with handlers that no generated types belong to. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AnyHandlers as Handlers,
  HandlerAnswer,
  Principal,
  RequestContext,
} from '../../src/engine/contract/handler-types';
import { temporaryFolder } from './temporary-folder';

/** The contract that the engine's tests are about, where they do not bring another. */
export const engineContract = join(__dirname, 'engine', 'openapi.yaml');
export const engineContractText = readFileSync(engineContract, 'utf8');

const HEAD = 'openapi: 3.1.0\ninfo: { title: Notes, version: 1.0.0 }\n';

/**
 * Writes a contract to a temporary `openapi.yaml`, removed after the tests of the file; one that begins with a line end and no
 * version is of OpenAPI 3.1.
 */
export function contractOf(text: string): string {
  const file = join(temporaryFolder(), 'openapi.yaml');
  writeFileSync(file, /^\n(?!openapi)/.test(text) ? HEAD + text : text);
  return file;
}

/** A request as a handler sees it, of any operation. */
export interface AnyRequest {
  body?: unknown;
  mediaType?: unknown;
  path: object;
  query: object;
  header: object;
  cookie: object;
  principal?: Principal | undefined;
}

/** Handlers of a contract without generated types. */
export type AnyHandlers = Readonly<
  Record<string, (request: AnyRequest, context: RequestContext) => HandlerAnswer | Promise<HandlerAnswer>>
>;

/** The same as the engine takes them; what a handler throws becomes a rejection. */
export function handlersOf(handlers: AnyHandlers): () => Handlers {
  const table = Object.fromEntries(
    Object.entries(handlers).map(([id, handler]) => [
      id,
      async (request: AnyRequest, context: RequestContext) => handler(request, context),
    ]),
  );
  return () => table;
}
