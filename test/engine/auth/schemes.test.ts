/** The kinds of security schemes, each with its verifier, and what their challenges say. */
import { proveSecured } from '../../../src/engine/auth/prove-secured';
import { makeToken, tokens, type TokenVerifier } from '../../../src/engine/auth/tokens';
import { verifiersOf } from '../../../src/engine/auth/verifiers';
import type { Document } from '../../../src/engine/contract/document';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { readYaml } from '../../../src/engine/contract/read-yaml';
import { canRead } from '../../../src/engine/contract/media-type';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { ask } from '../../support/raw';

const GATES = `
openapi: 3.1.0
info: { title: "Das \\"Tor\\" \\\\ für \\e🌱", version: 1.0.0 }
paths:
  /basic: { get: { operationId: basic, security: [{ password: [] }], responses: { '204': { description: Open. } } } }
  /key: { get: { operationId: key, security: [{ key: [] }], responses: { '204': { description: Open. } } } }
  /query: { get: { operationId: query, security: [{ asked: [] }], responses: { '204': { description: Open. } } } }
  /cookie: { get: { operationId: cookie, security: [{ baked: [] }], responses: { '204': { description: Open. } } } }
  /rest: { get: { operationId: rest, security: [{ asked: [], baked: [] }], parameters: [{ name: all, in: query, schema: { type: object } }, { name: crumbs, in: cookie, schema: { type: object } }], responses: { '204': { description: Open. } } } }
  /any: { get: { operationId: any, security: [{ key: [] }, { password: [] }, { token: [] }], responses: { '204': { description: Open. } } } }
  /clear: { get: { operationId: clear, security: [{ key: [clear] }], responses: { '204': { description: Open. } } } }
components:
  securitySchemes:
    password: { type: http, scheme: Basic }
    key: { type: apiKey, in: header, name: X-Gate-Key }
    asked: { type: apiKey, in: query, name: 'gate key' }
    baked: { type: apiKey, in: cookie, name: gate }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://issuer.example/token', scopes: {} } } }
`;
const ids = ['basic', 'key', 'query', 'cookie', 'rest', 'any', 'clear'];

const alice = makeToken('alice');
const bob = makeToken('bob');
const accepted = tokens(`${alice.line}\n${bob.line}`, 'the test');

const REALM = String.raw`realm="Das \"Tor\" \\ f%C3%BCr %F0%9F%8C%B1"`;
const BASIC = `Basic ${REALM}, charset="UTF-8"`;
const API_KEY = `ApiKey ${REALM}, header="X-Gate-Key"`;
const QUERY = `ApiKey ${REALM}, query="gate key"`;
const COOKIE = `ApiKey ${REALM}, cookie="gate"`;
const ANY = `${API_KEY}, ${BASIC}, Bearer ${REALM}`;

const served = (store: TokenVerifier) => notingService(GATES, undefined, { tokens: store });
const noting = served(accepted);
const knock = noting.get;
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const basicOf = (text: string | Buffer) => ({ Authorization: `Basic ${base64(text)}` });

it.each<[what: string, path: string, headers: Record<string, string>, who: string]>([
  ['a user and a password', '/basic', basicOf(`alice:${alice.token}`), 'alice'],
  ['the scheme in other letters', '/basic', { Authorization: `BASIC  ${base64(`bob:${bob.token}`)}` }, 'bob'],
  ['a key', '/key', { 'X-Gate-Key': bob.token }, 'bob'],
  ['a key in a header in other letters', '/key', { 'x-gate-KEY': bob.token }, 'bob'],
  ['a key in the query', `/query?gate+key=${bob.token}`, {}, 'bob'],
  ['a key in the query under an encoded name', `/query?g%61te%20key=${bob.token}`, {}, 'bob'],
  ['a key in a cookie among others', '/cookie', { Cookie: `a=b; gate=${bob.token};gates=x` }, 'bob'],
  ['a password where several would do', '/any', basicOf(`alice:${alice.token}`), 'alice'],
  ['a key where several would do', '/any', { 'X-Gate-Key': alice.token }, 'alice'],
  ['a bearer token of OAuth 2', '/any', { Authorization: `Bearer ${bob.token}` }, 'bob'],
])('lets in who has %s', async (_what, path, headers, who) => {
  expect(await knock(path, headers)).toMatchObject({ status: 204, body: '' });
  expect(noting.seen?.principal?.name).toBe(who);
});

it('gives no handler a key as one of the parameters of any name', async () => {
  const Cookie = `a=b; gate=${bob.token}`;
  expect(await knock(`/rest?gate+key=${bob.token}&c=d`, { Cookie })).toMatchObject({ status: 204 });
  expect([noting.seen?.query, noting.seen?.cookie]).toEqual([{ all: { c: 'd' } }, { crumbs: { a: 'b' } }]);
});

const NO_PASSWORD = 'expected a user and a password in the Authorization header';
const WRONG_PASSWORD = 'expected an accepted user and password';
const NO_KEY = 'expected an API key in the X-Gate-Key header';
const NO_QUERY = 'expected an API key in the gate key query parameter';
const NO_COOKIE = 'expected an API key in the gate cookie';
const WRONG_KEY = 'expected an accepted API key';

it.each<
  [what: string, path: string, headers: Record<string, string>, code: number, message: string, challenge: string]
