/** Bodies of bytes, in requests and answers. */
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { startService, type TestService } from '../../support/service';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Pictures, version: 1.0.0 }
paths:
  /pictures:
    post:
      operationId: addPicture
      requestBody: { required: true, content: { application/octet-stream: { schema: { type: string, format: binary } } } }
      responses:
        '200': { description: The same as a picture., content: { image/png: {} } }
`);

let seen: AnyRequest | undefined;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    contract,
    verifiers: {},
    handlers: handlersOf({
      addPicture(request) {
        seen = request;
        return { status: 200, body: request.body };
      },
    }),
  });
});
afterAll(() => service.close());

const send = (body: Uint8Array, type = 'application/octet-stream') =>
  fetch(`http://127.0.0.1:${service.port}/pictures`, { method: 'POST', headers: { 'Content-Type': type }, body });

it('are given to the handler and sent as they are, whatever they would be as text', async () => {
  const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
  const answer = await send(bytes);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('content-length')).toBe('1000');
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  expect(seen).toMatchObject({ mediaType: 'application/octet-stream' });
  expect(seen?.body).toBeInstanceOf(Uint8Array);
});

it('are refused under a media type that is not declared', async () => {
  const answer = await send(new Uint8Array(1), 'image/png');
  const headers = Object.fromEntries(answer.headers);
  expectError(
    { status: answer.status, headers, body: await answer.text() },
    41501,
    'expected Content-Type application/octet-stream, with no parameter but charset=utf-8, got image/png',
  );
});
