import { PassThrough, Readable } from 'node:stream';
import type { HandlerAnswer } from '../../../src/engine/contract/handler-types';
import { ExactNumber } from '../../../src/engine/json/number';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

/** Answers in every way that a contract can declare them. */
let given: HandlerAnswer;
/** Each schema refers to the next one twice. */
const CHAIN = Array.from({ length: 18 }, (_, index) => {
  const next = `{ $ref: '#/components/schemas/Chain${index + 1}' }`;
  return `    Chain${index}: { allOf: [${next}, ${next}] }`;
}).join('\n');
const CONTRACT = `
openapi: 3.2.0
info: { title: Answers, version: 1.0.0 }
paths:
  /size:
    head:
      operationId: size
      responses: { '200': { description: The headers of a GET., headers: { Content-Length: { schema: { type: integer } } } } }
  /answer:
    get:
      operationId: answer
      responses:
        '200': { description: JSON., content: { application/json: { schema: { $ref: '#/components/schemas/Car' } } } }
        '201':
          description: JSON or text.
          content: { application/json: { schema: { type: object } }, text/plain: { schema: { type: string, maxLength: 5 } } }
        '202':
          description: Anything.
          headers: { cache-control: { schema: { type: string } }, vary: { schema: { type: string } } }
          content: { application/json: {} }
        '203':
          description: Anything, by another name.
          headers: { CONTENT-TYPE: { required: true, schema: { type: integer } }, Set-Cookie: { schema: { type: string } }, X-List: { schema: { type: array, items: { type: string } } }, X-Point: { schema: { type: object } }, X-Pairs: { explode: true, schema: { type: object } }, X-Json: { content: { application/json: { schema: { type: object } } } } }
          content: { application/xml: { schema: { properties: { note: { xml: { nodeType: cdata } }, field: { xml: { name: cell } }, costs: { additionalProperties: { xml: { name: cost } } }, words: { xml: { attribute: true } }, größe: {}, grid: { items: { type: array, items: {}, xml: { wrapped: true, name: row } } } } } }, text/event-stream: {}, text/plain: {}, text/json: {}, multipart/form-data: {}, text/csv: {}, text/tab-separated-values: {}, '*/*': {} }
        '207':
          description: A car in several ways.
          content:
            application/xml: { schema: { $ref: '#/components/schemas/Garage' } }
            application/vnd.cars+yaml: { schema: { $ref: '#/components/schemas/Garage' } }
            application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Garage' } }
            text/xml: { schema: { type: array, items: { type: integer, xml: { name: n } }, xml: { name: list } } }
        '204':
          description: Nothing.
          headers: { Location: { $ref: '#/components/headers/Location' }, X-Any: { content: { text/plain: {} } } }
        '226': { description: Anything., headers: { X-Free: { schema: true } }, content: { application/json: { schema: true } } }
        '205': { description: Reset., content: { application/json: { schema: { type: object } } } }
        '206': { description: A chain., content: { application/json: { schema: { $ref: '#/components/schemas/Chain0' } } } }
        4XX: { $ref: '#/components/responses/Refused' }
        default: { $ref: '#/components/responses/Other' }
components:
  schemas:
    Car: { type: object, properties: { constructor: { type: string } } } # which every object inherits
${CHAIN}
    Chain18: { type: string }
    Garage:
      type: object
      required: [id]
      xml: { prefix: g, namespace: 'urn:g&h' }
      properties:
        id: { type: integer, format: int64, xml: { attribute: true } }
        open: { type: boolean, xml: { nodeType: attribute } }
        lock: { type: string, xml: { attribute: true, prefix: l, namespace: 'urn:l' } }
        key: { type: string, xml: { attribute: true, prefix: l, namespace: 'urn:l' } }
        owner: { $ref: '#/components/schemas/Owner' }
        cars: { type: array, items: { type: string, xml: { name: car } }, xml: { name: all, wrapped: true } }
        tags: { type: array, items: { type: string } }
    Owner: { type: object, properties: { born: { type: string, xml: { attribute: true } }, name: { type: string, xml: { nodeType: text } }, note: { type: string, xml: { nodeType: cdata } } } }
  headers:
    Location: { required: true, schema: { type: string, pattern: '^/' } }
  responses:
    Refused: { description: Refused., content: { application/json: { schema: { type: object, required: [message] } } } }
    Other: { description: Anything else., content: { application/json: { schema: { type: object, required: [message] } } } }
`;
const writers = {
  'text/csv': (value: unknown) => `${[value].flat().join()}\n`,
  'text/tab-separated-values': () => new Uint16Array(1) as never,
};
const noting = notingService(CONTRACT, () => given, { writers });
const production = notingService(CONTRACT, () => given, { writers, enforceAnswers: false });
const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const owner = { born: '1815', name: 'A <b> é', note: 'x]]>' };
const GARAGE = { id: 9007199254740993n, open: true, owner, cars: ['a', 'b'], tags: ['c', 'd'] };
const CARS = 'application/vnd.cars+yaml';
const FORM = 'application/x-www-form-urlencoded';
const IN_YAML =
  '{"id":9007199254740993,"open":true,"owner":{"born":"1815","name":"A <b> é","note":"x]]>"},"cars":["a","b"],"tags":["c","d"]}';
