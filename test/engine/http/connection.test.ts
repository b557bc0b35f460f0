import type { IncomingMessage } from 'node:http';
import { CHUNKED } from '../../support/chunks';
import { handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask, lastAnswer, plantRequest, RawConnection, type RequestParts, usedConnection } from '../../support/raw';
import { type ServiceOptions, startService, type TestService } from '../../support/service';

const HEADER_BYTES_MAX = 16_384;

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n';
const UPGRADING = `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;

const MALFORMED = 'expected an HTTP/1.1 request';
const NO_METHOD = `${MALFORMED} with a known method`;

/** Continues the creates that wait: those with the tag `slow`. */
let letGo: (() => void)[] = [];

const start = (limits: NonNullable<ServiceOptions['limits']>): Promise<TestService> =>
  startService({
    limits,
    handlers: ({ handlers }) =>
      handlersOf({
        async createPlant(request) {
          if ((request.body as { tag: string }).tag === 'slow')
            await new Promise<void>((resolve) => letGo.push(resolve));
          return handlers.createPlant(request);
        },
      })(),
  });

/** With all the time that a busy machine may take, unless a test starts another. */
let service: TestService;
let patient: TestService;
beforeAll(async () => {
  patient = await start({ headersMs: 300_000, requestMs: 300_000 });
});
beforeEach(() => {
  service = patient;
});

let id = 0;
const ficus = (tag = 'quick'): string => JSON.stringify({ id: ++id, name: 'Ficus', tag });
const stored = (of = id): object => expect.objectContaining({ id: BigInt(of), name: 'Ficus' }) as object;
const request = (parts: RequestParts = { body: ficus() }): Buffer => plantRequest(service, parts);
const open = (): Promise<RawConnection> => RawConnection.open(service.port);

/** Expects an error as the last answer of the connection, and nothing to be stored. */
async function expectRefusal(bytes: string | Buffer, error: number, message: string, method?: string): Promise<void> {
  const rows = service.rows();
  const answer = await lastAnswer(service.port, bytes, method);
  expectError(answer, error, message);
  expect(answer.headers.connection).toBe('close');
  expect(service.rows()).toEqual(rows);
}

describe('a malformed request', () => {
  const POST = 'POST /plants HTTP/1.1\r\nHost: x\r\n';
  it.each([
    ['text', 'hello\r\n\r\n', NO_METHOD],
    ['an empty method', ' /plants HTTP/1.1\r\n\r\n', NO_METHOD],
    ['a method in quotes', '"POST" /plants HTTP/1.1\r\n\r\n', NO_METHOD],
    ['an unknown method and no path', 'BREW plants HTTP/1.1\r\n\r\n', NO_METHOD],
    ['an unknown method and no version', 'BREW /plants\r\n\r\n', NO_METHOD],
    ['the greeting of TLS', Buffer.from('16030100a5010000a10303', 'hex'), NO_METHOD],
    ['a target without a slash', 'POST plants HTTP/1.1\r\n\r\n', MALFORMED],
    ['a target with a space', 'POST /pla nts HTTP/1.1\r\n\r\n', MALFORMED],
    ['a target that is no ASCII', 'POST /pl\xe4nts HTTP/1.1\r\n\r\n', MALFORMED],
    ['a target with U+0000', 'POST /pl\0ants HTTP/1.1\r\n\r\n', MALFORMED],
    ['a version that is no number', 'POST /plants HTTP/x.1\r\nHost: x\r\n\r\n', MALFORMED],
    ['another protocol', 'POST /plants ICE/1.0\r\nHost: x\r\n\r\n', MALFORMED],
    ['its protocol in lower case', 'POST /plants http/1.1\r\nHost: x\r\n\r\n', MALFORMED],
    ['line feeds alone', 'POST /plants HTTP/1.1\nHost: x\n\n', MALFORMED],
    ['a header without a colon', `${POST}Accept\r\n\r\n`, MALFORMED],
    ['a header without a name', `${POST}: x\r\n\r\n`, MALFORMED],
    ['a space before the colon', `${POST}Accept : x\r\n\r\n`, MALFORMED],
    ['a space in a name', `${POST}Content Length: 0\r\n\r\n`, MALFORMED],
    ['a folded header', `${POST}Accept: x\r\n y\r\n\r\n`, MALFORMED],
    ['U+0000 in a header', `${POST}Accept: \0\r\n\r\n`, MALFORMED],
    ['a carriage return in a header', `${POST}Accept: x\ry\r\n\r\n`, MALFORMED],
    ['a length that is no number', `${POST}Content-Length: x\r\n\r\n`, MALFORMED],
    ['a negative length', `${POST}Content-Length: -1\r\n\r\n`, MALFORMED],
    ['a length with an exponent', `${POST}Content-Length: 1e3\r\n\r\n`, MALFORMED],
    ['an endless length', `${POST}Content-Length: 99999999999999999999999\r\n\r\n`, MALFORMED],
    ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: 0\r\n\r\n`, MALFORMED],
    ['a length and chunks', `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, MALFORMED],
    ['chunks that are not the last coding', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, MALFORMED],
    ['chunks twice', `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`, MALFORMED],
  ])('such as %s, is refused', async (_what, bytes, message) => {
    await expectRefusal(bytes, 40003, message);
  });

  it.each([
    ['HTTP/2.0', 'POST /plants HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9', 'POST /plants HTTP/0.9\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9, which it does not name', 'GET /plants\r\n\r\n'],
    ['HTTP/1.2', 'POST /plants HTTP/1.2\r\nHost: x\r\n\r\n'],
    ['HTTP/3.0', 'POST /plants HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['HTTP/2 in its preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('of the version %s gets 505 (RFC 9110 section 15.6.6)', async (_what, bytes) => {
    await expectRefusal(bytes, 50501, 'expected HTTP/1.1 or HTTP/1.0');
  });

  it.each([
    ['no size', ''],
    ['a size that is no number', 'x\r\n'],
    ['a negative size', '-1\r\n'],
    ['an endless size', `${'f'.repeat(17)}\r\n`],
    ['more bytes than it says', '1\r\nxx\r\n'],
    ['no end after a whole plant', '17\r\n{"id":0,"name":"Ficus"}\r\nx'],
    ['a trailer that is none', '17\r\n{"id":0,"name":"Ficus"}\r\n0\r\nx\r\n\r\n'],
  ])('such as a chunk with %s, is refused', async (_what, chunks) => {
    const bytes = request({ headers: CHUNKED, body: `${chunks}\r\n` });
    await expectRefusal(bytes, 40003, MALFORMED);
  });

  it('such as a body that ends before its length, is refused', async () => {
    const connection = (await open()).send(request({ headers: { 'Content-Length': '99' }, body: ficus() })).finish();
    expectError(await connection.answer(), 40003, MALFORMED);
    expect(await connection.closed()).toBe('');
    expect(service.rows()).not.toContainEqual(stored());
  });
});

describe('a request that Node accepts and HTTP does not, or that is ambiguous', () => {
  const bearer = (): string => `Bearer ${service.token}`;
  const several = (header: string): string => `expected one ${header} header, got several`;
  const ENCODED = 'expected percent-encoded UTF-8 in the path and query';
  it.each<[what: string, parts: () => RequestParts, message: string]>([
    ['two tokens', () => ({ headers: { Authorization: [bearer(), bearer()] } }), several('authorization')],
    ['two tokens in two spellings', () => ({ headers: { AUTHORIZATION: bearer() } }), several('authorization')],
    ['two types', () => ({ headers: { 'content-type': 'application/json' } }), several('content-type')],
    ['two hosts', () => ({ headers: { host: 'localhost' } }), several('host')],
    ['no host', () => ({ headers: { Host: undefined } }), 'expected a host header with a host'],
    ['a percent sign alone in the path', () => ({ line: 'POST /plants% HTTP/1.1' }), ENCODED],
    ['a percent sign alone in the query', () => ({ line: 'POST /plants?% HTTP/1.1' }), ENCODED],
    ['percent-encoded Latin-1', () => ({ line: 'POST /plants?name=%E4 HTTP/1.1' }), ENCODED],
    ['a percent-encoded surrogate', () => ({ line: 'POST /%ED%A0%80 HTTP/1.1' }), ENCODED],
    ['a percent-encoded overlong slash', () => ({ line: 'POST /%C0%AF HTTP/1.1' }), ENCODED],
  ])('such as %s, is refused', async (_what, parts, message) => {
    const rows = service.rows();
    expectError(await ask(service.port, request({ body: ficus(), ...parts() })), 40003, message);
    expect(service.rows()).toEqual(rows);
  });

  it('is none with a list in several headers: it is taken', async () => {
    const lists = { 'Cache-Control': ['no-cache', 'no-store'], 'X-Forwarded-For': ['192.0.2.1', '192.0.2.2'] };
    expect(await ask(service.port, request({ body: ficus(), headers: lists }))).toMatchObject({ status: 200 });
    expect(service.rows()).toContainEqual(stored());
  });

  /** Whether Node's parser itself refuses a coding without a name. */
  const parserRefuses = Number.parseFloat(process.versions.llhttp ?? '') >= 9.4;

  it.each([
    ['another coding', 'HTTP/1.1', 'gzip, chunked', 'expected no Transfer-Encoding but chunked'],
    ['an empty coding', 'HTTP/1.1', '', parserRefuses ? MALFORMED : 'expected no Transfer-Encoding but chunked'],
    ['chunks in HTTP/1.0', 'HTTP/1.0', 'chunked', 'expected no Transfer-Encoding in HTTP/1.0'],
  ])('such as %s, is the last of its connection (RFC 9112 section 6.1)', async (_what, version, coding, message) => {
    const headers = { Connection: 'keep-alive', 'Content-Length': undefined, 'Transfer-Encoding': coding };
    const plant = ficus();
    const body = coding === '' ? '' : `${plant.length.toString(16)}\r\n${plant}\r\n0\r\n\r\n`;
    const bytes = Buffer.concat([request({ line: `POST /plants ${version}`, headers, body }), request()]);
    await expectRefusal(bytes, 40003, message);
  });

  it('such as a body over the limit, is the last of its connection, which is not read to its end (RFC 9112 section 9.6)', async () => {
    const bytes = Buffer.concat([request({ body: JSON.stringify({ name: 'x'.repeat(200_000) }) }), request()]);
    await expectRefusal(bytes, 41301, 'expected a body of at most 102400 bytes');
  });

  const INVALID_HOSTS = [
    ...['local host', 'localhost/', 'user@localhost', 'x:abc', 'x:-1', 'x:1:2', ':x', '%zz', '%', 'pl\xe4nts'],
    ...['[zz]', '[', '[]', '[::1', '::1', '[::1]x', '[::1%25eth0]', '[127.0.0.1]', '[v.x]', `${'a'.repeat(9_000)}/`],
  ];
  it.each(INVALID_HOSTS)('such as the host %p, is refused (RFC 9112 section 3.2)', async (host) => {
    const answer = await ask(service.port, request({ headers: { Host: host }, body: ficus() }));
    expectError(answer, 40003, 'expected a host header with a host');
    expect(service.rows()).not.toContainEqual(stored());
  });

  it.each(['x:abc', '[zz]', '%zz', 'user@localhost'])(
    'such as the host %p in its target, is refused (RFC 9112 section 3.2.2)',
    async (host) => {
      const answer = await ask(service.port, request({ line: `POST http://${host}/plants HTTP/1.1`, body: ficus() }));
      expectError(answer, 40003, 'expected a target with a valid host');
      expect(service.rows()).not.toContainEqual(stored());
    },
  );

  it.each(['', 'x', 'x:', 'x:80', 'X_y.z~1', '127.0.0.1:3000', '%70lants', '[::1]', '[::ffff:1.2.3.4]:80', '[v1.x:y]'])(
    'is not one with the host %p (RFC 9112 section 3.2)',
    async (host) => {
      const answer = await ask(service.port, request({ headers: { Host: host }, body: ficus() }));
      expect(answer).toMatchObject({ status: 200 });
      expect(service.rows()).toContainEqual(stored());
    },
  );

  it('such as a second token behind as many headers as there may be, is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`h${index}`, '']));
    const headers = { ...many, authorization: bearer() };
    expectError(await ask(service.port, request({ headers })), 40003, several('authorization'));
  });

  it.each(['200-maybe', '100-continue, 200-maybe', '100-continue;x', ''])(
    'such as the expectation %p, fails',
    async (expect) => {
      const message = 'expected no Expect header, or 100-continue';
      await expectRefusal(request({ headers: { Expect: expect, 'Content-Length': '9' } }), 41701, message);
    },
  );
});

