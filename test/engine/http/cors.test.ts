import { eventually } from '../../support/eventually';
import { ask, lastAnswer, plantRequest, type RawAnswer, type RequestParts } from '../../support/raw';
import { contractOf, handlersOf } from '../../support/contracts';
import { startService, type TestService } from '../../support/service';

const PAGE = 'https://plants.example';
const OF_ANY = 'WWW-Authenticate, Retry-After, Allow, X-Request-Id';
const EXPOSED = `${OF_ANY}, Content-Security-Policy, X-Content-Type-Options, Accept, Accept-Encoding`;
const body = '{"id":1,"name":"Ficus"}';

let service: TestService;
beforeAll(async () => {
  service = await startService({ corsOrigins: [PAGE, 'http://localhost:8080'] });
});

const send = (parts: RequestParts, to = service): Promise<RawAnswer> =>
  ask(to.port, plantRequest(to, { body, ...parts }), parts.line?.split(' ')[0]);
/** The headers that are about origins. */
const about = ({ headers }: RawAnswer): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:access-control-.*|vary)$/.test(name)));
const ALLOWED = { 'access-control-allow-origin': PAGE, 'access-control-expose-headers': EXPOSED, vary: 'Origin' };

describe('a page of an allowed origin', () => {
  it.each<[what: string, status: number, parts: RequestParts]>([
    ['a success', 200, {}],
    ['a violation', 400, { body: '{}' }],
    ['a missing token', 401, { headers: { Authorization: undefined } }],
    ['an unknown path', 404, { line: 'GET /nowhere HTTP/1.1' }],
    ['another method', 405, { line: 'GET /plants HTTP/1.1' }],
    ['a query that cannot be decoded', 400, { line: 'POST /plants?a=%zz HTTP/1.1' }],
    ['an expectation', 417, { headers: { Expect: 'x' } }],
  ])('may read %s', async (_what, status, parts) => {
    const answer = await send({ ...parts, headers: { ...parts.headers, Origin: PAGE } });
    expect(answer.status).toBe(status);
    expect(about(answer)).toEqual(ALLOWED);
  });

  it.each([
    ['headers that are too large', 431, { 'X-Long': 'x'.repeat(20_000) }],
    ["what Node's parser refuses", 400, { 'Content-Length': 'x' }],
  ])('may read the refusal of %s', async (_what, status, headers) => {
    const answer = await send({ headers: { Origin: PAGE, ...headers } });
    expect(answer.status).toBe(status);
    expect(about(answer)).toEqual({ ...ALLOWED, 'access-control-expose-headers': OF_ANY });
  });

  it('may not read an answer if its origin is another, which the log names, and none of the service itself', async () => {
    service.logged.length = 0;
    for (const origin of ['https://other.example', 'https://a;b.example', PAGE, `http://localhost:${service.port}`])
      await send({ headers: { Origin: origin, Host: `localhost:${service.port}` } });
    await eventually(() => expect(service.logged).toHaveLength(4));
    const refused = service.logged.map(({ refusedOrigin }) => refusedOrigin);
    expect(refused).toEqual(['https://other.example', 'https://a?b.example', undefined, undefined]);
  });

  const preflight = (origin: string, method: string, headers: RequestParts['headers'] = {}): RequestParts => ({
    line: 'OPTIONS /plants HTTP/1.1',
    headers: { Origin: origin, 'Access-Control-Request-Method': method, Authorization: undefined, ...headers },
    body: '',
  });

  it('may ask before it sends, without a token', async () => {
    const headers = { 'Access-Control-Request-Headers': 'authorization,content-type' };
    const answer = await send(preflight(PAGE, 'POST', headers));
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(about(answer)).toEqual({
      ...ALLOWED,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    });
    expect(answer.headers['content-length']).toBeUndefined();
  });

  it('is told of no headers where it asks for what are none', async () => {
    const answer = await send(preflight(PAGE, 'POST', { 'Access-Control-Request-Headers': 'a b' }));
    expect(answer.status).toBe(204);
    expect(about(answer)).not.toHaveProperty('access-control-allow-headers');
  });

  it.each(['GET', 'DELETE', 'post', 'PARAMETERS', '__proto__'])(
    'is answered as ever where it asks for %s, which is not declared',
    async (method) => {
      const answer = await send(preflight(PAGE, method));
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
      expect(about(answer)).toEqual(ALLOWED);
    },
  );

  it('gets no further than its preflight by another method', async () => {
    const answer = await send({ ...preflight(PAGE, 'POST'), line: 'OPTIONS /nowhere HTTP/1.1' });
    expect(answer.status).toBe(404);
    service.logged.length = 0;
    expect((await send({ ...preflight(PAGE, 'POST'), line: 'GET /plants HTTP/1.1' })).status).toBe(405);
  });
});