const xml = (status: number, body: unknown): HandlerAnswer => ({ status, mediaType: 'application/xml', body });
const get = () => noting.get('/answer');

describe('an answer', () => {
  const json = { 'content-type': 'application/json' };
  const lines = { born: '\t\n\r', name: '\t', note: 'é\t\r\n' };
  it.each<[answer: HandlerAnswer, headers: object, body: string]>([
    [{ status: 200, body: { a: 1 } }, json, '{"a":1}'],
    [{ status: 200, mediaType: 'application/json', body: {} }, json, '{}'],
    [{ status: 201, mediaType: 'application/json', body: {} }, json, '{}'],
    [{ status: 201, mediaType: 'text/plain', body: 'é🌵' }, { 'content-length': '6' }, 'é🌵'],
    [{ status: 203, mediaType: 'application/xml', body: '<a/>' }, { 'content-type': 'application/xml' }, '<a/>'],
    [{ status: 203, mediaType: 'application/xml', body: Buffer.from('<a/>') }, { 'content-length': '4' }, '<a/>'],
    [
      xml(203, { a: [1, null], words: null, costs: { may: 1, june: 2 }, c: undefined }),
      {},
      `${XML}<root><a>1</a><a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></a><costs><may>1</may><june>2</june></costs></root>\n`,
    ],
    [
      xml(207, GARAGE),
      { 'content-type': 'application/xml' },
      `${XML}<g:Garage xmlns:g="urn:g&#38;h" id="9007199254740993" open="true"><owner born="1815">A &#60;b&#62; &#233;<![CDATA[x]]]]><![CDATA[>]]></owner>` +
        '<all><car>a</car><car>b</car></all><tags>c</tags><tags>d</tags></g:Garage>\n',
    ],
    [
      xml(207, { id: 1n, owner: lines }),
      {},
      `${XML}<g:Garage xmlns:g="urn:g&#38;h" id="1"><owner born="&#9;&#10;&#13;">&#9;<![CDATA[é\t]]>&#13;<![CDATA[\n]]></owner></g:Garage>\n`,
    ],
    [
      xml(207, { id: 1n, lock: 'a', key: 'b' }),
      {},
      `${XML}<g:Garage xmlns:g="urn:g&#38;h" xmlns:l="urn:l" id="1" l:lock="a" l:key="b"></g:Garage>\n`,
    ],
    [
      xml(203, { größe: 1, words: ['a', 2], grid: [[1], [2, 3]] }),
      {},
      `${XML}<root words="a 2"><größe>1</größe><row><row>1</row></row><row><row>2</row><row>3</row></row></root>\n`,
    ],
    [{ status: 207, mediaType: 'text/xml', body: [1, 2] }, {}, `${XML}<list><n>1</n><n>2</n></list>\n`],
    [{ status: 207, mediaType: CARS, body: GARAGE }, { 'content-type': CARS }, IN_YAML],
    [
      { status: 207, mediaType: FORM, body: { id: 5n, tags: ['c', 'd&'], owner: { name: 'A' } } },
      { 'content-type': FORM },
      'id=5&tags=c&tags=d%26&owner=%7B%22name%22%3A%22A%22%7D',
    ],
    [
      { status: 203, mediaType: 'text/yaml', body: ['\x7F\x85\uFFFE\uFEFF\u{1F331}', 'é'] },
      { 'content-type': 'text/yaml; charset=utf-8' },
      '["\\u007f\\u0085\\ufffe\\ufeff\u{1F331}","é"]',
    ],
    [
      {
        status: 203,
        mediaType: 'text/yaml',
        body: { no: 'NO', '1e5': 'a"1e5\\', rates: [1e-7, -1.5e21, new ExactNumber('1E5')] },
      },
      {},
      '{"no":"NO","1e5":"a\\"1e5\\\\","rates":[1.0e-7,-1.5e+21,1.0e+5]}',
    ],
    [{ status: 203, mediaType: 'text/yaml', body: 5 }, { 'content-type': 'text/yaml; charset=utf-8' }, '5'],
    [{ status: 203, mediaType: 'text/csv', body: [1, 2] }, { 'content-type': 'text/csv; charset=utf-8' }, '1,2\n'],
    [{ status: 203, mediaType: 'text/csv', body: Buffer.from('a') }, { 'content-type': 'text/csv' }, 'a'],
    [{ status: 203, mediaType: 'text/plain', body: 5n }, { 'content-type': 'text/plain; charset=utf-8' }, '5'],
    [
      { status: 203, mediaType: 'text/json', body: { a: 1 } },
      { 'content-type': 'text/json; charset=utf-8' },
      '{"a":1}',
    ],
    [{ status: 203, mediaType: 'text/plain', headers: { 'X-List': ['a', 'b'] }, body: '' }, { 'x-list': 'a,b' }, ''],
    [
      {
        status: 203,
        mediaType: 'text/plain',
        headers: { 'X-Point': { x: 1, y: 2n }, 'X-Pairs': { x: 1, y: 'b' } },
        body: '',
      },
      { 'x-point': 'x,1,y,2', 'x-pairs': 'x=1,y=b' },
      '',
    ],
    [
      {
        status: 203,
        mediaType: 'text/plain',
        headers: { 'X-Point': undefined, 'X-Json': { x: [1n, 'é😀'] } },
        body: '',
      },
      { 'x-json': '{"x":[1,"\\u00e9\\ud83d\\ude00"]}' },
      '',
    ],
    [
      { status: 203, mediaType: 'text/plain', headers: { 'X-List': ['<a,b>; rel="c,d"', 'e'] }, body: '' },
      { 'x-list': '<a,b>; rel="c,d",e' },
      '',
    ],
    [{ status: 203, mediaType: FORM, body: { a: null, b: [null] } }, {}, 'a=&b='],
    [{ status: 202, body: 'text' }, json, '"text"'],
    [{ status: 202, body: null }, json, 'null'],
    // In the place of the server's own, which is spelled otherwise.
    [{ status: 202, body: 1, headers: { 'cache-control': 'max-age=60' } }, { 'cache-control': 'max-age=60' }, '1'],
    [{ status: 204, headers: { Location: '/1' } }, { location: '/1' }, ''],
    [{ status: 204, headers: { Location: '/1', 'X-Any': 5n } }, { location: '/1', 'x-any': '5' }, ''],
    [{ status: 205 }, { 'content-length': '0' }, ''],
    [{ status: 226, headers: { 'X-Free': 5n }, body: [1] }, { 'x-free': '5' }, '[1]'],
    [{ status: 418, body: { message: 'tea' } }, json, '{"message":"tea"}'],
    [{ status: 503, body: { message: 'later' } }, json, '{"message":"later"}'],
  ])('%j is in the contract', async (answer, headers, body) => {
    given = answer;
    expect(await get()).toMatchObject({ status: answer.status, headers, body });
  });

  it('to HEAD is that to GET without its body', async () => {
    given = { status: 200, body: { a: 1 } };
    const answer = await fetch(`${noting.service.baseUrl}/answer`, { method: 'HEAD' });
    const sent = ['content-type', 'content-length'].map((name) => answer.headers.get(name));
    expect([answer.status, await answer.text(), ...sent]).toEqual([200, '', 'application/json', '7']);
  });

  it.each([12_345, undefined])('to an operation of HEAD has the length that its handler gives: %s', async (length) => {
    given = { status: 200, headers: { 'Content-Length': length } };
    const answer = await fetch(`${noting.service.baseUrl}/size`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, length?.toString() ?? null]);
  });

  it.each<[answer: HandlerAnswer, problem: string]>([
    [{ status: 200 }, 'the body is missing'],
    [{ status: 200, body: [] }, 'the body: expected object'],
    [{ status: 200, body: { toJSON: () => ({ constructor: 1 }) } }, 'the body/constructor: expected string'],
    [{ status: 203, mediaType: 'text/plain', headers: { 'X-Json': [] }, body: '' }, 'headers/X-Json: expected object'],
    [
      { status: 203, mediaType: 'text/plain', headers: { 'Set-Cookie': ['a=1', 2] }, body: '' },
      'headers/Set-Cookie: expected string',
    ],
    [{ status: 200, mediaType: 'text/plain', body: '' }, 'media type text/plain is not declared'],
    [{ status: 201, mediaType: 'text/plain', body: '123456' }, 'the body: expected at most 5 characters'],
    [{ status: 207, mediaType: 'application/xml', body: {} }, 'the body/id: expected a value'],
    // Its text, which JavaScript rounds, is beyond an int64.
    [{ status: 207, mediaType: CARS, body: { id: -(2 ** 63) } }, 'the body/id: expected int64'],
    [{ status: 201, mediaType: 'text/html', body: '' }, 'media type text/html is not declared'],
    [{ status: 204 }, 'headers/Location: expected a value'],
    [{ status: 204, headers: { Location: 'x' } }, 'headers/Location: expected text that matches'],
    [{ status: 204, headers: { Location: '/', Other: 'x' } }, 'headers/Other: expected no property of this name'],
    [{ status: 204, headers: { Location: '/' }, body: '' }, 'HTTP has no body for 204'],
    [{ status: 205, body: {} }, 'HTTP has no body for 205'],
    [{ status: 206, body: 'x' }, 'the body: expected a value that is decided in 100000 steps'],
    [{ status: 404, body: {} }, 'the body/message: expected a value'],
    [{ status: 500, body: 'broken' }, 'the body: expected object'],
  ])('%j is not in the contract, and not sent', async (answer, problem) => {
    noting.service.logged.length = 0;
    given = answer;
    expectError(await get(), 50001, 'internal error');
    expect(JSON.stringify(noting.service.logged)).toContain(`the answer of answer is not in the contract: ${problem}`);
  });
});