describe('a request that is too large before its body', () => {
  const TOO_LARGE = [
    43101,
    `expected a request line and headers of at most ${HEADER_BYTES_MAX} bytes, and fewer than 200 headers`,
  ] as const;

  it.each([
    ['a header', { headers: { 'X-Long': 'x'.repeat(HEADER_BYTES_MAX) } }],
    ['a name of a header', { headers: { ['x'.repeat(HEADER_BYTES_MAX)]: 'long' } }],
    ['a number of headers', { headers: { 'X-Many': Array<string>(3_000).fill('') } }],
    ['a target', { line: `POST /${'x'.repeat(HEADER_BYTES_MAX)} HTTP/1.1` }],
    ['a query', { line: `POST /plants?${'x'.repeat(HEADER_BYTES_MAX)} HTTP/1.1` }],
  ])('because of %s, is refused', async (_what, parts) => {
    await expectRefusal(request(parts), ...TOO_LARGE);
  });

  it('because of many small headers, is refused, and one with fewer is not', async () => {
    const withHeaders = (count: number): Buffer =>
      request({ headers: { Connection: 'close', 'X-Many': Array<string>(count).fill('') }, body: ficus() });
    const others = withHeaders(0).toString().split('\r\n\r\n')[0]?.split('\r\n').length ?? 0;
    const rows = service.rows();
    for (const count of [200, 1_000]) {
      const { status, body } = await lastAnswer(service.port, withHeaders(count));
      // From Node 24 on its parser refuses them.
      const error = /^\{"error":43101,"message":"expected .*\bfewer than 200 headers"\}$/;
      expect([status, body]).toEqual([431, expect.stringMatching(error)]);
    }
    expect(service.rows()).toEqual(rows);
    expect(await lastAnswer(service.port, withHeaders(200 - others))).toMatchObject({ status: 200 });
  });

  it('gets its answer although it never ends, and is read no further', async () => {
    const connection = (await open()).send('POST /plants HTTP/1.1\r\n');
    expect(await connection.flood(`X-Long: ${'x'.repeat(1_000)}\r\n`)).toBeLessThan(20_000_000);
    expectError(await connection.answer(), ...TOO_LARGE);
    expect(await connection.closed()).toBe('');
  });
});

