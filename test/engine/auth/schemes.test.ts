/** The verifiers of HTTP basic authentication and of API keys, beside the one of bearer tokens. */
import { apiKey } from '../../../src/engine/auth/api-key';
import { basic } from '../../../src/engine/auth/basic';
import { bearer } from '../../../src/engine/auth/bearer';
import { proveSecured } from '../../../src/engine/auth/prove-secured';
import { makeToken, tokens, type TokenVerifier } from '../../../src/engine/auth/tokens';
import type { Principal } from '../../../src/engine/contract/handler-types';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { ContractProblems } from '../../../src/engine/contract/source';
import { canRead } from '../../../src/engine/http/media-type';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Gates, version: 1.0.0 }
paths:
  /basic: { get: { operationId: basic, security: [{ password: [] }], responses: { '204': { description: Open. } } } }
  /key: { get: { operationId: key, security: [{ key: [] }], responses: { '204': { description: Open. } } } }
  /any: { get: { operationId: any, security: [{ key: [] }, { password: [] }, { token: [] }], responses: { '204': { description: Open. } } } }
  /clear: { get: { operationId: clear, security: [{ key: [clear] }], responses: { '204': { description: Open. } } } }
components:
  securitySchemes:
    password: { type: http, scheme: Basic }
    key: { type: apiKey, in: header, name: X-Gate-Key }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://issuer.example/token', scopes: {} } } }
`);
const ids = ['basic', 'key', 'any', 'clear'];

const alice = makeToken('alice');
const bob = makeToken('bob');
const accepted = tokens(`${alice.line}\n${bob.line}`, 'the test');

const BASIC = 'Basic realm="plant-store", charset="UTF-8"';
const API_KEY = 'ApiKey realm="plant-store", header="X-Gate-Key"';
const BEARER = 'Bearer realm="plant-store"';

let letIn: (string | undefined)[] = [];
beforeEach(() => {
  letIn = [];
});

const handlers = handlersOf(
  Object.fromEntries(
    ids.map((id) => [
      id,
      (request: object) => {
        letIn.push((request as { principal?: Principal }).principal?.name);
        return { status: 204 };
      },
    ]),
  ),
);

const serve = (store: TokenVerifier): Promise<TestService> =>
  startService({
    contract,
    verifiers: { password: basic(store), key: apiKey(store), token: bearer(store) },
    handlers,
  });

let service: TestService;
beforeAll(async () => {
  service = await serve(accepted);
});
afterAll(() => service.close());

const knock = (path: string, headers: Record<string, string>, { port } = service) =>
  ask(
    port,
    [`GET ${path} HTTP/1.1`, 'Host: x', ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join('\r\n'),
    'GET',
  );
const basicOf = (text: string | Buffer): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});

it.each<[what: string, path: string, headers: Record<string, string>, who: string]>([
  ['a user and a password', '/basic', basicOf(`alice:${alice.token}`), 'alice'],
  [
    'the scheme in other letters',
    '/basic',
    { Authorization: basicOf(`bob:${bob.token}`).Authorization.replace('Basic', 'BASIC  ') },
    'bob',
  ],
  ['a key', '/key', { 'X-Gate-Key': bob.token }, 'bob'],
  ['a key in a header in other letters', '/key', { 'x-gate-KEY': bob.token }, 'bob'],
  ['a password where several would do', '/any', basicOf(`alice:${alice.token}`), 'alice'],
  ['a key where several would do', '/any', { 'X-Gate-Key': alice.token }, 'alice'],
  ['a bearer token of OAuth 2', '/any', { Authorization: `Bearer ${bob.token}` }, 'bob'],
])('lets in who has %s', async (_what, path, headers, who) => {
  expect(await knock(path, headers)).toMatchObject({ status: 204, body: '' });
  expect(letIn).toEqual([who]);
});

const NO_PASSWORD = 'expected a user and a password in the Authorization header';
const WRONG_PASSWORD = 'expected an accepted user and password';
const NO_KEY = 'expected an API key in the X-Gate-Key header';
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
  ['nothing of what would do', '/any', {}, 40101, NO_KEY, `${API_KEY}, ${BASIC}, ${BEARER}`],
  [
    'a wrong one of what would do',
    '/any',
    basicOf('alice:x'),
    40102,
    WRONG_PASSWORD,
    `${API_KEY}, ${BASIC}, ${BEARER}`,
  ],
])('refuses %s, and names the scheme', async (_what, path, headers, code, message, challenge) => {
  const answer = await knock(path, headers);
  expectError(answer, code, message);
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(letIn).toEqual([]);
});

it('refuses a key that comes twice', async () => {
  const twice = `GET /key HTTP/1.1\r\nHost: x\r\nX-Gate-Key: ${alice.token}\r\nX-Gate-Key: ${alice.token}\r\n\r\n`;
  expectError(await ask(service.port, twice, 'GET'), 40102, WRONG_KEY);
});

it('refuses a key that lacks a scope, without a challenge of bearer tokens', async () => {
  const answer = await knock('/clear', { 'X-Gate-Key': alice.token });
  expectError(answer, 40301, 'expected a credential with the scopes clear');
  expect(answer.headers['www-authenticate']).toBeUndefined();
});

it('answers 503 where the token store fails', async () => {
  const failing = await serve({ verify: () => Promise.reject(new Error('down')) });
  try {
    for (const [path, headers] of [
      ['/basic', basicOf('a:b')],
      ['/key', { 'X-Gate-Key': 'x' }],
    ] as const)
      expectError(await knock(path, headers, failing), 50301, 'the token store does not answer');
    expect(letIn).toEqual([]);
  } finally {
    await failing.close();
  }
});

const kinds = {
  password: { scheme: 'http basic' },
  key: { scheme: 'apiKey in header' },
  token: { scheme: 'http bearer' },
};

it('is proved at the start', async () => {
  const loaded = loadContract(contract, { handlers: ids, verifiers: kinds, canRead });
  await expect(proveSecured(service.server, loaded, '')).resolves.toBeUndefined();
});

it('is refused at the start under the name of a scheme of another kind', () => {
  const verifiers = { password: kinds.key, key: kinds.token, token: kinds.password };
  expect(() => loadContract(contract, { handlers: ids, verifiers, canRead })).toThrow(
    new ContractProblems([
      'openapi.yaml:11:15 security scheme password is http basic, and its verifier is for apiKey in header',
      'openapi.yaml:12:10 security scheme key is apiKey in header, and its verifier is for http bearer',
      'openapi.yaml:13:12 security scheme token is http bearer, and its verifier is for http basic',
    ]),
  );
});
