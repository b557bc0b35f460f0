/** Bodies that are neither JSON nor a form: bytes, text, and what a service reads itself. */
import type { HandlerAnswer, Upload } from '../../../src/engine/contract/handler-types';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

const isUpload = (body: unknown): body is Upload => typeof body === 'object' && body !== null && 'saveTo' in body;

const binary = '{ schema: { type: string, format: binary } }';
const noting = notingService(
  `
components: { schemas: { Any: true } }
paths:
  /bytes:
    post:
      operationId: bytes
      requestBody: { required: true, content: { application/octet-stream: ${binary}, image/jpeg: {}, audio/*: ${binary}, application/xml: { schema: { description: Anything. } }, application/vnd.any: { schema: { $ref: '#/components/schemas/Any' } } } }
      responses: { '200': { description: The same as a picture., content: { image/png: {} } } }
  /any:
    post:
      operationId: any
      requestBody: { content: { image/jpeg: { schema: { type: string, maxLength: 4 } }, text/x-list: { schema: { type: array, maxItems: 2 } }, text/x-later: { schema: { type: array } } } }
      responses: { '200': { description: The same., content: { '*/*': {} } } }
  /linked:
    post:
      operationId: linked
      requestBody: { content: { 'application/*+json': { schema: { type: object, required: [a] } }, 'application/ld+json; profile="A"': { schema: { type: object } }, text/json;v=1: { schema: { type: object } }, text/json;v=2;w=3: { schema: { type: object } } } }
      responses: { '200': { description: The same., content: { application/json: {} } } }
  /whatever:
    post:
      operationId: whatever
      requestBody: { content: { '*/*': { schema: { type: object, required: [a] } } } }
      responses: { '200': { description: The same., content: { application/json: {} } } }
`,
  async ({ body }) => ({ status: 200, body: isUpload(body) ? await body.bytes() : body }),
  {
    readers: {
      'text/x-list': (bytes) => JSON.parse(`[${bytes.toString()}]`),
      'text/x-later': async (bytes) =>
        Promise.resolve(bytes.toString() === 'nothing' ? undefined : JSON.parse(bytes.toString())),
    },
  },
);

it.each([
  ['application/octet-stream', 'application/octet-stream'],
  ['image/jpeg', 'image/jpeg'],
  ['audio/mpeg', 'audio/*'],
  ['application/xml', 'application/xml'],
  ['application/vnd.any', 'application/vnd.any'],
])(
  'bytes of %s are given to the handler and sent as they are, whatever they would be as text',
  async (type, declared) => {
    const body = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
    const url = `http://127.0.0.1:${noting.service.port}/bytes`;
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-length')).toBe('1000');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(body);
    expect(noting.seen).toMatchObject({ mediaType: declared, body: { mediaType: type, size: 1_000 } });
  },
);

it.each(['', 'application/json', 'application/vnd.a+json', 'text/plain'])(
  'a body of any media type whose schema is of JSON is read as that, with %s',
  async (type) => {
    expect(await noting.send('/whatever', '{"a":1}', type)).toMatchObject({ status: 200, body: '{"a":1}' });
    expect(noting.seen).toMatchObject({ mediaType: '*/*', body: { a: 1 } });
    expectError(await noting.send('/whatever', '{}', type), 40002, '/body/a: expected a value, got nothing');
  },
);

it.each([
  ['application/vnd.a+json', 'application/*+json'],
  ['Application/Vnd.A+JSON; charset=utf-8', 'application/*+json'],
  ...[
    'Application/LD+json; profile="A"',
    'application/ld+json;profile=A',
    'application/ld+json ;Profile=A; charset=UTF-8',
  ].map((type) => [type, 'application/ld+json; profile="A"']),
  ['text/json; v=1', 'text/json;v=1'],
  ['text/json; w=3; v="2"', 'text/json;v=2;w=3'],
])('a body of %s is one of %s', async (type, declared) => {
  expect(await noting.send('/linked', '{"a":1}', type)).toMatchObject({ status: 200, body: '{"a":1}' });
  expect(noting.seen).toMatchObject({ mediaType: declared, body: { a: 1 } });
});

