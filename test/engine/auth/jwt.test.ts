import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { jwtVerifier } from '../../../src/engine/auth/jwt';
import type { TokenVerifier } from '../../../src/engine/auth/tokens';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, type RawAnswer } from '../../support/raw';
import { startService } from '../../support/service';
import { type Issuer, jwt, makeKey, type SigningKey, startIssuer } from './issuer';

const PLANT = '{"id":1,"name":"Ficus"}';
const key = makeKey('first');
const other = makeKey('second');

// Jest compiles jose when it is first loaded.
beforeAll(async () => void (await import('jose')), 60_000);

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
  issuer.published = [key];
});
afterEach(() => issuer.close());

const now = (): number => Math.floor(Date.now() / 1000);
/** What a good token says, but for what is said. */
const claims = (parts: object = {}): object => {
  return { iss: issuer.url, aud: 'plants', sub: 'alice', exp: now() + 60, ...parts };
};
const verifier = (options: object = {}): Promise<TokenVerifier> =>
  jwtVerifier({ issuer: issuer.url, audience: 'plants', timeoutMs: 300_000, ...options });
/** With the next character at its end: of the last of 86 only two bits of six say something. */
const respelt = (token: string): string =>
  token.slice(0, -1) + String.fromCharCode((token.codePointAt(token.length - 1) ?? 0) + 1);
const jwkOf = (of: SigningKey) => of.publicKey.export({ format: 'jwk' });
/** Signs with the public key as if it were a secret. */
const hmac = (input: string) =>
  createHmac('sha256', key.publicKey.export({ type: 'spki', format: 'pem' }))
    .update(input)
    .digest();

