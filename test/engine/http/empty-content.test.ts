/** Bodies of no bytes, which say what they are: a `Content-Length` of 0 announces a body as a chunked one does (RFC 9112 section 6.3). */
import type { Upload } from '../../../src/engine/contract/handler-types';
import { expectError } from '../../support/errors';
import { CHUNKED } from '../../support/chunks';
import { notingService } from '../../support/noting-service';
import { ask, plantRequest, type RequestParts } from '../../support/raw';

let read: unknown;
const noting = notingService(
  `
openapi: 3.2.0
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    post:
      operationId: keep
      requestBody:
        content:
          application/octet-stream: {}
          text/csv: { schema: { type: string } }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { name: { type: string } } } }
          application/jsonl: { itemSchema: { type: integer } }
          application/json: {}
          application/xml: {}
          multipart/form-data: { schema: { type: object } }
      responses: { '204': { description: Kept. } }
`,
  async ({ body, mediaType }) => {
    if (mediaType === 'application/octet-stream') read = await (body as Upload).text();
    else if (mediaType === 'application/jsonl') {
      const items: unknown[] = [];
      for await (const item of body as AsyncIterable<unknown>) items.push(item);
      read = items;
    } else read = body;
    return { status: 204 };
  },
);
beforeEach(() => (read = 'no handler ran'));

const NONE = { headers: { 'Content-Length': '0' }, body: '' };
const CHUNKS_OF_NONE = { headers: CHUNKED, body: '0\r\n\r\n' };

const send = (mediaType: string, { headers, body }: Required<Pick<RequestParts, 'headers' | 'body'>>) => {
  const parts = { line: 'POST /files HTTP/1.1', headers: { 'Content-Type': mediaType, ...headers }, body };
  return ask(noting.service.port, plantRequest(noting.service, parts));
};

describe.each([
  ['a length of 0', NONE],
  ['no chunk', CHUNKS_OF_NONE],
])('a body of %s', (_how, none) => {
  it.each<[mediaType: string, what: unknown]>([
    ['application/octet-stream', ''],
    ['text/csv', ''],
    ['application/x-www-form-urlencoded', {}],
    ['application/jsonl', []],
  ])('of %s reaches the handler', async (mediaType, what) => {
    expect(await send(mediaType, none)).toMatchObject({ status: 204, body: '' });
    expect(read).toEqual(what);
  });
});

it.each(['application/json', 'application/xml', 'multipart/form-data; boundary=x'])(
  'no bytes of %s are no body, as none can be one',
  async (mediaType) => {
    expect(await send(mediaType, NONE)).toMatchObject({ status: 204, body: '' });
    expect(read).toBeUndefined();
  },
);

it('no bytes with an encoding are refused as any body with one', async () => {
  const answer = await send('text/csv', { ...NONE, headers: { ...NONE.headers, 'Content-Encoding': 'gzip' } });
  expectError(answer, 41501, 'expected no Content-Encoding but identity, got gzip');
  expect(read).toBe('no handler ran');
});
