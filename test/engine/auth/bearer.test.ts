import { bearer } from '../../../src/engine/auth/bearer';
import type { TokenVerifier, Verdict } from '../../../src/engine/auth/tokens';
import { CHUNKED } from '../../support/chunks';
import { expectError } from '../../support/errors';
import { ask, lastAnswer, plantRequest, type RawAnswer, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const body = '{"id":1,"name":"Ficus"}';
const alice = { name: 'alice' };
const MISSING = [40101, 'expected a bearer token in the Authorization header'] as const;
const INVALID = [40102, 'expected an accepted bearer token'] as const;
const AS = 'as "Bearer TOKEN", ';
const CHALLENGE = 'Bearer realm="OpenAPI Plant Store"';

describe('POST /plants', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });

  const withCredential = (Authorization: string | undefined, parts: RequestParts = { body }): Buffer =>
    plantRequest(service, { ...parts, headers: { ...parts.headers, Authorization } });

  /** Expects a refusal with what was got, if that is told. */
  async function refuses(bytes: Buffer, [error, message]: readonly [number, string], got?: string): Promise<RawAnswer> {
    const rows = service.rows();
    const answer = await ask(service.port, bytes);
    expectError(answer, error, got === undefined ? message : `${message}, ${error === 40101 ? AS : ''}got ${got}`);
    expect(service.rows()).toEqual(rows);
    return answer;
  }

  it.each<[what: string, credential: string | undefined, got?: string]>([
    ['is missing', undefined],
    ['is empty', ''],
    ['is of another scheme', 'Basic dXNlcjpwYXNzd29yZA==', 'the scheme Basic'],
    ['is of a scheme that begins alike', 'BearerToken x', 'another scheme'],
    ['is a token alone', 'x', 'one word'],
    ['is of two schemes', 'Basic x, Bearer x', 'the scheme Basic'],
  ])('answers 401 where the credential %s', async (_what, credential, ...[got]) => {
    const answer = await refuses(withCredential(credential), MISSING, got);
    expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
  });

  it.each<[what: string, credential: (token: string) => string, got?: string]>([
    ['no token', () => 'Bearer', 'none behind Bearer'],
    ['a wrong token', () => 'Bearer wrong'],
    ['a token that is wrong at its end', (token: string) => `Bearer ${token}x`],
    ['a token that is cut', (token: string) => `Bearer ${token.slice(0, -1)}`],
    ['a token in other letters', (token: string) => `Bearer ${token.toUpperCase()}`],
    ['a token behind a tab', (token: string) => `Bearer \t${token}`, 'characters that no token has'],
    ['a token and another', (token: string) => `Bearer ${token} ${token}`, 'several words'],
    ['a token and a comma', (token: string) => `Bearer ${token},`, 'characters that no token has'],
    ['a token in quotes', (token: string) => `Bearer "${token}"`, 'one in quotes'],
    ['a token with a padding that it has not', (token: string) => `Bearer ${token}=`],
    ['a digest', () => `Bearer ${'0'.repeat(64)}`],
    ['a token of thousands of letters', () => `Bearer ${'x'.repeat(10_000)}`],
    ['thousands of letters and a mark', () => `Bearer ${'='.repeat(10_000)}!`, 'characters that no token has'],
    ['a key of an object', () => 'Bearer __proto__'],
  ])('answers 401 for %s', async (_what, credential, ...[got]) => {
    const answer = await refuses(withCredential(credential(service.token)), INVALID, got);
    expect(answer.headers['www-authenticate']).toBe(`${CHALLENGE}, error="invalid_token"`);
  });

  const SPELLINGS = ['Bearer', 'bearer', 'BEARER', 'Bearer ', `Bearer${' '.repeat(1_000)}`];
  it.each(SPELLINGS)('takes the token behind %p and a space (RFC 6750 section 2.1)', async (scheme) => {
    const answer = await ask(service.port, withCredential(`${scheme} ${service.token}`));
    expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
  });

  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  it.each<[what: string, parts: (token: string) => RequestParts, got?: string]>([
    ['in the body', (token) => ({ body: `{"id":2,"name":"Ficus","access_token":"${token}"}` })],
    ['in a form', (token) => ({ body: `access_token=${token}`, headers: FORM })],
    ['in the query', (token) => ({ body, line: `POST /plants?access_token=${token} HTTP/1.1` }), 'one in the query'],
    ['in a cookie', (token) => ({ body, headers: { Cookie: `access_token=${token}` } })],
    ['for a proxy', (token) => ({ body, headers: { 'Proxy-Authorization': `Bearer ${token}`, 'X-Token': token } })],
  ])('ignores a token %s', async (_what, parts, ...[got]) => {
    await refuses(withCredential(undefined, parts(service.token)), MISSING, got);
  });

  it('takes a plant that has a property access_token', async () => {
    const parts = { body: '{"id":3,"name":"Ficus","access_token":"x"}' };
    expect(await ask(service.port, withCredential(`Bearer ${service.token}`, parts))).toMatchObject({ status: 200 });
    expect(service.rows()).toContainEqual({ id: 3n, name: 'Ficus', tag: null });
  });

  describe('without a valid token', () => {
    it.each<[what: string, parts: RequestParts]>([
      ['is no JSON', { body: 'hello' }],
      ['is not what the contract asks for', { body: '{}' }],
      ['is missing', {}],
      ['is of another type', { body, headers: { 'Content-Type': 'text/plain' } }],
      ['is of an unknown encoding', { body, headers: { 'Content-Encoding': 'br' } }],
      ['is too large', { body: 'x'.repeat(200_000) }],
      ['is malformed chunks', { body: 'x\r\n', headers: CHUNKED }],
      ['goes with a query', { body, line: 'POST /plants?x=1 HTTP/1.1' }],
    ])('answers 401 even if the body %s', async (_what, parts) => {
      expectError(await ask(service.port, withCredential(undefined, parts)), ...MISSING);
      expectError(await ask(service.port, withCredential('Bearer wrong', parts)), ...INVALID);
    });

    it.each([
      ['a body that is promised', { 'Content-Length': String(body.length) }],
      ['a gigabyte that is promised', { 'Content-Length': '1000000000' }],
      ['chunks that are promised', CHUNKED],
      ['a body that waits to be asked for', { 'Content-Length': '1000000000', Expect: '100-continue' }],
    ])('answers 401 before %s', async (_what, headers) => {
      const answer = await lastAnswer(service.port, withCredential('Bearer wrong', { headers }));
      expectError(answer, ...INVALID);
      expect(answer.headers.connection).toBe('close');
    });

    it('reads no body, however much is sent', async () => {
      const headers = { 'Content-Length': '1000000000' };
      const connection = (await RawConnection.open(service.port)).send(withCredential(undefined, { headers }));
      // What fits into the buffers of both ends.
      expect(await connection.flood('x'.repeat(65_536))).toBeLessThan(20_000_000);
      expectError(await connection.answer(), ...MISSING);
      expect(await connection.closed()).toBe('');
    });

    it('keeps the connection where the whole request has come', async () => {
      const connection = await RawConnection.open(service.port);
      expectError(await connection.send(withCredential(undefined)).answer(), ...MISSING);
      const accepted = withCredential(`Bearer ${service.token}`, { body: '{"id":4,"name":"Ficus"}' });
      expect(await connection.send(accepted).answer()).toMatchObject({ status: 200 });
      connection.destroy();
    });
  });
});