>([
  ['no credential', '/basic', {}, 40101, NO_PASSWORD, BASIC],
  ['another scheme', '/basic', { Authorization: `Bearer ${alice.token}` }, 40101, NO_PASSWORD, BASIC],
  ['a scheme that begins alike', '/basic', { Authorization: 'Basically x' }, 40101, NO_PASSWORD, BASIC],
  ['nothing behind the scheme', '/basic', { Authorization: 'Basic' }, 40102, WRONG_PASSWORD, BASIC],
  ['no Base64', '/basic', { Authorization: `Basic alice:${alice.token}` }, 40102, WRONG_PASSWORD, BASIC],
  ['no colon', '/basic', basicOf(alice.token), 40102, WRONG_PASSWORD, BASIC],
  ['the password of another user', '/basic', basicOf(`bob:${alice.token}`), 40102, WRONG_PASSWORD, BASIC],
  ['no user', '/basic', basicOf(`:${alice.token}`), 40102, WRONG_PASSWORD, BASIC],
  ['no password', '/basic', basicOf('alice:'), 40102, WRONG_PASSWORD, BASIC],
  ['a password with a colon more', '/basic', basicOf(`alice::${alice.token}`), 40102, WRONG_PASSWORD, BASIC],
  ['no UTF-8', '/basic', basicOf(Buffer.from(`alice:\xff`, 'latin1')), 40102, WRONG_PASSWORD, BASIC],
  ['no key', '/key', {}, 40101, NO_KEY, API_KEY],
  ['an empty key', '/key', { 'X-Gate-Key': '' }, 40101, NO_KEY, API_KEY],
  ['a key in the query', `/key?X-Gate-Key=${alice.token}`, {}, 40101, NO_KEY, API_KEY],
  ['a wrong key', '/key', { 'X-Gate-Key': 'x' }, 40102, WRONG_KEY, API_KEY],
  ['a key with a scheme', '/key', { 'X-Gate-Key': `Bearer ${alice.token}` }, 40102, WRONG_KEY, API_KEY],
  ['no key in the query', '/query', { 'gate-key': alice.token, Cookie: 'gate key=x' }, 40101, NO_QUERY, QUERY],
  ['a key that is empty in the query', '/query?gate+key=', {}, 40101, NO_QUERY, QUERY],
  ['a key in the query in other letters', `/query?Gate+Key=${alice.token}`, {}, 40101, NO_QUERY, QUERY],
  ['a wrong key in the query', '/query?gate+key=x', {}, 40102, WRONG_KEY, QUERY],
  ['a key and another in the query', `/query?gate+key=${bob.token}&g%61te+key=x`, {}, 40102, WRONG_KEY, QUERY],
  ['a key and an empty one in the query', `/query?gate+key=&gate+key=${bob.token}`, {}, 40102, WRONG_KEY, QUERY],
  ['no key in a cookie', `/cookie?gate=${alice.token}`, { gate: alice.token, Cookie: 'a=b' }, 40101, NO_COOKIE, COOKIE],
  ['a key in a cookie of other letters', '/cookie', { Cookie: `Gate=${bob.token}` }, 40101, NO_COOKIE, COOKIE],
  ['a wrong key in a cookie', '/cookie', { Cookie: `gate=x${alice.token}` }, 40102, WRONG_KEY, COOKIE],
  ['a key and another in cookies', '/cookie', { Cookie: `gate=${bob.token}; gate=x` }, 40102, WRONG_KEY, COOKIE],
  ['nothing of what would do', '/any', {}, 40101, NO_KEY, ANY],
  ['a wrong one of what would do', '/any', basicOf('alice:x'), 40102, WRONG_PASSWORD, ANY],
])('refuses %s, and names the scheme', async (_what, path, headers, code, message, challenge) => {
  const answer = await knock(path, headers);
  expectError(answer, code, message);
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(noting.seen).toBeUndefined();
});

it('refuses a key that comes in two headers', async () => {
  for (const name of ['X-Gate-Key', 'Cookie']) {
    const header = `${name}: ${name === 'Cookie' ? 'gate=' : ''}${alice.token}\r\n`;
    const path = name === 'Cookie' ? '/cookie' : '/key';
    const bytes = `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}${header}\r\n`;
    expectError(await ask(noting.service.port, bytes, 'GET'), 40102, WRONG_KEY);
  }
});

it('logs no key', () => {
  expect(noting.service.logged.length).toBeGreaterThan(20);
  expect(JSON.stringify(noting.service.logged)).not.toContain(alice.token);
  expect(JSON.stringify(noting.service.logged)).not.toContain(bob.token);
});

it('refuses a key that lacks a scope, without a challenge of bearer tokens', async () => {
  const answer = await knock('/clear', { 'X-Gate-Key': alice.token });
  expectError(answer, 40301, 'expected a credential with the scopes clear');
  expect(answer.headers['www-authenticate']).toBeUndefined();
});

describe('a token store that fails', () => {
  const failing = served({ verify: () => Promise.reject(new Error('down')) });
  it.each([
    ['/basic', basicOf('a:b')],
    ['/key', { 'X-Gate-Key': 'x' }],
  ])('is answered with 503 at %s', async (path, headers) => {
    expectError(await failing.get(path, headers), 50301, 'the token store does not answer');
    expect(failing.seen).toBeUndefined();
  });
});

it('has no verifier for a kind that none is of, and takes one of the service first', () => {
  const own = { scheme: 'http basic', verify: () => ({ name: 'anybody' }) };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Gates', version: '1.0.0' },
    components: { securitySchemes: { a: { type: 'mutualTLS' }, b: { type: 'http', scheme: 'Basic' } } },
  };
  expect(verifiersOf(document, { tokens: accepted }, { b: own })).toEqual({ b: own });
});

it('is proved at the start', async () => {
  const verifiers = verifiersOf(readYaml(noting.contract).value as Document, { tokens: accepted });
  const loaded = loadContract(noting.contract, { handlers: ids, verifiers, canRead });
  await expect(proveSecured(noting.service.app, loaded, '')).resolves.toBeUndefined();
});