describe('a request that does not arrive in time', () => {
  let hasty: TestService;
  beforeAll(async () => {
    hasty = await start({ headersMs: 50, requestMs: 100 });
  });
  beforeEach(() => {
    service = hasty;
  });

  it.each([
    ['nothing of it has', () => ''],
    ['half its first line has', () => 'POST /pla'],
    ['half its headers have', () => 'POST /plants HTTP/1.1\r\nHost: x\r\n'],
    ['all but one byte of its body has', () => request().subarray(0, -1)],
    ['no end of its chunks has', () => request({ headers: CHUNKED })],
  ])('is refused where %s', async (_what, bytes) => {
    await expectRefusal(bytes(), 40801, 'the request did not arrive in time');
  });

  it('is not read on: what comes after the refusal is not stored', async () => {
    const bytes = request();
    const connection = (await open()).send(bytes.subarray(0, -1));
    expectError(await connection.answer(), 40801, 'the request did not arrive in time');
    await connection.send(bytes.subarray(-1)).flood(' ');
    expect(service.rows()).toEqual([]);
  });
});

describe('any other method', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD', 'PROPFIND', 'QUERY', 'CONNECT', 'M-SEARCH'])(
    '%s of a path that does not have it answers 405 with those it has',
    async (method) => {
      const parts = { line: `${method} /plants HTTP/1.1`, headers: { Connection: 'close', Authorization: undefined } };
      const answer = await lastAnswer(service.port, request(parts), method);
      expect(answer.headers.allow).toBe('POST');
      if (method === 'HEAD') expect(answer).toMatchObject({ status: 405, body: '' });
      else expectError(answer, 40501, 'expected one of the methods POST');
    },
  );

  it.each(['BREW', 'post', 'GE', 'GETX', 'DESCRIBE', 'P-!', 'x'.repeat(5_000)])(
    '%s, which Node does not know, of a path that does not have it answers 405 with those it has (RFC 9110 section 9.1)',
    async (method) => {
      const earlier = request({ body: ficus() });
      const bytes = Buffer.concat([earlier, request({ line: `${method} /%70lants?x HTTP/1.1`, body: ficus() })]);
      const connection = (await open()).send(bytes);
      expect(await connection.answer()).toMatchObject({ status: 200 });
      const answer = await connection.answer();
      expectError(answer, 40501, 'expected one of the methods POST');
      expect(answer.headers).toMatchObject({ allow: 'POST', connection: 'close' });
      expect(await connection.closed()).toBe('');
      expect(service.rows()).not.toContainEqual(stored());
    },
  );

  it('BREW, which Node does not know, of an unknown path answers 404', async () => {
    const bytes = request({ line: 'BREW /nowhere HTTP/1.1', headers: { Host: undefined } });
    await expectRefusal(bytes, 40401, 'expected a path of the contract: /plants');
  });

  it.each([
    ['HEAD /nowhere', 'HEAD', ''],
    ['OPTIONS *', 'OPTIONS', ': /plants'],
    ['CONNECT localhost:443', 'CONNECT', ''],
    ['CONNECT [::1]:443', 'CONNECT', ': /plants'],
  ])('%s answers 404', async (line, method, hint) => {
    const parts = { line: `${line} HTTP/1.1`, headers: { Connection: 'close' } };
    const answer = await lastAnswer(service.port, request(parts), method);
    if (method === 'HEAD') expect(answer).toMatchObject({ status: 404, body: '' });
    else expectError(answer, 40401, `expected a path of the contract${hint}`);
  });

  it('CONNECT gets no tunnel: what comes after it is no request', async () => {
    const connect = request({ line: 'CONNECT localhost:443 HTTP/1.1' });
    const answer = await lastAnswer(service.port, Buffer.concat([connect, request()]), 'CONNECT');
    expect(answer.status).toBe(404);
    expect(service.rows()).not.toContainEqual(stored());
  });

  it('CONNECT behind a request that is not answered yet closes the connection, and leaves nothing of it', async () => {
    letGo = [];
    const connect = request({ line: 'CONNECT localhost:443 HTTP/1.1' });
    const connection = (await open()).send(Buffer.concat([request({ body: ficus('slow') }), connect, request()]));
    expect(await connection.closed()).toBe('');
    for (const go of letGo) go();
    expect(await ask(service.port, request())).toMatchObject({ status: 200 });
    expect(service.rows()).not.toContainEqual(stored(id - 1));
  });
});