describe('a signed JWT', () => {
  it.each<[what: string, claims: () => object, principal: object]>([
    ['is that of its subject', claims, { name: 'jwt/alice' }],
    ['has the scopes that it says', () => claims({ scope: 'a  b' }), { name: 'jwt/alice', scopes: ['a', 'b'] }],
    ['has no scopes where it says that it has none', () => claims({ scope: '' }), { name: 'jwt/alice', scopes: [] }],
    ['may be for several audiences', () => claims({ aud: ['animals', 'plants'] }), { name: 'jwt/alice' }],
    ['may have expired a moment ago', () => claims({ exp: now() - 3 }), { name: 'jwt/alice' }],
    ['may begin in a moment', () => claims({ nbf: now() + 3 }), { name: 'jwt/alice' }],
  ])('%s', async (_what, said, principal) => {
    expect(await (await verifier()).verify(jwt(key, said()))).toEqual(principal);
  });

  it.each<[what: string, token: () => string, reason: string]>([
    ['not yet valid', () => jwt(key, claims({ nbf: now() + 60 })), 'not yet valid'],
    ['without an end', () => jwt(key, claims({ exp: undefined })), 'exp'],
    ['for another audience', () => jwt(key, claims({ aud: 'animals' })), 'audience'],
    ['for no audience', () => jwt(key, claims({ aud: undefined })), 'audience'],
    ['of another issuer', () => jwt(key, claims({ iss: `${issuer.url}/` })), 'issuer'],
    ['of no issuer', () => jwt(key, claims({ iss: undefined })), 'issuer'],
    ['of nobody', () => jwt(key, claims({ sub: undefined })), 'sub'],
    ['of an empty subject', () => jwt(key, claims({ sub: '' })), 'unusable subject'],
    ['of an enormous subject', () => jwt(key, claims({ sub: 'x'.repeat(201) })), 'unusable subject'],
    ['of a subject that is no text', () => jwt(key, claims({ sub: 1 })), 'unusable subject'],
    ['of a subject that turns text', () => jwt(key, claims({ sub: 'ecila\u202E' })), 'unusable subject'],
    ...['alice\u200B', 'al\u00ADice', '\uFEFFalice', 'alice\u3164', 'alice\uFE0F', 'alice\u00A0b'].map(
      (sub): [string, () => string, string] => [
        `of the subject ${JSON.stringify(sub)}, which looks like another`,
        () => jwt(key, claims({ sub })),
        'unusable subject',
      ],
    ),
    ['whose signature is padded', () => `${jwt(key, claims())}==`, 'malformed'],
    ['whose signature is spelt in another way', () => respelt(jwt(key, claims())), 'malformed'],
    ['of a subject of two lines', () => jwt(key, claims({ sub: 'alice\nbob' })), 'unusable subject'],
    ['expired, of such a subject', () => jwt(key, claims({ exp: 0, sub: '\u2066' })), 'unusable subject'],
    ['for another purpose', () => jwt(key, claims(), { typ: 'logout+jwt' }), 'malformed, or of another type'],
    ['of a type that is no text', () => jwt(key, claims(), { typ: ['JWT'] }), 'malformed, or of another type'],
    ['signed with a key that is not in the set', () => jwt(other, claims()), 'unknown key'],
    ['signed with another key than it names', () => jwt({ ...other, kid: key.kid }, claims()), 'signature'],
    ['without a signature', () => jwt(key, claims(), {}, () => Buffer.alloc(0)), 'signature'],
    ['of the algorithm none', () => jwt(key, claims(), { alg: 'none' }, () => Buffer.alloc(0)), 'algorithm'],
    ['of the algorithm None', () => jwt(key, claims(), { alg: 'None' }, () => Buffer.alloc(0)), 'algorithm'],
    ['signed by HMAC with the public key', () => jwt(key, claims(), { alg: 'HS256' }, hmac), 'algorithm'],
    ['of another algorithm than its signature', () => jwt(key, claims(), { alg: 'ES384' }), 'unknown key'],
    ['of an algorithm of other keys', () => jwt(key, claims(), { alg: 'RS256' }), 'unknown key'],
    ['with a critical extension', () => jwt(key, claims(), { crit: ['x'], x: 1 }), 'not supported'],
    ['with a key of its own', () => jwt(other, claims(), { jwk: jwkOf(other) }), 'unknown key'],
    ['with the address of a key of its own', () => jwt(other, claims(), { jku: `${issuer.url}/mine` }), 'unknown key'],
    ['whose claims are no JSON', () => jwt(key, 'x' as never), 'malformed, or of another type'],
    ['that is dots', () => '..', 'malformed'],
  ])('%s is not accepted', async (_what, token, reason) => {
    const verdict = { refused: `JWT: ${reason}` };
    expect(await (await verifier({ cooldownMs: 0 })).verify(token())).toEqual(verdict);
  });

  it.each(['ES256', 'RS256'] as const)('may be signed by %s', async (alg) => {
    const own = makeKey('own', alg);
    issuer.published = [own];
    expect(await (await verifier()).verify(jwt(own, claims()))).toEqual({ name: 'jwt/alice' });
  });

  it.each(['opaque', 'a.b', 'a.b.c.d.e'])('is not what %p is', async (token) => {
    expect(await (await verifier()).verify(token)).toBeNull();
  });

  it.each(['JWT', 'at+jwt', 'application/AT+JWT'])('may be of the type %s', async (typ) => {
    expect(await (await verifier()).verify(jwt(key, claims(), { typ }))).toEqual({ name: 'jwt/alice' });
  });

  it('that has expired is the one of which a client is told why it is refused, and the log whose it was', async () => {
    const service = await startService({ tokens: await verifier() });
    const answerTo = (token: string): Promise<RawAnswer> => ask(service.port, plantRequest({ token }, { body: PLANT }));
    const expired = await answerTo(jwt(key, claims({ exp: now() - 60 })));
    expectError(expired, 40102, 'expected an accepted bearer token, got one that has expired');
    const refused = await answerTo(jwt(key, claims({ aud: 'x' })));
    const challenge = 'Bearer realm="OpenAPI Plant Store", error="invalid_token"';
    expect([expired, refused].map(({ headers }) => headers['www-authenticate'])).toEqual([
      `${challenge}, error_description="The access token expired"`,
      challenge,
    ]);
    await eventually(() =>
      expect(service.logged.flatMap(({ msg, reason }) => (msg === 'request' ? [reason] : []))).toEqual([
        'token of jwt/alice, expired',
        'JWT: audience',
      ]),
    );
  });

  it('that is enormous is not accepted, as HTTP has it', async () => {
    const service = await startService({ tokens: await verifier() });
    const status = async (length: number): Promise<number> => {
      const token = jwt(key, claims({ x: 'x'.repeat(length) }));
      return (await ask(service.port, plantRequest({ token }, { body: PLANT }))).status;
    };
    expect([await status(10), await status(5_000), await status(20_000)]).toEqual([200, 200, 431]);
  });

  it('whatever was changed in it is refused, and nothing else', async () => {
    const verify = await verifier();
    const token = jwt(key, claims());
    for (let index = 0; index < token.length; index += 7) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      expect([index, await verify.verify(changed)]).not.toEqual([index, { name: 'jwt/alice' }]);
    }
  });
});

