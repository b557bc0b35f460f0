/** A service of a contract whose handlers note what they are given. */
import type { HandlerAnswer } from '../../src/engine/contract/handler-types';
import { readServed } from '../../src/engine/contract/bundle';
import type { Document } from '../../src/engine/contract/document';
import { operationsOf } from '../../src/engine/contract/operations';
import { type AnyRequest, contractOf, handlersOf } from './contracts';
import { ask, plantRequest, type RawAnswer, type RequestParts } from './raw';
import { type ServiceOptions, startService, type TestService } from './service';

/** A request as the handler of an operation was given it. */
interface NotedRequest extends AnyRequest {
  operation: string;
}

export interface NotingService {
  /** The file of the contract. */
  readonly contract: string;
  readonly service: TestService;
  /** The request that the last handler of this test was given. */
  readonly seen: NotedRequest | undefined;
  /** Sends a body, as JSON unless a media type is given. */
  send(
    path: string,
    body: string | Uint8Array,
    mediaType?: string,
    headers?: Record<string, string>,
  ): Promise<RawAnswer>;
  /** Asks with GET and no header but these, and that of the host. */
  get(target: string, headers?: RequestParts['headers']): Promise<RawAnswer>;
}

/** Serves a contract before the tests of the file, until their end; `answer` is what its handlers answer: nothing, with 204. */
export function notingService(
  contractText: string,
  answer: (request: AnyRequest) => HandlerAnswer | Promise<HandlerAnswer> = () => ({ status: 204 }),
  options: ServiceOptions = {},
): NotingService {
  const contract = contractOf(contractText);
  let seen: NotedRequest | undefined;
  let service: TestService;
  beforeAll(async () => {
    const note = (operation: string) => (request: AnyRequest) => {
      seen = { ...request, operation };
      return answer(seen);
    };
    const operations = operationsOf(readServed(contract).value as Document);
    const handlers = handlersOf(Object.fromEntries(operations.map(({ id }) => [id, note(id)])));
    service = await startService({ contract, handlers, ...options });
  });
  beforeEach(() => (seen = undefined));
  return {
    contract,
    get service() {
      return service;
    },
    get seen() {
      return seen;
    },
    async send(path, body, mediaType = 'application/json', headers = {}) {
      const all = { 'Content-Type': mediaType, ...headers };
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { method: 'POST', headers: all, body });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
    get(target, headers) {
      const none = { Authorization: undefined, 'Content-Type': undefined, 'Content-Length': undefined };
      const parts = { line: `GET ${target} HTTP/1.1`, headers: { ...none, ...headers } };
      return ask(service.port, plantRequest(service, parts), 'GET');
    },
  };
}
