import { createHmac } from 'node:crypto';
import { bearer } from '../../../src/engine/auth/bearer';
import { jwtVerifier } from '../../../src/engine/auth/jwt';
import type { TokenVerifier } from '../../../src/engine/auth/tokens';
import { ask, plantRequest } from '../../support/raw';
import { startService } from '../../support/service';
import { type Issuer, jwt, makeKey, type SigningKey, startIssuer } from './issuer';

const key = makeKey('first');
const other = makeKey('second');

let issuer: Issuer;
beforeEach(async () => {
  issuer = await startIssuer();
  issuer.published = [key];
});
afterEach(() => issuer.close());

const now = (): number => Math.floor(Date.now() / 1000);
/** What a good token says, but for what is said. */
const claims = (parts: object = {}): object => ({
  iss: issuer.url,
  aud: 'plants',
  sub: 'alice',
  exp: now() + 60,
  ...parts,
});
const verifier = (options: object = {}): Promise<TokenVerifier> =>
  jwtVerifier({ issuer: issuer.url, audience: 'plants', ...options });
const publicPem = (of: SigningKey): string => of.publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('a signed JWT', () => {
  it.each<[what: string, claims: () => object, principal: object]>([
    ['is that of its subject', claims, { name: 'alice' }],
    [
      'has the scopes that it says',
      () => claims({ scope: 'plants:write  plants:read' }),
      { name: 'alice', scopes: ['plants:write', 'plants:read'] },
    ],
    ['has no scopes where it says that it has none', () => claims({ scope: '' }), { name: 'alice', scopes: [] }],
    ['may be for several audiences', () => claims({ aud: ['animals', 'plants'] }), { name: 'alice' }],
    ['may have expired a moment ago', () => claims({ exp: now() - 3 }), { name: 'alice' }],
    ['may begin in a moment', () => claims({ nbf: now() + 3 }), { name: 'alice' }],
  ])('%s', async (_what, said, principal) => {
    expect(await (await verifier()).verify(jwt(key, said()))).toEqual(principal);
  });

  it.each<[what: string, token: () => string]>([
    ['expired', () => jwt(key, claims({ exp: now() - 60 }))],
    ['without an end', () => jwt(key, claims({ exp: undefined }))],
    ['not yet valid', () => jwt(key, claims({ nbf: now() + 60 }))],
    ['for another audience', () => jwt(key, claims({ aud: 'animals' }))],
    ['for no audience', () => jwt(key, claims({ aud: undefined }))],
    ['of another issuer', () => jwt(key, claims({ iss: `${issuer.url}/` }))],
    ['of no issuer', () => jwt(key, claims({ iss: undefined }))],
    ['of nobody', () => jwt(key, claims({ sub: undefined }))],
    ['of an empty subject', () => jwt(key, claims({ sub: '' }))],
    ['of an enormous subject', () => jwt(key, claims({ sub: 'x'.repeat(5_000) }))],
    ['of a subject that is no text', () => jwt(key, claims({ sub: 1 }))],
    ['signed with a key that is not in the set', () => jwt(other, claims())],
    ['signed with another key than it names', () => jwt({ ...other, kid: key.kid }, claims())],
    ['without a signature', () => jwt(key, claims(), {}, () => Buffer.alloc(0))],
    ['of the algorithm none', () => jwt(key, claims(), { alg: 'none' }, () => Buffer.alloc(0))],
    ['of the algorithm None', () => jwt(key, claims(), { alg: 'None' }, () => Buffer.alloc(0))],
    [
      'signed by HMAC with the public key',
      () =>
        jwt(key, claims(), { alg: 'HS256' }, (input) => createHmac('sha256', publicPem(key)).update(input).digest()),
    ],
    ['of another algorithm than its signature', () => jwt(key, claims(), { alg: 'PS256' })],
    ['of an algorithm of other keys', () => jwt(key, claims(), { alg: 'ES256' })],
    ['with a critical extension', () => jwt(key, claims(), { crit: ['x'], x: 1 })],
    ['with a key of its own', () => jwt(other, claims(), { jwk: other.publicKey.export({ format: 'jwk' }) })],
    ['with the address of a key of its own', () => jwt(other, claims(), { jku: `${issuer.url}/mine` })],
    [
      'whose claims were changed',
      () =>
        jwt(key, claims()).replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify(claims({ sub: 'bob' }))).toString('base64url')}.`,
        ),
    ],
    ['whose claims are no JSON', () => jwt(key, 'x' as never)],
    ['of two parts', () => jwt(key, claims()).replace(/\.[^.]*$/, '')],
    ['of five parts', () => `${jwt(key, claims())}.x.x`],
    ['that is none', () => 'opaque'],
    ['that is dots', () => '..'],
  ])('%s is not accepted', async (_what, token) => {
    expect(await (await verifier({ cooldownMs: 0 })).verify(token())).toBeNull();
  });

  it('that is enormous is not accepted, as HTTP has it', async () => {
    const service = await startService({ verifiers: { bearerAuth: bearer(await verifier()) } });
    try {
      const status = async (length: number): Promise<number> => {
        const token = jwt(key, claims({ x: 'x'.repeat(length) }));
        return (await ask(service.port, plantRequest({ token }, { body: '{"id":1,"name":"Ficus"}' }))).status;
      };
      expect([await status(10), await status(5_000), await status(20_000)]).toEqual([200, 200, 431]);
    } finally {
      await service.close();
    }
  });

  it('whatever was changed in it is refused, and nothing else', async () => {
    const verify = await verifier();
    const token = jwt(key, claims());
    for (let index = 0; index < token.length; index++) {
      const changed = token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);
      // The last character of a signature has bits that say nothing.
      if (
        Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
          Buffer.from(token.split('.')[2] ?? '', 'base64url'),
        ) &&
        index > token.lastIndexOf('.')
      )
        continue;
      expect([index, await verify.verify(changed)]).toEqual([index, null]);
    }
  });
});

describe('the key set', () => {
  it('is found by discovery, or where the configuration says', async () => {
    expect(await (await verifier()).verify(jwt(key, claims()))).toEqual({ name: 'alice' });
    expect(await (await verifier({ jwksUrl: `${issuer.url}/keys` })).verify(jwt(key, claims()))).toEqual({
      name: 'alice',
    });
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
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'alice' });
    issuer.published = [other];
    expect(await verify.verify(jwt(other, claims()))).toEqual({ name: 'alice' });
    expect(await verify.verify(jwt(key, claims()))).toBeNull();
  });

  it('is not asked for again by every unknown key id', async () => {
    const verify = await verifier();
    for (let index = 0; index < 20; index++) expect(await verify.verify(jwt(makeKeyId(index), claims()))).toBeNull();
    expect(issuer.asked).toBe(1);
  });

  it.each<[what: string, fault: Issuer['fault'], message: RegExp]>([
    ['is down', (res) => void res.socket?.destroy(), /fetch failed/],
    ['fails', (res) => void res.writeHead(500).end(), /expected status 200, got 500/],
    ['is not there', (res) => void res.writeHead(404).end(), /expected status 200, got 404/],
    ['does not answer', () => undefined, /timed out/],
    ['is no JSON', (res) => void res.end('<html>'), /./],
    ['is no key set', (res) => void res.end('{}'), /./],
  ])('that %s lets nobody in, and is a failure of the issuer', async (_what, fault, message) => {
    const verify = await verifier({ jwksUrl: `${issuer.url}/keys`, timeoutMs: 200 });
    issuer.fault = fault;
    await expect(verify.verify(jwt(key, claims()))).rejects.toThrow(message);
    const service = await startService({ verifiers: { bearerAuth: bearer(verify) } });
    try {
      const answer = await ask(
        service.port,
        plantRequest({ token: jwt(key, claims()) }, { body: '{"id":1,"name":"Ficus"}' }),
      );
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(answer.body).toBe('{"error":50301,"message":"the token store does not answer"}');
    } finally {
      await service.close();
    }
  });

  it('that fails is asked again a moment later, and not by each token', async () => {
    const verify = await verifier();
    let asked = 0;
    issuer.fault = (res) => {
      asked++;
      res.writeHead(500).end();
    };
    for (let times = 0; times < 10; times++) await expect(verify.verify(jwt(key, claims()))).rejects.toThrow('got 500');
    expect(asked).toBe(1);
    issuer.fault = undefined;
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'alice' });
    jest.restoreAllMocks();
  });

  it('that fails does not matter to keys that are known', async () => {
    const verify = await verifier();
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'alice' });
    issuer.fault = (res) => void res.writeHead(500).end();
    expect(await verify.verify(jwt(key, claims()))).toEqual({ name: 'alice' });
  });
});

/** A key of another id, which costs nothing to make. */
function makeKeyId(index: number): SigningKey {
  return { ...other, kid: `unknown-${index}` };
}
