/** What a handler is given beside the request. */
import { connect } from 'node:net';
import type { Verifiers } from '../../../src/engine/auth/authenticate';
import type { RequestContext } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
import { startService, type TestService } from '../../support/service';

const contract = contractOf(`
paths:
  /both: { get: { operationId: both, security: [{ red: [], blue: [] }], responses: { '204': { description: Open. } } } }
  /open: { get: { operationId: open, responses: { '204': { description: Open. } } } }
  /slow: { get: { operationId: slow, responses: { '204': { description: Open. } } } }
components:
  securitySchemes:
    red: { type: apiKey, in: header, name: red }
    blue: { type: apiKey, in: header, name: blue }
`);
const verifiers: Verifiers = {
  red: { scheme: 'apiKey in header', verify: () => ({ name: 'ruby' }) },
  blue: { scheme: 'apiKey in header', verify: () => ({ name: 'sapphire' }) },
};

let service: TestService;
let seen: RequestContext | undefined;
let client: string | undefined;
let isReached: () => void;
let reached: Promise<void>;
beforeAll(async () => {
  const note = (_request: object, context: RequestContext) => {
    seen = context;
    client = context.client; // not known any more once the connection is closed
    context.log.info('noted');
    return { status: 204 };
  };
  const wait = async (_request: object, context: RequestContext) => {
    seen = context;
    isReached();
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    return { status: 204 };
  };
  service = await startService({
    contract,
    verifiers,
    basePath: '/v1',
    trustProxy: ['loopback'],
    handlers: handlersOf({ both: note, open: note, slow: wait }),
  });
});
afterAll(() => service.close());
beforeEach(() => {
  reached = new Promise((resolve) => (isReached = resolve));
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.baseUrl}${path}`, { headers });

describe('the context of a request', () => {
  it('has the id of the request, the client behind trusted proxies, and the address of the service', async () => {
    const { headers } = await get('/open', { 'X-Forwarded-For': '203.0.113.9:4711' });
    expect(seen?.requestId).toBe(headers.get('x-request-id'));
    expect([client, seen?.baseUrl, seen?.principals]).toEqual(['203.0.113.9', service.baseUrl, {}]);
  });

  it('writes lines that have the request, the operation and the principal', async () => {
    const { headers } = await get('/both');
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        msg: 'noted',
        id: headers.get('x-request-id'),
        operation: 'both',
        principal: 'sapphire',
      }),
    );
  });

  it('has the principal of every scheme', async () => {
    await get('/both');
    expect(seen?.principals).toEqual({ red: { name: 'ruby' }, blue: { name: 'sapphire' } });
  });

  it('says which media type the client likes best of those that are offered', async () => {
    await get('/open', { Accept: 'text/csv;q=0.5, application/json' });
    const { accepts } = seen ?? {}; // taken out, as other parts of it
    expect(accepts?.('text/csv', 'application/json')).toBe('application/json');
    expect(accepts?.('text/csv')).toBe('text/csv');
    expect(accepts?.('image/png')).toBeUndefined();
  });

  it('has a signal that is aborted when the client goes, and not by an answer', async () => {
    await get('/open');
    expect(seen?.signal.aborted).toBe(false);
    const socket = connect(service.port, '127.0.0.1');
    socket.write('GET /v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await reached;
    const aborted = new Promise((resolve) => seen?.signal.addEventListener('abort', resolve));
    socket.destroy();
    await aborted;
    expect(seen?.signal.reason).toEqual(new Error('the client has gone'));
  });
});
