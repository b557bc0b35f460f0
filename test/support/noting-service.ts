/** A service of a contract whose handlers note what they are given. */
import type { HandlerAnswer } from '../../src/engine/contract/handler-types';
import { readServed } from '../../src/engine/contract/bundle';
import type { Document } from '../../src/engine/contract/document';
import { operationsOf } from '../../src/engine/contract/operations';
import { type AnyRequest, contractOf, handlersOf } from './contracts';
import type { RawAnswer } from './raw';
import { type ServiceOptions, startService, type TestService } from './service';

export interface NotingService {
  readonly service: TestService;
  /** The request that the last handler of this test was given. */
  readonly seen: AnyRequest | undefined;
  /** Sends a body, as JSON unless a media type is given. */
  send(path: string, body: string | Uint8Array, mediaType?: string): Promise<RawAnswer>;
}

/** Serves a contract before the tests of the file, until their end; `answer` is what its handlers answer: nothing, with 204. */
export function notingService(
  contractText: string,
  answer: (request: AnyRequest) => HandlerAnswer = () => ({ status: 204 }),
  options: ServiceOptions = {},
): NotingService {
  const contract = contractOf(contractText);
  let seen: AnyRequest | undefined;
  let service: TestService;
  beforeAll(async () => {
    const note = (request: AnyRequest): HandlerAnswer => answer((seen = request));
    const operations = operationsOf(readServed(contract).value as Document);
    const handlers = handlersOf(Object.fromEntries(operations.map(({ id }) => [id, note])));
    service = await startService({ contract, verifiers: {}, handlers, ...options });
  });
  afterAll(() => service.close());
  beforeEach(() => (seen = undefined));
  return {
    get service() {
      return service;
    },
    get seen() {
      return seen;
    },
    async send(path, body, mediaType = 'application/json') {
      const headers = { 'Content-Type': mediaType };
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { method: 'POST', headers, body });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
  };
}
