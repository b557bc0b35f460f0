/** Whom a mock lets in: any well-formed credential of the kind that an operation asks for, or one in particular. */
import { mockOf, type TestMock } from './mock-of';

const SCHEMES = {
  bearer: '{ type: http, scheme: bearer }',
  oauth:
    '{ type: oauth2, flows: { clientCredentials: { tokenUrl: https://issuer.example/, scopes: { read: Reads. } } } }',
  basic: '{ type: http, scheme: basic }',
  digest: '{ type: http, scheme: digest }',
  header: '{ type: apiKey, in: header, name: X-Key }',
  query: '{ type: apiKey, in: query, name: key }',
  cookie: '{ type: apiKey, in: cookie, name: key }',
};

const names = Object.keys(SCHEMES);
const CONTRACT = `
paths:
${names
  .map(
    (name) =>
      `  /${name}: { get: { operationId: ${name}, security: [{ ${name}: [${name === 'oauth' ? 'read' : ''}] }], responses: { '204': { description: In. } } } }`,
  )
  .join('\n')}
components: { securitySchemes: { ${Object.entries(SCHEMES)
  .map(([name, scheme]) => `${name}: ${scheme}`)
  .join(', ')} } }
`;

const basic = (password: string): string => `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`;
const request: Record<string, (secret: string) => [path: string, headers: Record<string, string>]> = {
  bearer: (secret) => ['/bearer', { Authorization: `Bearer ${secret}` }],
  oauth: (secret) => ['/oauth', { Authorization: `Bearer ${secret}` }],
  basic: (secret) => ['/basic', { Authorization: basic(secret) }],
  digest: (secret) => ['/digest', { Authorization: `Digest ${secret}` }],
  header: (secret) => ['/header', { 'X-Key': secret }],
  query: (secret) => [`/query?key=${secret}`, {}],
  cookie: (secret) => ['/cookie', { Cookie: `key=${secret}` }],
};

let any: TestMock;
let one: TestMock;
beforeAll(async () => {
  any = await mockOf(CONTRACT);
  one = await mockOf(CONTRACT, { token: 'this-one' });
});

it.each(names)('%s: a credential is asked for; any will do, or only the one that is named', async (name) => {
  const send = async (mock: TestMock, secret: string): Promise<number> => {
    const [path, headers] = request[name]?.(secret) ?? ['', {}];
    return (await mock.get(path, headers)).status;
  };
  expect((await any.get(`/${name}`)).status).toBe(401);
  expect([await send(any, 'another'), await send(one, 'another'), await send(one, 'this-one')]).toEqual([
    204, 401, 204,
  ]);
});

it.each(['Bearer', 'Bearer a b', 'Basic', 'Basic %', `Basic ${btoa('nobody')}`, 'Digest'])(
  '%s is no well-formed credential',
  async (authorization) => {
    const [scheme = ''] = authorization.toLowerCase().split(' ');
    const { status, headers } = await any.get(`/${scheme}`, { Authorization: authorization });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(new RegExp(`^${scheme} realm=`, 'i')),
    ]);
  },
);

it('says which credential is accepted', () => {
  expect(any.printed).toContain('Any credential is accepted, such as: mock\n');
  expect(one.printed).toContain('Accepted credential: this-one\n');
});