describe('several requests on one connection', () => {
  it('are answered in their order', async () => {
    const connection = (await open()).send(Buffer.concat([request(), request({ line: 'GET / HTTP/1.1' }), request()]));
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus","tag":"quick"}' });
    expectError(await connection.answer(), 40401, 'expected a path of the contract: /plants');
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus","tag":"quick"}' });
    connection.destroy();
    expect(service.rows()).toEqual(expect.arrayContaining([stored(id), stored(id - 1)]));
  });

  it.each([
    ['is malformed', () => 'hello\r\n\r\n', 40003, NO_METHOD],
    ['does not arrive in time', () => 'POST /pla', 40801, 'the request did not arrive in time'],
    ['has a malformed body', () => request({ headers: CHUNKED, body: 'x\r\n' }), 40003, MALFORMED],
  ])('are answered in their order where a later one %s', async (_what, later, error, message) => {
    if (error === 40801) service = await start({ headersMs: 500, requestMs: 700 });
    letGo = [];
    const slow = [request({ body: ficus('slow') }), request({ body: ficus('slow') })];
    const connection = (await open()).send(Buffer.concat([...slow, Buffer.from(later())]));
    while (letGo.length < 2) await new Promise(setImmediate);
    // Time for the later request to be refused while the earlier ones are still unanswered.
    await new Promise((resolve) => setTimeout(resolve, error === 40801 ? 900 : 20));
    for (const go of letGo) go();
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus","tag":"slow"}' });
    expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus","tag":"slow"}' });
    expectError(await connection.answer(), error, message);
    expect(await connection.closed()).toBe('');
    expect(service.rows()).toEqual(expect.arrayContaining([stored(id), stored(id - 1)]));
  });

  it('keep a large answer whole when nonsense follows it', async () => {
    const name = 'x'.repeat(90_000);
    const connection = (await open()).send(request({ body: JSON.stringify({ id: ++id, name }) })).send('hello\r\n\r\n');
    expect(await connection.answer()).toMatchObject({ status: 200, body: JSON.stringify({ name }) });
    expectError(await connection.answer(), 40003, NO_METHOD);
    expect(await connection.closed()).toBe('');
  });
});

