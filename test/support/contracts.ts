/** Contracts other than the repository's, with handlers, for features that our one operation does not use. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandlerAnswer } from '../../src/validation/response';
import type { Handlers } from '../../src/contract/handler-types';
import { contractFile } from './service';

/** The repository's contract as text. */
export const ourContract = readFileSync(contractFile, 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a contract to a temporary `openapi.yaml`, removed after the tests of the file. */
export function contractOf(text: string): string {
  const file = join(mkdtempSync(join(folder, 'contract-')), 'openapi.yaml');
  writeFileSync(file, text);
  return file;
}

/** A request as a handler sees it, of any operation. */
export interface AnyRequest {
  body?: unknown;
  mediaType?: unknown;
  path: object;
  query: object;
  header: object;
}

/** Handlers of a contract without generated types. */
export function handlersOf(handlers: Record<string, (request: AnyRequest) => HandlerAnswer>): () => Handlers {
  const table = Object.fromEntries(
    // eslint-disable-next-line @typescript-eslint/require-await -- to turn what is thrown into a rejection
    Object.entries(handlers).map(([id, handler]) => [id, async (request: AnyRequest) => handler(request)]),
  );
  return () => table as unknown as Handlers;
}