it.each([204, 205])('a body is left out of %i in production, value or stream', async (status) => {
  for (const body of [{}, Readable.from(['{}'])]) {
    given = { status, headers: status === 204 ? { Location: '/' } : {}, body };
    const answer = await production.get('/answer');
    expect(answer).toMatchObject({ status, body: '' });
    expect(answer.headers['content-length']).toBe(status === 204 ? undefined : '0');
    expect(answer.headers['content-type']).toBeUndefined();
  }
});

describe('a body that cannot be written as its media type', () => {
  it.each<[name: string, value: unknown]>([
    ['X-List', ['a,b']],
    ['X-List', ["'a,b'"]],
    ['X-List', ['a', ' b']],
    ['X-Point', { x: 'a,b' }],
    ['X-Pairs', { 'x=y': 1 }],
  ])('with a header %s of %j is not sent either', async (name, value) => {
    given = { status: 203, mediaType: 'text/plain', headers: { [name]: value }, body: '' };
    expectError(await production.get('/answer'), 50001, 'internal error');
  });

  it.each<[mediaType: string, what: string, body: unknown]>([
    ['application/xml', 'text that XML does not have', { a: '\0' }],
    ['application/xml', 'a CDATA section that XML does not have', { note: '\x1B' }],
    ['application/xml', 'a stream within', { a: new PassThrough() }],
    ['application/xml', 'a list in a list that has no element', { a: [[1], [2]] }],
    ['application/xml', 'a list of texts with spaces in an attribute', { words: ['a b'] }],
    ['application/xml', 'an object in an attribute', { words: { a: 1 } }],
    ['application/xml', 'a key that no element has', { 'a b': 1 }],
    ['application/xml', 'a key that is the name of a property', { cell: 1 }],
    ['multipart/form-data', 'an object', { a: 1 }],
    ['application/xml', 'a number', 1],
    ['text/event-stream', 'a list', [{ a: 1 }]],
    ['text/plain', 'an object', { a: 1 }],
    ['text/plain', 'half of a surrogate pair', '\ud83c'],
    ['text/json', 'a file stream', new PassThrough()],
    ['text/json', 'a stream within', { file: new PassThrough() }],
    ['text/json', 'a stream of the web', new Blob(['a']).stream()],
    ['text/tab-separated-values', 'what its writer makes a Uint16Array of', [1]],
    ['*/*', 'a map', new Map([['a', 1]])],
    ['*/*', 'bytes within', { file: Buffer.from('a') }],
  ])('of %s, %s, is not sent, in production either', async (mediaType, _what, body) => {
    given = { status: 203, mediaType, body };
    expectError(await get(), 50001, 'internal error');
    expectError(await production.get('/answer'), 50001, 'internal error');
  });
});