describe('a request in another form', () => {
  it.each(['http://localhost/plants', 'HTTP://localhost:3000/plants', 'https://plants.example/plants'])(
    'with the target %s is taken',
    async (target) => {
      const answer = await ask(service.port, request({ line: `POST ${target} HTTP/1.1`, body: ficus() }));
      expect(answer.status).toBe(200);
      expect(service.rows()).toContainEqual(stored());
    },
  );

  it.each(['http://localhost', 'http://localhost?x=/plants', 'http:///plants', 'ftp://localhost/plants'])(
    'with the target %s has no path of the contract',
    async (target) => {
      const answer = await ask(service.port, request({ line: `POST ${target} HTTP/1.1`, body: ficus() }));
      expectError(answer, 40401, 'expected a path of the contract: /plants');
      expect(service.rows()).not.toContainEqual(stored());
    },
  );

  const UPGRADES = [
    ['a web socket', { Connection: 'Upgrade', Upgrade: 'websocket' }],
    ['HTTP/2', { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' }],
  ] as const;
  it.each(UPGRADES)(
    'that asks for %s is answered as it stands, as the last of its connection',
    async (_what, headers) => {
      const bytes = Buffer.concat([request(), request({ headers, body: ficus() }), request()]);
      const connection = (await open()).send(bytes);
      expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
      expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
      expect(await connection.closed()).toBe('');
      expect(service.rows()).toContainEqual(stored(id - 1));
      expect(service.rows()).not.toContainEqual(stored());
    },
  );

  it.each([
    ['HTTP/1.0', 'HTTP/1.0', {}],
    ['HTTP/1.0 without a host', 'HTTP/1.0', { Host: undefined }],
    ['HTTP/1.1 and Connection: close', 'HTTP/1.1', { Connection: 'close' }],
  ])('in %s is answered, and the connection closed', async (_what, version, headers) => {
    const answer = await lastAnswer(service.port, request({ line: `POST /plants ${version}`, headers, body: ficus() }));
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(service.rows()).toContainEqual(stored());
  });
});

describe('a client that disconnects', () => {
  it.each([
    ['within its headers', () => 'POST /plants HTTP/1.1\r\nHost'],
    ['within its body', () => request().subarray(0, -1)],
    ['after nonsense', () => 'hello\r\n\r\n'],
    ['after CONNECT', () => request({ line: 'CONNECT localhost:443 HTTP/1.1' })],
    ['after its request', () => request({ headers: { Connection: 'close' }, body: ficus() })],
  ])('%s leaves the service running', async (_what, bytes) => {
    for (let times = 0; times < 10; times++) {
      const connection = (await open()).send(bytes());
      if (times % 2) await new Promise(setImmediate);
      connection.reset();
    }
    expect(await ask(service.port, request())).toMatchObject({ status: 200 });
  });
});

it('a client that pipelines without pause keeps no other waiting, and gets all its answers in their order', async () => {
  const [flood, other] = [await usedConnection(service.port), await usedConnection(service.port)];
  const count = 2_500; // as many as one read brings
  flood.send(Buffer.concat([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count)), request()]));
  const last = id;
  other.send(request());
  expect(await other.answer()).toMatchObject({ status: 200 });
  expect(flood.countReceived(/HTTP\/1\.1 /g)).toBeLessThan(500);
  const statuses: number[] = [];
  while (statuses.length <= count) statuses.push((await flood.answer()).status);
  expect(statuses).toEqual([...Array<number>(count).fill(404), 200]);
  expect(service.rows()).toEqual(expect.arrayContaining([stored(last), stored()]));
  // Both are read on afterwards.
  for (const connection of [flood, other]) {
    expect(await connection.send(request()).answer()).toMatchObject({ status: 200 });
    connection.destroy();
  }
});