describe('a page of another origin', () => {
  it.each(['https://evil.example', 'null', `${PAGE}.evil.example`, `${PAGE}:8443`, 'http://plants.example'])(
    'such as %s gets what it got before',
    async (Origin) => {
      const answer = await send({ headers: { Origin } });
      expect(answer.status).toBe(200);
      expect(about(answer)).toEqual({ vary: 'Origin' });
      const headers = { Origin, 'Access-Control-Request-Method': 'POST' };
      const preflight = await send({ line: 'OPTIONS /plants HTTP/1.1', headers, body: '' });
      expect(preflight).toMatchObject({ status: 405, headers: { allow: 'POST' } });
      expect(about(preflight)).toEqual({ vary: 'Origin' });
    },
  );
});

it('may read the headers that any operation declares or gets, each once', async () => {
  const file = contractOf(`openapi: 3.1.0
info: { title: Headers, version: 1.0.0 }
components: { headers: { Page: { schema: { type: string } } } }
paths:
  /things:
    get:
      operationId: list
      security: []
      x-sunset: 2047-01-31
      responses:
        '200': { description: All., headers: { ETag: { schema: { type: string } }, Link: { $ref: '#/components/headers/Page' } } }
        '206': { description: Some., headers: { etag: { schema: { type: string } }, Cache-Control: { schema: { type: string } }, 'Set-Cookie': { schema: { type: string } } } }
`);
  const handlers = handlersOf({ list: () => ({ status: 200 }) });
  const other = await startService({ contract: file, handlers, corsOrigins: [PAGE] });
  const answer = await send({ line: 'GET /things HTTP/1.1', body: '', headers: { Origin: PAGE } }, other);
  expect(answer.headers['access-control-expose-headers']).toBe(
    'WWW-Authenticate, Retry-After, Allow, X-Request-Id, ETag, Link, Sunset, Accept-Ranges, Content-Range',
  );
});

describe('the configuration', () => {
  it('allows nobody by default', async () => {
    const other = await startService();
    expect(about(await send({ headers: { Origin: PAGE } }, other))).toEqual({});
  });

  it('allows everybody with *', async () => {
    const other = await startService({ corsOrigins: ['*'] });
    const answer = await send({ headers: { Origin: 'https://any.example' } }, other);
    expect(about(answer)).toEqual({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
  });

  it('leaves OPTIONS to a contract that declares it, but for preflights', async () => {
    const file = contractOf(`openapi: 3.1.0
info: { title: Options, version: 1.0.0 }
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    options: { operationId: ask, security: [], responses: { '200': { description: Asked. } } }
    put: { operationId: put, security: [], responses: { '204': { description: Put. } } }
`);
    const handlers = handlersOf({ ask: () => ({ status: 200 }), put: () => ({ status: 204 }) });
    const other = await startService({ contract: file, handlers, corsOrigins: [PAGE] });
    const options = (headers: RequestParts['headers'], line = 'OPTIONS /things/1 HTTP/1.1') =>
      send({ line, body: '', headers: { Origin: PAGE, ...headers } }, other);
    expect(await options({})).toMatchObject({ status: 200 });
    expect(await options({ 'Access-Control-Request-Method': 'PUT' })).toMatchObject({ status: 204 });
    expect(await options({ 'Access-Control-Request-Method': 'GET' })).toMatchObject({ status: 200 });
  });
});

describe('every answer', () => {
  const SAFE = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String) as string,
  };

  const CONNECT = { line: 'CONNECT x:1 HTTP/1.1' };
  it.each<[what: string, status: number, answer: () => Promise<RawAnswer>]>([
    ['a success', 200, () => send({})],
    ['an error', 400, () => send({ body: '{}' })],
    ['an unknown path', 404, () => send({ line: 'GET / HTTP/1.1' })],
    ['CONNECT', 404, () => lastAnswer(service.port, plantRequest(service, CONNECT), 'CONNECT')],
    ['what is no request', 400, () => lastAnswer(service.port, 'hello\r\n\r\n')],
    ['headers that are too large', 431, () => lastAnswer(service.port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`)],
  ])('such as that to %s tells browsers and caches to keep away', async (_what, status, answer) => {
    expect(await answer()).toMatchObject({ status, headers: SAFE });
  });

  it('may have headers of its own in their place', async () => {
    const file = contractOf(`openapi: 3.1.0
info: { title: Cached, version: 1.0.0 }
paths:
  /: { get: { operationId: get, security: [], responses: { '200': { description: Kept., headers: { cache-control: { schema: { type: string } } } } } } }
`);
    const handlers = handlersOf({ get: () => ({ status: 200, headers: { 'cache-control': 'max-age=60' } }) });
    const other = await startService({ contract: file, handlers });
    const answer = await ask(other.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET');
    expect(answer).toMatchObject({ status: 200, headers: { ...SAFE, 'cache-control': 'max-age=60' } });
  });
});