describe('an answer of an operation', () => {
  const done = "responses: { '204': { description: Done. } }";
  const ending = notingService(
    `
paths:
  /since: { get: { operationId: since, deprecated: true, x-deprecated-since: '2027-01-31T12:00:00+01:00', x-sunset: 2027-12-31, ${done} } }
  /sunset: { get: { operationId: sunset, x-sunset: '2027-12-31T00:00:00Z', ${done} } }
  /deprecated: { get: { operationId: deprecated, deprecated: true, ${done} } }
`,
  );
  it.each([
    ['since', '@1801393200', 'Fri, 31 Dec 2027 00:00:00 GMT'],
    ['sunset', undefined, 'Fri, 31 Dec 2027 00:00:00 GMT'],
    ['deprecated', undefined, undefined],
  ])('says when its life ends, where it is known: %s', async (name, deprecation, sunset) => {
    const { status, headers } = await ending.get(`/${name}`);
    expect([status, headers.deprecation, headers.sunset]).toEqual([204, deprecation, sunset]);
  });
});

const crossOrigin = notingService(CONTRACT, () => given, { corsOrigins: ['https://a.example'] });
it.each([
  ['any client', noting],
  ['pages of other origins', crossOrigin],
])('sends each cookie as a line, to %s', async (_whom, whom) => {
  const cookies = ['a=1; Path=/', 'b=2; Expires=Thu, 01 Jan 2099 00:00:00 GMT'];
  given = { status: 203, mediaType: 'text/plain', headers: { 'Set-Cookie': cookies, 'X-List': undefined }, body: '' };
  const answer = await fetch(`${whom.service.baseUrl}/answer`);
  expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('x-list')]).toEqual([203, cookies, null]);
});

