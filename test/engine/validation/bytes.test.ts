/** Bodies that are neither JSON nor a form: bytes, text, and what a service reads itself. */
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { startService, type TestService } from '../../support/service';

const binary = '{ schema: { type: string, format: binary } }';
const contract = contractOf(`
openapi: 3.1.0
info: { title: Pictures, version: 1.0.0 }
paths:
  /bytes:
    post:
      operationId: bytes
      requestBody: { required: true, content: { application/octet-stream: ${binary}, image/jpeg: {}, audio/*: ${binary} } }
      responses: { '200': { description: The same as a picture., content: { image/png: {} } } }
  /any:
    post:
      operationId: any
      requestBody: { content: { image/jpeg: { schema: { type: string, maxLength: 4 } }, text/x-list: { schema: { type: array, maxItems: 2 } } } }
      responses: { '200': { description: The same., content: { '*/*': {} } } }
`);

let seen: AnyRequest | undefined;
let service: TestService;
beforeAll(async () => {
  const echo = (request: AnyRequest) => {
    seen = request;
    return { status: 200, body: request.body };
  };
  service = await startService({
    contract,
    verifiers: {},
    handlers: handlersOf({ bytes: echo, any: echo }),
    readers: { 'text/x-list': (bytes) => JSON.parse(`[${bytes.toString()}]`) },
  });
});
afterAll(() => service.close());

const send = (path: string, type: string, body: Uint8Array | string) =>
  fetch(`http://127.0.0.1:${service.port}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });

async function refused(answer: Response, code: number, message: string): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  expectError({ status: answer.status, headers, body: await answer.text() }, code, message);
}

it.each([
  ['application/octet-stream', 'application/octet-stream'],
  ['image/jpeg', 'image/jpeg'],
  ['audio/mpeg', 'audio/*'],
])(
  'bytes of %s are given to the handler and sent as they are, whatever they would be as text',
  async (type, declared) => {
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
    const answer = await send('/bytes', type, bytes);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-length')).toBe('1000');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    expect(seen).toMatchObject({ mediaType: declared });
    expect(seen?.body).toBeInstanceOf(Uint8Array);
  },
);

it('bytes are refused under a media type that is not declared', async () => {
  await refused(
    await send('/bytes', 'image/png', new Uint8Array(1)),
    41501,
    'expected Content-Type application/octet-stream or image/jpeg or audio/*, with no parameter but charset=utf-8, got image/png',
  );
});

it('what the contract describes as text is text, and held to its schema', async () => {
  const answer = await send('/any', 'image/jpeg', 'AA==');
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['application/json', '"AA=="']);
  await refused(await send('/any', 'image/jpeg', 'AAAA='), 40002, '/body: expected at most 4 characters, got string');
});

it('what the service reads is what its reader makes of it, and held to its schema', async () => {
  expect(await (await send('/any', 'text/x-list', '1, 2')).json()).toEqual([1, 2]);
  await refused(await send('/any', 'text/x-list', '1, 2, 3'), 40002, '/body: expected at most 2 items, got array');
  await refused(await send('/any', 'text/x-list', '1, }'), 40001, 'expected text/x-list');
});
