import { gzipSync } from 'node:zlib';
import { CHUNKED, chunk } from '../../support/chunks';
import { expectError } from '../../support/errors';
import { ask, lastAnswer, plantRequest, type RawAnswer, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const BODY_BYTES_MAX = 1_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ bodyBytesMax: BODY_BYTES_MAX });
});

let id = 0;
const ficus = (): string => `{"id":${++id},"name":"Ficus"}`;
const stored = (): object => ({ id: BigInt(id), name: 'Ficus', tag: null });

/** Sends a request that must store nothing, and resolves to its answer. */
async function refusal(parts: RequestParts, send = ask): Promise<RawAnswer> {
  const rows = service.rows();
  const answer = await send(service.port, plantRequest(service, parts));
  expect(service.rows()).toEqual(rows);
  return answer;
}

describe('POST /plants', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; Charset="Utf-8"',
    'application/json \t;\t charset=utf-8',
  ])('takes a body of %s', async (type) => {
    const answer = await ask(service.port, plantRequest(service, { headers: { 'Content-Type': type }, body: ficus() }));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(service.rows()).toContainEqual(stored());
  });

  it.each([
    ...[undefined, '', 'application', 'application/', '/json', 'json', 'application/json;', 'application/json; '],
    ...[
      '; charset',
      '; charset=',
      '; charset=utf8',
      '; charset=utf-16',
      '; charset=iso-8859-1',
      '; charset="utf-8',
    ].map((parameters) => `application/json${parameters}`),
    ...["application/json; charset='utf-8'", 'application/json; charset=utf-8; charset=utf-8'],
    ...['application/json; charset=utf-8; version=1', 'application/json; version=1; charset=utf-8'],
    ...['application/json; version=1', 'application/json charset=utf-8', 'application/json, application/json'],
    ...['application/json, text/plain', 'application/jsonx', 'application/x-json', 'application/problem+json'],
    ...['application/*', '*/*', 'text/json', 'text/plain', 'application/x-www-form-urlencoded'],
    ...['multipart/form-data; boundary=x', 'constructor', '__proto__', '\u00a0application/json'],
  ])('refuses a body of the type %p', async (type) => {
    await refusesType(type, type === undefined || type === '' ? 'none' : type.trimEnd().replace('\u00a0', '?'));
  });

  it('says of a type only what a terminal or a page shows as it is', async () => {
    await refusesType('text/<b>&"\'\u009b31m', 'text/?b??"\'?31m');
  });

  it.each([
    ['thousands of parameters', `application/json${'; a=b'.repeat(2_000)}`],
    ['thousands of spaces', `application/json${' '.repeat(10_000)}; charset`],
    ['thousands of letters', 'a'.repeat(10_000)],
  ])('refuses a body of a type of %s', async (_what, type) => {
    await refusesType(type, `${type.slice(0, 60)}...`);
  });

  async function refusesType(type: string | undefined, got: string): Promise<void> {
    const answer = await refusal({ headers: { 'Content-Type': type }, body: ficus() });
    const expected = 'expected Content-Type application/json, with no parameter but charset=utf-8';
    expectError(answer, 41501, `${expected}, got ${got}`);
    expect(answer.headers).toMatchObject({ accept: 'application/json' }); // RFC 9110 section 15.5.16
    expect(answer.headers).not.toHaveProperty('accept-encoding');
  }

  it.each(['identity', 'IDENTITY'])('takes a body of the encoding %s', async (encoding) => {
    const parts = { headers: { 'Content-Encoding': encoding }, body: ficus() };
    const answer = await ask(service.port, plantRequest(service, parts));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(service.rows()).toContainEqual(stored());
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'utf-8', '*', '', 'identity, identity', 'identity, gzip'])(
    'refuses a body of the encoding %p',
    async (encoding) => {
      const answer = await refusal({ headers: { 'Content-Encoding': encoding }, body: gzipSync(ficus()) });
      expectError(answer, 41501, `expected no Content-Encoding but identity, got ${encoding || 'none'}`);
      expect(answer.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' });
    },
  );

  it('refuses a part of a body, of which it would store no more than that', async () => {
    const answer = await refusal({ headers: { 'Content-Range': 'bytes 0-27/90' }, body: ficus() });
    expectError(answer, 40003, 'expected a whole body, got a part of one (Content-Range)');
  });

  it.each([
    ['of length 0', { 'Content-Length': '0' }],
    ['of no length', { 'Content-Length': undefined }],
    ['and no type', { 'Content-Type': undefined }],
    ['and an encoding', { 'Content-Encoding': 'gzip' }],
    ['and an expectation', { Expect: '100-continue' }],
  ])('refuses a request without a body, %s', async (_what, headers) => {
    expectError(await refusal({ headers }), 40001, 'expected a body of application/json, got none');
  });

  it('refuses chunks without a byte in them', async () => {
    const answer = await refusal({ headers: CHUNKED, body: '0\r\n\r\n' });
    expectError(answer, 40001, 'expected JSON: expected a value at line 1, column 1: the text ends there');
  });

  it('refuses another type even without a body', async () => {
    const answer = await refusal({ headers: { 'Content-Type': 'text/plain' } });
    expect(answer.status).toBe(415);
  });
});