it.each([
  ...['application/json', 'application/+jsonp', 'text/a+json', 'application/ld+json; profile="a"', 'text/json; v=3'],
  ...['text/json; v=1; v=1', 'text/json; v=1 x', 'text/json; v=2', 'text/json; v= 1'],
])('a body of %s is none of application/*+json', async (type) => {
  const types = 'application/*+json or application/ld+json; profile="A" or text/json;v=1 or text/json;v=2;w=3';
  const message = `expected Content-Type ${types}, with no parameter but charset=utf-8, got ${type}`;
  expectError(await noting.send('/linked', '{"a":1}', type), 41501, message);
});

it('bytes are refused under a media type that is not declared', async () => {
  const types = 'application/octet-stream or image/jpeg or audio/* or application/xml or application/vnd.any';
  const message = `expected Content-Type ${types}, with no parameter but charset=utf-8, got image/png`;
  expectError(await noting.send('/bytes', new Uint8Array(1), 'image/png'), 41501, message);
});

it.each<[what: string, type: string, body: string, code: number, message: string]>([
  ['text', 'image/jpeg', 'AAAA=', 40002, '/body: expected at most 4 characters, got 5 in "AAAA="'],
  ['what the service reads', 'text/x-list', '1, 2, 3', 40002, '/body: expected at most 2 items, got 3'],
  ['what its reader refuses', 'text/x-list', '1, }', 40001, 'expected text/x-list'],
  ['what its reader refuses later', 'text/x-later', '}', 40001, 'expected text/x-later'],
])('%s is held to its schema', async (_what, type, body, code, message) => {
  expectError(await noting.send('/any', body, type), code, message);
});

it.each([
  ['image/jpeg', 'AA==', '"AA=="'],
  ['text/x-list', '1, 2', '[1,2]'],
  ['text/x-later', '[1]', '[1]'],
])('a body of %s is what it is described as, or its reader makes of it', async (type, body, answered) => {
  const answer = await noting.send('/any', body, type);
  expect([answer.headers['content-type'], answer.body]).toEqual(['application/json', answered]);
});

it('a body of which its reader makes nothing does not pass for one that is not there', async () => {
  expectError(await noting.send('/any', 'nothing', 'text/x-later'), 50001, 'internal error');
  expect(noting.seen).toBeUndefined();
});

describe('a media type that no header can name', () => {
  const odd = notingService(`
paths:
  /odd: { post: { operationId: odd, requestBody: { content: { text/größe: {}, 'text/x ': {}, text/y: {} } }, responses: { '204': { description: Done. } } } }
`);

  it('is not among those that a refusal names in Accept', async () => {
    const answer = await odd.send('/odd', 'x', 'text/z');
    const types = 'text/größe or text/x  or text/y';
    expectError(answer, 41501, `expected Content-Type ${types}, with no parameter but charset=utf-8, got text/z`);
    expect(answer.headers.accept).toBe('text/y');
  });
});

describe('of several ranges of media types, the most specific one decides', () => {
  const needs = (name: string): string => `{ schema: { type: object, required: [${name}] } }`;
  const content = `{ '*/*': ${needs('any')}, 'application/*': ${needs('some')}, 'application/*+json': ${needs('json')}, application/d+json: ${needs('d')} }`;
  let answer: HandlerAnswer = { status: 204 };
  const ranges = notingService(
    `
paths:
  /in: { post: { operationId: in, requestBody: { required: true, content: ${content} }, responses: { '204': { description: Done. } } } }
  /out: { get: { operationId: out, responses: { '200': { description: An object., content: ${content} } } } }
`,
    ({ mediaType }) => (mediaType === undefined ? answer : { status: 204 }),
  );

  it.each([
    ['text/json', '*/*', 'any'],
    ['application/json', 'application/*', 'some'],
    ['application/c+json', 'application/*+json', 'json'],
    ['application/d+json', 'application/d+json', 'd'],
  ])('on %s: %s', async (mediaType, range, name) => {
    expect(await ranges.send('/in', `{"${name}":1}`, mediaType)).toMatchObject({ status: 204 });
    expect(ranges.seen).toMatchObject({ mediaType: range, body: { [name]: 1 } });
    expectError(await ranges.send('/in', '{}', mediaType), 40002, `/body/${name}: expected a value, got nothing`);
    answer = { status: 200, mediaType, body: { [name]: 1 } };
    expect(await ranges.get('/out')).toMatchObject({ status: 200, body: `{"${name}":1}` });
    answer = { status: 200, mediaType, body: {} };
    expectError(await ranges.get('/out'), 50001, 'internal error');
  });
});