describe('the key set', () => {
  it('is found by discovery, or where the configuration says', async () => {
    expect(await (await verifier()).verify(jwt(key, claims()))).toEqual({ name: 'jwt/alice' });
    const configured = await verifier({ jwksUrl: `${issuer.url}/keys` });
    expect(await configured.verify(jwt(key, claims()))).toEqual({ name: 'jwt/alice' });
    issuer.fault = (res) =>
      res.end(JSON.stringify({ issuer: 'https://other.example', jwks_uri: `${issuer.url}/keys` }));
    await expect((await verifier()).verify(jwt(key, claims()))).rejects.toThrow(`expected the issuer ${issuer.url}`);
  });

  it('is asked for once for many tokens', async () => {
    const verify = await verifier();
    await Promise.all(Array.from({ length: 20 }, async () => verify.verify(jwt(key, claims()))));
    expect(issuer.asked).toBe(1);
  });

  it('is asked for again for an unknown key id: a key may be rotated', async () => {
    const verify = await verifier({ cooldownMs: 0 });
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'jwt/alice' });
    issuer.published = [other];
    expect(await verify.verify(jwt(other, claims()))).toEqual({ name: 'jwt/alice' });
    expect(await verify.verify(jwt(key, claims({ jti: 'another' })))).toEqual({ refused: 'JWT: unknown key' });
  });

  it('is asked for again for an unknown key id where the clock has been set back since', async () => {
    const later = Date.now() + 3_600_000;
    const verify = await verifier();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    await verify.verify(jwt(key, claims()));
    clock.mockRestore();
    issuer.published = [other];
    expect(await verify.verify(jwt(other, claims()))).toEqual({ name: 'jwt/alice' });
  });

  it('is not asked for again by every unknown key id', async () => {
    const verify = await verifier();
    for (let index = 0; index < 20; index++)
      expect(await verify.verify(jwt(makeKeyId(index), claims()))).toEqual({ refused: 'JWT: unknown key' });
    expect(issuer.asked).toBe(1);
  });

  const packed = gzipSync(' '.repeat(5_000_000));
  it.each<[what: string, fault: NonNullable<Issuer['fault']>, message: string]>([
    ['is down', (res) => void res.socket?.destroy(), 'fetch failed'],
    ['fails', (res) => void res.writeHead(500).end(), 'expected status 200, got 500'],
    ['is elsewhere', (res) => void res.writeHead(302, { location: '/keys' }).end(), 'expected status 200, got 302'],
    ['does not answer', () => undefined, 'timeout'],
    ['never ends', (res) => void res.write('{'), 'timeout'],
    ['is no JSON', (res) => void res.end('<html>'), 'Unexpected token'],
    ['is no key set', (res) => void res.end('{}'), 'expected a key set'],
    ['has keys that are none', (res) => void res.end('{"keys":[1]}'), 'expected a key set'],
    ['is too large', (res) => void res.end(' '.repeat(1_048_577)), 'expected at most 1048576 bytes'],
    ['is too large unpacked', (res) => void res.setHeader('Content-Encoding', 'gzip').end(packed), 'at most 1048576'],
  ])('that %s is a failure of the issuer, which not every token repeats', async (_what, fault, message) => {
    let asked = 0;
    issuer.fault = (res) => {
      asked++;
      fault(res);
    };
    const limit = message === 'timeout' ? { timeoutMs: 100 } : {};
    const tokens = await verifier({ jwksUrl: `${issuer.url}/keys`, ...limit });
    const token = jwt(key, claims());
    let clock = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
    await expect(tokens.verify(token)).rejects.toThrow(`the keys of ${issuer.url} cannot be had: `);
    await expect(tokens.verify(token)).rejects.toThrow(message);
    expect(asked).toBeLessThanOrEqual(1); // on a busy machine the time is over before the question arrives
    issuer.fault = undefined;
    // A busy machine may need more than one attempt to answer within the limit.
    await eventually(async () => {
      clock += 2_000;
      expect(await tokens.verify(token)).toEqual({ name: 'jwt/alice' });
    });
    jest.restoreAllMocks();
  });

  it('that has a key that cannot be used is no failure: tokens of that key are refused', async () => {
    const modulus = Buffer.alloc(64, 255).toString('base64url'); // 512 bits
    for (const n of [1, '', modulus]) {
      issuer.fault = (res) => res.end(JSON.stringify({ keys: [{ kty: 'RSA', kid: key.kid, e: 'AQAB', n }] }));
      const tokens = await verifier({ jwksUrl: `${issuer.url}/keys` });
      const refused = { refused: 'JWT: its key cannot be used' };
      expect(await tokens.verify(jwt(key, claims(), { alg: 'RS256' }))).toEqual(refused);
    }
  });

  it('that fails does not matter to keys that are known', async () => {
    const verify = await verifier({ cacheMs: 0 });
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'jwt/alice' });
    issuer.fault = (res) => void res.writeHead(500).end();
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'jwt/alice' });
  });
});