it('a request behind the first 16 is read to its end, whose body comes once they are answered', async () => {
  const connection = await open();
  const whole = request();
  const headers = whole.indexOf('\r\n\r\n') + 4;
  const before = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16));
  connection.send(Buffer.concat([before, whole.subarray(0, headers)]));
  for (let answered = 0; answered < 16; answered++) expect((await connection.answer()).status).toBe(404);
  expect(await connection.send(whole.subarray(headers)).answer()).toMatchObject({ status: 200 });
  connection.destroy();
});

it('a client that brings more than 100 behind those that are served, while others wait, is closed and parsed no further', async () => {
  letGo = [];
  let parsed = 0;
  service.server.on('request', () => parsed++);
  const slow = Array.from({ length: 16 }, () => request({ body: ficus('slow') }));
  const behind = (count: number): Buffer => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
  const [one, other, flood] = [await open(), await open(), await open()];
  for (const connection of [one, other]) connection.send(Buffer.concat([...slow, behind(100)]));
  while (parsed < 2 * 116) await new Promise(setImmediate);
  expect(await flood.send(behind(1_800)).closed()).not.toContain('HTTP/1.1 200');
  expect(parsed).toBe(2 * 116 + 117);
  for (const go of letGo) go();
  for (const connection of [one, other]) {
    for (let answered = 0; answered < 116; answered++) await connection.answer();
    connection.destroy();
  }
});