describe('a token store that fails', () => {
  const secret = new Error('secret');
  const fail = (): never => {
    throw secret;
  };
  const FAILURES: Record<string, (() => unknown) | undefined> = {
    throws: fail,
    'throws-nothing': () => {
      throw undefined;
    },
    rejects: () => Promise.reject(secret),

    'rejects-with-a-text': () => Promise.reject('secret'),
    'rejects-with-401': () => Promise.reject(Object.assign(new Error('secret'), { status: 401 })),
    'never-answers': () => new Promise(() => undefined),
    'rejects-too-late': () => new Promise((_resolve, reject) => setTimeout(() => reject(secret), 100)),
    'answers-true': () => true,
    'answers-false': () => false,
    'answers-nothing': () => undefined,
    'answers-a-text': () => 'tester',
    'answers-nobody': () => ({}),
    'answers-a-refusal-without-a-reason': () => ({ refused: true }),
    'answers-a-name-and-a-refusal-without-a-reason': () => ({ name: 'tester', refused: true }),
    'answers-a-number-for-a-name': () => ({ name: 1 }),
    'answers-what-throws': () => Object.defineProperty({}, 'name', { get: fail }),
    'answers-a-promise-that-throws': () => Object.defineProperty({}, 'then', { get: fail }),
  };
  /** Does what the token says. */
  const failing: TokenVerifier = {
    verify: (token) => (token in FAILURES ? (FAILURES[token]?.() as Verdict) : { name: 'tester' }),
  };

  let service: TestService;
  beforeAll(async () => {
    service = await startService({ verifiers: { bearerAuth: bearer({ tokens: failing, realm: 'x', timeoutMs: 50 }) } });
  });

  it.each(Object.keys(FAILURES))('because it %s gives 503, is logged, and lets nobody in', async (token) => {
    service.logged.length = 0;
    const answer = await ask(service.port, plantRequest({ token }, { body }));
    const msg = 'the token store does not answer';
    expectError(answer, 50301, msg);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const err: unknown = expect.anything();
    const line: unknown = expect.objectContaining({ level: 50, error: 50301, msg, err });
    expect(service.logged).toContainEqual(line);
    expect(service.rows()).toEqual([]);
  });

  it('gives 503 for a token that it has accepted before, in the same spelling or another', async () => {
    const verdicts: (() => Verdict | Promise<Verdict>)[] = [
      () => alice,
      () => Promise.reject(secret),
      () => Promise.resolve(alice),
      fail,
    ];
    const tokens: TokenVerifier = { verify: () => verdicts.shift()?.() ?? null };
    const own = await startService({ verifiers: { bearerAuth: bearer({ tokens, realm: 'x' }) } });
    const statuses: number[] = [];
    for (const scheme of ['Bearer', 'Bearer', 'bearer', 'Bearer', 'Bearer']) {
      const headers = { Authorization: `${scheme} ${own.token}` };
      statuses.push((await ask(own.port, plantRequest(own, { body, headers }))).status);
    }
    expect(statuses).toEqual([200, 503, 200, 503, 401]);
  });

  it('lets in whom it knows all the same', async () => {
    const token = 'fine';
    for (const failure of Object.keys(FAILURES))
      ask(service.port, plantRequest({ token: failure }, { body: '' })).catch(() => undefined); // cut when the test ends
    expect(await ask(service.port, plantRequest({ token }, { body }))).toMatchObject({ status: 200 });
  });
});

it('asks the token store for every request, so that a token that was accepted may not be', async () => {
  const stolen = { refused: 'stolen' };
  const accepted = [alice, alice, Promise.resolve(alice)];
  const verdicts: (Verdict | Promise<Verdict>)[] = [...accepted, null, stolen, { ...alice, ...stolen }];
  const service = await startService({ tokens: { verify: () => verdicts.shift() ?? null } });
  const statuses: number[] = [];
  for (const _verdict of [...verdicts])
    statuses.push((await ask(service.port, plantRequest(service, { body }))).status);
  expect(statuses).toEqual([200, 200, 200, 401, 401, 401]);
});