const TOO_LARGE = [41301, `expected a body of at most ${BODY_BYTES_MAX} bytes`] as const;

describe('POST /plants with a large body', () => {
  const largest = (): string => ficus().padEnd(BODY_BYTES_MAX);

  it('takes one that just fits', async () => {
    const answer = await ask(service.port, plantRequest(service, { body: largest() }));
    expect(answer.status).toBe(200);
    expect(service.rows()).toContainEqual(stored());
  });

  it.each([1, 7, BODY_BYTES_MAX])('takes one that just fits in chunks of %i bytes', async (size) => {
    const chunks = largest().match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    const body = `${chunks.map(chunk).join('')}0\r\n\r\n`;
    const answer = await ask(service.port, plantRequest(service, { headers: CHUNKED, body }));
    expect(answer.status).toBe(200);
    expect(service.rows()).toContainEqual(stored());
  });

  it.each([
    ['a byte too large', String(BODY_BYTES_MAX + 1)],
    ['a gigabyte', '1000000000'],
    ['more than a number says exactly', '9007199254740993'],
  ])('refuses one that is announced to be %s, before any of it has come', async (_what, length) => {
    const answer = await refusal({ headers: { 'Content-Length': length } }, lastAnswer);
    expectError(answer, ...TOO_LARGE);
    expect(answer.headers.connection).toBe('close');
  });

  it('refuses one of unknown length as soon as it is too large', async () => {
    const body = chunk(largest()) + chunk(' ');
    const answer = await refusal({ headers: CHUNKED, body }, lastAnswer);
    expectError(answer, ...TOO_LARGE);
    expect(answer.headers.connection).toBe('close');
  });

  it.each([
    ['a length', { 'Content-Length': '1000000000' }, ' '.repeat(65_536)],
    ['chunks', CHUNKED, chunk(' '.repeat(65_536))],
    ['chunks, and then something else', CHUNKED, `${chunk(' '.repeat(2_000))}?`],
  ])('answers a client that goes on sending with %s, and reads no more of it', async (_what, headers, piece) => {
    const connection = (await RawConnection.open(service.port)).send(plantRequest(service, { headers }));
    // What fits into the socket buffers of both ends; reading on for half a second would take far more.
    expect(await connection.flood(piece)).toBeLessThan(20_000_000);
    expectError(await connection.answer(), ...TOO_LARGE);
    expect(await connection.closed()).toBe('');
  });
});

describe('POST /plants with Expect: 100-continue', () => {
  const EXPECT = { Expect: '100-continue' };

  it('gets 100 Continue before it sends the body', async () => {
    const body = ficus();
    const head = plantRequest(service, { headers: { ...EXPECT, 'Content-Length': String(body.length) } });
    const connection = (await RawConnection.open(service.port)).send(head);
    expect(await connection.answer()).toEqual({ status: 100, headers: {}, body: '' });
    expect(await connection.send(body).answer()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    connection.destroy();
    expect(service.rows()).toContainEqual(stored());
  });

  it.each([
    ['too large', { 'Content-Length': String(BODY_BYTES_MAX + 1) }, 413],
    ['of another type', { 'Content-Length': '9', 'Content-Type': 'text/plain' }, 415],
    ['of an unknown encoding', { 'Content-Length': '9', 'Content-Encoding': 'gzip' }, 415],
  ])('gets no 100 Continue for a body that is %s', async (_what, headers, status) => {
    const answer = await refusal({ headers: { ...EXPECT, ...headers } }, lastAnswer);
    expect(answer.status).toBe(status);
  });

  it('in HTTP/1.0, which has no such thing, gets its answer and nothing before', async () => {
    const line = 'POST /plants HTTP/1.0';
    const answer = await lastAnswer(service.port, plantRequest(service, { line, headers: EXPECT, body: ficus() }));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
  });
});