it.each<[what: string, last: string, status: number, body?: string]>([
  ['asks for an upgrade', `${GET}Upgrade: x\r\n\r\n`, 404],
  ['is of HTTP/1.0', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 404],
  ['is framed in doubt', `${GET}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['is answered before its body comes', `${GET}Content-Length: 3\r\n\r\n`, 404, 'abc'],
])('behind one that %s, requests are neither served nor parsed', async (_what, last, status, rest = '') => {
  letGo = [];
  let parsed = 0;
  service.server.on('request', () => parsed++);
  const connection = (await open()).send(Buffer.concat([request({ body: ficus('slow') }), Buffer.from(last)]));
  const slow = stored();
  while (parsed < 2) await new Promise(setImmediate);
  await ask(service.port, request());
  connection.send(Buffer.from(`${rest}${GET}\r\n${UPGRADING}${`${GET}\r\n`.repeat(5_000)}`));
  for (let times = 0; times < 3; times++) await ask(service.port, request());
  expect(parsed - 4).toBeLessThanOrEqual(4);
  for (const go of letGo) go();
  expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([200, status]);
  expect(await connection.closed()).toBe('');
  expect(service.rows()).toContainEqual(slow);
});

it('a client that resets the connection behind an upgrade that is not served leaves the service running', async () => {
  letGo = [];
  const last = request({ line: 'POST /plants HTTP/1.0', headers: { Connection: 'keep-alive' }, body: ficus('slow') });
  const slowId = id;
  const connection = (await open()).send(Buffer.concat([last, Buffer.from(`${GET}\r\n${UPGRADING}`)]));
  while (letGo.length === 0) await new Promise(setImmediate);
  connection.reset();
  expect(await ask(service.port, request())).toMatchObject({ status: 200 });
  for (const go of letGo) go();
  while (!service.rows().some((row) => Number(row.id) === slowId)) await new Promise(setImmediate);
  for (let times = 0; times < 5; times++) expect(await ask(service.port, request())).toMatchObject({ status: 200 });
});

it('connections of a client that pipeline have one request each served, 113 more, and the others once answers are read', async () => {
  letGo = [];
  const count = 20;
  let parsed = 0;
  service.server.on('request', () => parsed++);
  const all = await Promise.all(Array.from({ length: count }, open));
  for (const connection of all)
    connection.send(Buffer.concat(Array.from({ length: 16 }, () => request({ body: ficus('slow') }))));
  while (parsed < count * 16 || letGo.length < count + 113) await new Promise(setImmediate);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate); // for one too many
  expect(letGo).toHaveLength(count + 113); // 8/9 of 128: a ninth is left for others
  const going = setInterval(() => {
    for (const go of letGo.splice(0)) go();
  }, 1);
  for (const connection of all) {
    for (let answered = 0; answered < 16; answered++)
      expect(await connection.answer()).toMatchObject({ status: 200, body: '{"name":"Ficus","tag":"slow"}' });
    connection.destroy();
  }
  clearInterval(going);
});

describe('a server with as many connections as there may be', () => {
  const FULL = { level: 40, connections: 2, msg: expect.stringContaining('file descriptors') as unknown };

  it('closes an idle one for a new one, first of all one that has brought no request, and logs it', async () => {
    service = await start({ connectionsMax: 2 });
    const [used, silent] = [await usedConnection(service.port), await open()];
    const another = await usedConnection(service.port);
    expect(await silent.closed()).toBe('');
    expect(await used.send(request()).answer()).toMatchObject({ status: 200 });
    expect(service.logged).toContainEqual(expect.objectContaining(FULL));
    const newest = await usedConnection(service.port);
    expect(await used.closed()).toBe('');
    for (const connection of [another, newest]) connection.destroy();
  });

  it('closes one of the client with most of them for another client if requests are under way on all', async () => {
    letGo = [];
    service = await start({ connectionsMax: 3 });
    const other = await RawConnection.open(service.port, '127.0.0.2');
    const busy = [await open(), await open()];
    for (const connection of [other, ...busy]) connection.send(request({ body: ficus('slow') }));
    while (letGo.length < 3) await new Promise(setImmediate);
    const another = (await RawConnection.open(service.port, '127.0.0.3')).send(request());
    expect(await another.answer()).toMatchObject({ status: 200 });
    expect(await busy[0]?.closed()).toBe('');
    for (const go of letGo) go();
    for (const connection of [other, busy[1]]) expect(await connection?.answer()).toMatchObject({ status: 200 });
    for (const connection of [other, another, ...busy]) connection.destroy();
  });

  it('closes the new one of a client that has most of them, and no idle one of another', async () => {
    letGo = [];
    service = await start({ connectionsMax: 3 });
    const busy = [await open(), await open()];
    for (const connection of busy) connection.send(request({ body: ficus('slow') }));
    while (letGo.length < 2) await new Promise(setImmediate);
    const other = await RawConnection.open(service.port, '127.0.0.2');
    expect(await (await open()).closed()).toBe('');
    expect(await other.send(request()).answer()).toMatchObject({ status: 200 });
    for (const go of letGo) go();
    for (const connection of busy) expect(await connection.answer()).toMatchObject({ status: 200 });
    for (const connection of [other, ...busy]) connection.destroy();
  });

  it('closes the new one if requests are under way on all others', async () => {
    letGo = [];
    service = await start({ connectionsMax: 2 });
    const busy = [await open(), await open()];
    for (const connection of busy) connection.send(request({ body: ficus('slow') }));
    while (letGo.length < 2) await new Promise(setImmediate);
    expect(await (await open()).closed()).toBe('');
    for (const go of letGo) go();
    for (const connection of busy) expect(await connection.answer()).toMatchObject({ status: 200 });
    for (const connection of busy) connection.destroy();
  });
});

describe('of 100 connections that bring 16 requests each, no more than a turn reads comes before', () => {
  const TURN = 17 * 16; // up to the connection with the 250th that is pipelined
  const burst = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16);
  let flood: RawConnection[];
  beforeEach(async () => {
    flood = await Promise.all(Array.from({ length: 100 }, open));
  });
  afterEach(() => {
    for (const connection of flood) connection.destroy();
  });

  /** How many other requests come before so many creates, from now on. */
  const countUntil = (creates: number): Promise<number> =>
    new Promise((resolve) => {
      let [count, left] = [0, creates];
      const look = ({ method }: IncomingMessage): void => {
        if (method === 'GET') return void count++;
        if (--left > 0) return;
        service.server.off('request', look);
        resolve(count);
      };
      service.server.on('request', look);
    });

  it('the request of a client that waits for its answers', async () => {
    const other = await usedConnection(service.port);
    const before = countUntil(1);
    for (const connection of flood) connection.send(burst);
    other.send(request());
    expect(await before).toBeLessThanOrEqual(TURN);
    expect(await other.answer()).toMatchObject({ status: 200 });
    other.destroy();
  });

  it('ten new connections, and no more than another before their requests', async () => {
    for (const connection of flood) connection.send(burst);
    for (const connection of flood) for (let answered = 0; answered < 16; answered++) await connection.answer();
    const before = countUntil(10);
    for (const connection of flood) connection.send(burst);
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service.port, request())));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await before).toBeLessThanOrEqual(2 * TURN);
  });
});