describe('a JWT that was just accepted', () => {
  const REAL = ['performance', 'setImmediate', 'setInterval', 'setTimeout', 'nextTick', 'queueMicrotask'] as const;
  const inTwoMinutes = () => jest.useFakeTimers({ now: Date.now() + 120_000, doNotFake: [...REAL] });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is accepted for a moment without being verified, and then no more', async () => {
    const tokens = await verifier();
    const token = jwt(key, claims({ exp: now() + 60 }));
    expect(await tokens.verify(token)).toEqual({ name: 'jwt/alice' });
    inTwoMinutes();
    const start = performance.now();
    expect(await tokens.verify(token)).toEqual({ name: 'jwt/alice' });
    jest.spyOn(performance, 'now').mockReturnValue(start + 1_001);
    expect(await tokens.verify(token)).toEqual({ refused: 'token of jwt/alice, expired', expired: true });
  });

  it('is one of a thousand at most', async () => {
    const tokens = await verifier({ cacheMs: 3_600_000 });
    const [first = '', ...others] = Array.from({ length: 1_001 }, (_, index) => jwt(key, claims({ jti: index })));
    for (const token of [first, ...others]) await tokens.verify(token);
    inTwoMinutes();
    expect(await tokens.verify(first)).toMatchObject({ expired: true });
    expect(await tokens.verify(others.at(-1) ?? '')).toEqual({ name: 'jwt/alice' });
  });
});

/** A key of another id, which costs nothing to make. */
function makeKeyId(index: number): SigningKey {
  return { ...other, kid: `unknown-${index}` };
}