it('varies by what its handler says, and by the origin', async () => {
  given = { status: 202, headers: { vary: 'Cookie' }, body: 1 };
  expect((await crossOrigin.get('/answer')).headers).toMatchObject({ vary: 'Origin, Cookie' });
});

describe('the media type of an answer', () => {
  it.each([
    [{}, 'application/xml'],
    [{ Accept: '*/*' }, 'application/xml'],
    [{ Accept: 'application/xml;q=0.5, application/vnd.cars+yaml' }, 'application/vnd.cars+yaml'],
    [{ Accept: 'text/xml; charset=UTF-8' }, 'text/xml; charset=utf-8'],
    [{ Accept: 'image/png' }, 'application/xml'],
  ])('is that which the client prefers, where the handler names none: %j', async (accept, mediaType) => {
    given = { status: 207, body: mediaType.startsWith('text/xml') ? [1] : GARAGE };
    const { headers } = await noting.get('/answer', accept);
    expect(headers).toMatchObject({ 'content-type': mediaType, vary: 'Accept' });
  });

  it('is that which the handler names', async () => {
    given = { status: 207, mediaType: 'application/xml', body: GARAGE };
    const { headers } = await noting.get('/answer', { Accept: 'application/vnd.cars+yaml' });
    expect(headers['content-type']).toBe('application/xml');
    expect(headers).not.toHaveProperty('vary');
  });

  const success = "'200': { description: A car., content: { application/json: {}, text/csv: {} } }";
  const choosing = notingService(
    `
paths:
  /strict: { get: { operationId: strict, responses: { ${success}, '406': { description: Refused. } } } }
  /lax: { get: { operationId: lax, responses: { ${success}, 4XX: { description: Refused. } } } }
  /any: { get: { operationId: any, responses: { '200': { description: Any., content: { image/*: {} } }, '406': { description: Refused. } } } }
`,
    ({ path }) => ({ status: 200, body: path }),
    { writers, corsOrigins: ['https://a.example'] },
  );

  it('is one that the client accepts, or the handler is not called: where the contract has 406', async () => {
    const Accept = 'image/png, text/csv;q=0';
    const refused = { status: 406, headers: { vary: 'Origin, Accept' } };
    expect(await choosing.get('/strict', { Accept })).toMatchObject(refused);
    expect(choosing.seen).toBeUndefined();
    expect(await choosing.get('/lax', { Accept })).toMatchObject({ status: 200 });
    expect(await choosing.get('/any', { Accept: 'image/png' })).not.toMatchObject({ status: 406 });
    const csv = { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } };
    expect(await choosing.get('/strict', { Accept: 'text/*' })).toMatchObject(csv);
  });
});
