/** The suite holds any server to any contract: the same one, ours, one of others' libraries, and one that checks nothing. */
import type { OutgoingHttpHeaders } from 'node:http';
import { readContract } from '../../../src/tools/conformance/contract';
import { checkConformance, type Options, type Runs } from '../../../src/tools/conformance/suite';
import type { Finding, Verdict } from '../../../src/tools/conformance/verdict';
import { contractOf } from '../../support/contracts';
import { mockOf } from '../mock/mock-of';
import { type Books, booksFile, serving, servingBodies, startCareless, startExpress, startOurs } from './books';

const FEW: Runs = { valid: 5, edge: 1, invalid: 1, unauthenticated: 1, undeclared: 1, shrinks: 20, changes: 28 };
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded'];
const contract = readContract(booksFile);

async function verdictOn(start: () => Promise<Books>, options: Options = {}): Promise<Verdict> {
  const { url, credentials, close } = await start();
  try {
    return await checkConformance(contract, { url, credentials }, { seed: 1, runs: FEW, write: true, ...options });
  } finally {
    await close();
  }
}
const lines = (findings: readonly Finding[]): string[] => findings.map(({ where, problem }) => `${where} ${problem}`);

it('finds nothing in ours', async () => {
  const { findings, untried } = await verdictOn(startOurs);
  expect([lines(findings), untried]).toEqual([[], []]);
});

it('finds in one of express-openapi-validator that it reads a fraction as an integer and takes an int32 out of range, and warns of what no contract forbids', async () => {
  const { findings, warnings, untried } = await verdictOn(startExpress);
  expect(lines(findings)).toEqual([
    'POST /books accepts an invalid body/pages, expected 400',
    'POST /books accepts an invalid body/sequel/pages, expected 400',
    'GET /books accepts an invalid query filter/pages, expected 400',
    'GET /books accepts an invalid query ids/0, expected 400',
  ]);
  expect(findings[3]).toMatchObject({
    contract: expect.stringMatching(/^openapi\.yaml:\d+:5 declares 200, 400; query ids \/0 must .+$/),
    request: { method: 'GET', target: expect.stringMatching(/^\/v2\/books\?ids=/) },
    answer: { status: 200 },
  });
  expect(lines(warnings)).toEqual([
    'POST /books answers 415 to no body, expected 400',
    'POST /books answers 415, which is not declared',
    'POST /books accepts a body of application/json that is no UTF-8, expected 400',
    'POST /books answers 400 to a valid request, expected it to be accepted', // with the key in the query that it asks for
    'GET /books/{isbn} answers 400, which is not declared',
    ...['/books', '/books/{isbn}'].flatMap((path) => [
      `${path} answers 405 to another method, expected 405 with Allow of those that are declared`,
      `${path} accepts a path with a trailing slash, expected 404`,
      `${path} accepts a path with other letter case, expected 404`,
    ]),
  ]);
  expect(untried).toEqual([]);
});

it('finds in one that looks at nothing what it lets in, takes and answers', async () => {
  const { findings } = await verdictOn(startCareless, { only: ['readBook'] });
  const lets = (request: string): string => `GET /books/{isbn} lets in ${request}, expected 401`;
  expect(lines(findings)).toEqual([
    ...[
      'a request without a credential',
      'an invalid request without a credential',
      'a request with an unknown key for session',
      'a request with a key that every object has for session',
      'a request with an empty key for session',
      'a request with an accepted key and more for session',
    ].map(lets),
    // In answer to an accepted key in another letter case, of which a warning tells.
    'GET /books/{isbn} answers 200 with a wrong body: /addedAt must match format "date-time"',
    ...[
      'a request with the beginning of an accepted key for session',
      'a request with its key in a header for session',
      'a request with its key in a query for session',
      ...[
        'an unknown token',
        'a token that every object has',
        'a scheme without a token',
        'another scheme',
        'its token in the query',
        'its token in a cookie',
        'a token without a scheme',
        'an accepted token and more',
        'the beginning of an accepted token',
      ].map((what) => `a request with ${what} for login`),
      ...['user', 'key', 'client'].map((name) => `a request with a credential of another scheme, ${name}`),
      'a request with credentials of other schemes, key and client',
      'a HEAD request without a credential',
    ].map(lets),
    'GET /books/{isbn} accepts an invalid path isbn, expected 400',
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE'].map(
      (method) => `/books/{isbn} accepts ${method}, expected 405 with Allow of those that are declared`,
    ),
  ]);
});

it('finds nothing in one that makes one slash of two, and decodes a path before', async () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Items, version: 1.0.0 }
paths:
  /items/{sku}:
    get:
      operationId: readItem
      parameters: [{ name: sku, in: path, required: true, schema: { type: string, pattern: '^[A-Z]{3}$' } }]
      responses: { '204': { description: There. }, '400': { description: Refused. } }
`);
  const { url, close } = await serving((req, res) => {
    const [path = ''] = decodeURIComponent(req.url ?? '').split('?');
    const merged = path.replaceAll(/\/{2,}/g, '/');
    const [, sku] = /^\/items\/([^/]+)$/.exec(merged) ?? [];
    if (merged !== path) res.writeHead(308, { Location: encodeURI(merged) });
    else if (sku === undefined) res.writeHead(404);
    else if (req.method !== 'GET') res.writeHead(405, { Allow: 'GET' });
    else res.writeHead(/^[A-Z]{3}$/.test(sku) ? 204 : 400);
    res.end();
  });
  for (const seed of [1, 2, 3]) {
    const verdict = await checkConformance(readContract(file), { url, credentials: {} }, { seed, runs: FEW });
    expect(lines(verdict.findings)).toEqual([]);
  }
  close();
});

/** The verdict on a server of orders that reads JSON in its own way, of these media types. */
async function verdictOnOrders(
  read: (text: string) => unknown,
  mediaTypes: readonly (string | undefined)[] = ['application/json'],
): Promise<Verdict> {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [gift], properties: { gift: { type: boolean }, note: { type: string }, share: { type: number } } } } }
      responses: { '204': { description: Ordered. }, '400': { description: Refused. } }
`);
  const isOrder = (text: string): boolean => {
    try {
      const { gift, note = '', share = 0 } = read(text) as { gift?: boolean; note?: string; share?: number };
      return typeof gift === 'boolean' && typeof note === 'string' && typeof share === 'number';
    } catch {
      return false;
    }
  };
  const server = await servingBodies((req, res, body) => {
    const isTyped = mediaTypes.includes(req.headers['content-type']?.toLowerCase());
    const status = req.method !== 'POST' ? 405 : isTyped ? (isOrder(String(body)) ? 204 : 400) : 415;
    res.writeHead(status, { Allow: 'POST' }).end();
  });
  const target = { url: server.url, credentials: {} };
  const verdict = await checkConformance(readContract(file), target, { seed: 1, runs: FEW, write: true });
  server.close();
  return verdict;
}

it.each<[takes: string, what: string, read: (text: string) => unknown]>([
  ['an invalid syntax of a body', 'a comma at the end', (text) => JSON.parse(text.replace(/,\s*\}/g, '}'))],
  [
    'an invalid syntax of a body',
    'keys without quotes',
    (text) => JSON.parse(text.replaceAll(/([{,])(\w+):/g, '$1"$2":')),
  ],
  ['an invalid syntax of a body', 'a comment', (text) => JSON.parse(text.replace(/\/\*.*?\*\//, ''))],
  ['an invalid syntax of a body', 'a tab in a text', (text) => JSON.parse(text.replaceAll('\t', ' '))],
  ['an invalid syntax of a body', 'NaN', (text) => JSON.parse(text.replaceAll(/:NaN\b/g, ':0'))],
  ['an empty body of application/json', 'nothing', (text) => (text === '' ? { gift: true } : JSON.parse(text))],
])('finds in one that reads JSON in its own way that it takes %s: %s', async (takes, _what, read) => {
  const { findings, warnings } = await verdictOnOrders(read);
  expect(lines(findings)).toEqual([`POST /orders accepts ${takes}, expected 400`]);
  expect(lines(warnings)).toContain('POST /orders accepts a body of application/json that is no UTF-8, expected 400');
});

it('warns of one that finds out itself of which media type a body is that has none', async () => {
  const { findings, warnings } = await verdictOnOrders(JSON.parse, ['application/json', undefined]);
  expect(lines(findings)).toEqual([]);
  expect(lines(warnings)).toContain('POST /orders accepts a body of no media type, expected 415');
});

it('warns of one that takes one of two fields of a form with the same name', async () => {
  // A file in percent-encoding is not sent.
  const photo = (mediaType: string): string =>
    mediaType.startsWith('multipart/') ? ', photo: { type: string, format: binary }' : '';
  const form = (mediaType: string): string =>
    `${mediaType}: { schema: { type: object, required: [note], properties: { note: { type: string }${photo(mediaType)} } } }`;
  const file = contractOf(`
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: note
      requestBody: { required: true, content: { ${FORMS.map(form).join()} } }
      responses: { '204': { description: Noted. }, '400': { description: Refused. } }
`);
  const server = await servingBodies((req, res, body) => {
    const type = req.headers['content-type'] ?? '';
    if (req.method !== 'POST') return res.writeHead(405, { Allow: 'POST' }).end();
    if (!FORMS.includes(type.replace(/;.*/, '').toLowerCase())) return res.writeHead(415).end();
    const fields = new Response(body, { headers: { 'Content-Type': type } }).formData();
    return fields.then(
      (each) => res.writeHead(each.get('note') === null ? 400 : 204).end(),
      () => res.writeHead(400).end(),
    );
  });
  for (const seed of [1, 2, 3]) {
    const target = { url: server.url, credentials: {} };
    const verdict = await checkConformance(readContract(file), target, { seed, runs: FEW, write: true });
    expect(lines(verdict.findings)).toEqual([]);
    expect(lines(verdict.warnings)).toEqual(
      expect.arrayContaining(
        FORMS.map((mediaType) => `POST /notes accepts a field of ${mediaType} twice, expected 400`),
      ),
    );
  }
  server.close();
});

it.each<[sends: string, status: number, headers: OutgoingHttpHeaders, body: string, found: string[]]>([
  ['a media type of no content', 202, { 'Content-Type': 'text/html' }, '', []],
  ['a media type of no content', 204, { 'Content-Type': 'text/html' }, '', []],
  ['content', 202, {}, 'Done.', ['DELETE /orders answers 202 with a body, which is not declared']],
  [
    'the length of content',
    204,
    { 'Content-Length': '5' },
    '',
    ['DELETE /orders answers 204 with a body, which is not declared'],
  ],
])('judges one that sends %s with a %i that declares none', async (_sends, status, headers, body, found) => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths: { /orders: { delete: { operationId: cancel, responses: { '202': { description: Soon. }, '204': { description: Done. } } } } }
`);
  const server = await serving((req, res) => {
    if (req.method === 'DELETE') res.writeHead(status, headers).end(body);
    else res.writeHead(405, { Allow: 'DELETE' }).end();
  });
  const target = { url: server.url, credentials: {} };
  const { findings } = await checkConformance(readContract(file), target, { seed: 1, runs: FEW, write: true });
  server.close();
  expect(lines(findings)).toEqual(found);
});

it('finds nothing in one that answers methods it need not know with 501', async () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths: { /orders: { delete: { operationId: cancel, responses: { '204': { description: Done. } } } } }
`);
  const { url, close } = await serving(({ method = '' }, res) => {
    if (method === 'DELETE') res.writeHead(204).end();
    else res.writeHead(/^P(?:ROPFIND|URGE)$/.test(method) ? 501 : 405, { Allow: 'DELETE' }).end();
  });
  const verdict = await checkConformance(readContract(file), { url, credentials: {} }, { runs: FEW, write: true });
  close();
  expect([lines(verdict.findings), lines(verdict.warnings)]).toEqual([
    [],
    expect.arrayContaining([
      '/orders answers 501 to another method, expected 405 with Allow of those that are declared',
    ]),
  ]);
});

describe('of a property that is readOnly', () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Users, version: 1.0.0 }
paths:
  /users:
    post:
      operationId: addUser
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
        '400': { description: Refused. }
components:
  schemas:
    User:
      type: object
      required: [id, name, role, kind, isNew]
      properties:
        id: { type: integer, readOnly: true }
        role: { enum: [member, admin], readOnly: true }
        kind: { enum: [odd, even], readOnly: true }
        isNew: { type: boolean, readOnly: true }
        name: { type: string }
`);
  type User = Readonly<Record<string, unknown>>;

  /** What is found in a server that stores this, given the user that it is sent and the one that it makes itself; undefined refuses it. */
  async function foundIn(stored: (sent: User, made: User) => User | undefined): Promise<string[]> {
    let count = 0;
    const server = await servingBodies((req, res, body) => {
      if (req.method !== 'POST') return res.writeHead(405, { Allow: 'POST' }).end();
      const id = ++count;
      const user = stored(userIn(String(body)), {
        ...{ id, role: 'member', kind: id % 2 === 0 ? 'even' : 'odd', isNew: true },
        name: '',
      });
      if (!user) return res.writeHead(400).end();
      return res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(user));
    });
    const target = { url: server.url, credentials: {} };
    const runs = { ...FEW, valid: 30, edge: 2 };
    const { findings } = await checkConformance(readContract(file), target, { seed: 1, runs, write: true });
    server.close();
    return lines(findings).filter((line) => line.includes('readOnly'));
  }

  function userIn(text: string): User {
    try {
      return Object(JSON.parse(text)) as User;
    } catch {
      return {};
    }
  }

  it.each<[does: string, stored: Parameters<typeof foundIn>[0], found: string[]]>([
    [
      'takes it',
      (sent, made) => ({ ...made, ...sent }),
      ['id', 'role'].map((name) => `POST /users takes a readOnly body/${name}, expected it to be refused or left out`),
    ],
    ['leaves it out', (sent, made) => ({ ...made, name: sent.name ?? '' }), []],
    [
      'refuses it',
      (sent, made) => (Object.keys(made).some((name) => name in sent && name !== 'name') ? undefined : made),
      [],
    ],
  ])('finds of one that %s what it is', async (_does, stored, found) => {
    expect(await foundIn(stored)).toEqual(found);
  });
});

describe('of other spellings of a path whose operation asks for a key', () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Beds, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /beds:
    get:
      operationId: listBeds
      parameters: [{ name: place, in: query, required: true, schema: { type: integer } }]
      responses:
        '200': { description: All., content: { application/json: { schema: { type: array } }, '*/*': { schema: { type: string } } } }
        '400': { description: Refused. }
        '401': { description: Who are you? }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`);
  /** What is found in a server that answers other paths in its own way: gives beds, a page, or a redirect. */
  async function foundIn(other: (path: string, isKnown: boolean) => 'beds' | 'page' | 301 | 401 | 403 | 404) {
    const server = await serving((req, res) => {
      const { pathname, searchParams } = new URL(`http://localhost${req.url ?? ''}`);
      const isKnown = req.headers['x-key'] === 'secret';
      const isRight = /^-?\d+$/.test(searchParams.getAll('place').join()) && searchParams.size === 1;
      const answer = pathname !== '/beds' ? other(pathname, isKnown) : isKnown ? 'beds' : 401;
      if (answer === 'page') return res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Beds');
      if (answer !== 'beds') return res.writeHead(answer, { 'WWW-Authenticate': 'Key', Location: '/beds' }).end();
      if (!['GET', 'HEAD'].includes(req.method ?? '')) return res.writeHead(405, { Allow: 'GET' }).end();
      return isRight ? res.writeHead(200, { 'Content-Type': 'application/json' }).end('[]') : res.writeHead(400).end();
    });
    const target = { url: server.url, credentials: { keys: { key: 'secret' } } };
    const { findings } = await checkConformance(readContract(file), target, { seed: 1, runs: FEW, write: true });
    server.close();
    return lines(findings);
  }

  it('finds each that is answered without it', async () => {
    expect(await foundIn((path) => (/^\/beds\/?$/i.test(path) ? 'beds' : 404))).toEqual([
      '/beds lets in a GET without a credential to a path with a trailing slash, expected 401',
      '/beds lets in a GET without a credential to a path with other letter case, expected 401',
    ]);
  });

  it.each<[answer: string, Parameters<typeof foundIn>[0]]>([
    ['beds for those who have it', (_path, isKnown) => (isKnown ? 'beds' : 401)],
    ['that nobody may', () => 403],
    ['a redirect', () => 301],
    ['a page that is there for every path', () => 'page'],
  ])('finds nothing if the answer is %s', async (_answer, other) => {
    expect(await foundIn(other)).toEqual([]);
  });
});

it('tries nothing that could change something, unless told to', async () => {
  const { operations, untried } = await verdictOn(startOurs, { write: false });
  expect(operations).toEqual(['GET /books', 'GET /books/{isbn}']);
  expect(untried).toEqual([
    { where: 'POST /books', why: 'it may change something: --write tries it' },
    {
      where: 'GET /books/{isbn}',
      why: 'no valid request was accepted, the last one was answered with 404: its success is not known',
    },
  ]);
});

it('says which credential is missing, and that nobody is let in without one is tried all the same', async () => {
  const start = async (): Promise<Books> => ({ ...(await startOurs()), credentials: {} });
  const { findings, untried } = await verdictOn(start, { only: ['addBook', 'get /books/{isbn}'] });
  expect(lines(findings)).toEqual([]);
  expect(untried).toEqual([
    { where: 'POST /books', why: 'no credential: expected --user (user), or --key key=VALUE and --key client=VALUE' },
    { where: 'GET /books/{isbn}', why: 'no credential: expected --key session=VALUE, or --token (login)' },
  ]);
});

it('takes no request for a wrong one that another alternative lets in, and makes none with two credentials in one header', async () => {
  const operation = (id: string, security: string): string =>
    `{ post: { operationId: ${id}, security: ${security}, responses: { '204': { description: Done. }, '401': { description: Who? } } } }`;
  const mock = await mockOf(
    `
openapi: 3.1.0
info: { title: Alternatives, version: 1.0.0 }
paths:
  /key-and-login: ${operation('keyAndLogin', '[{ login: [], key: [] }, { session: [] }]')}
  /key-and-user-or-login: ${operation('keyAndUserOrLogin', '[{ login: [], user: [] }, { user: [], key: [] }, { user: [] }]')}
  /user-and-login: ${operation('userAndLogin', '[{ user: [], login: [] }]')}
  /login-and-session: ${operation('loginAndSession', '[{ login: [], session: [] }]')}
  /two-keys: ${operation('twoKeys', '[{ app: [], partner: [] }]')}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    user: { type: http, scheme: basic }
    login: { type: http, scheme: bearer }
    session: { type: http, scheme: bearer }
    app: { type: apiKey, in: query, name: key }
    partner: { type: apiKey, in: query, name: key }
`,
    { token: 'secret' },
  );
  const credentials = {
    token: 'secret',
    user: 'ada:secret',
    keys: { key: 'secret', app: 'secret', partner: 'secret' },
  };
  const target = { url: mock.baseUrl, credentials };
  const { findings, untried } = await checkConformance(readContract(mock.file), target, {
    seed: 1,
    runs: FEW,
    write: true,
  });
  expect(lines(findings)).toEqual([
    // A mock does not look at who the user is.
    'POST /key-and-user-or-login lets in a request with another user with an accepted password for user, expected 401',
  ]);
  expect(untried).toEqual([
    { where: 'POST /key-and-user-or-login', why: 'one header cannot have two credentials: login and user' },
    { where: 'POST /user-and-login', why: 'one header cannot have two credentials: user and login' },
  ]);
});

it('takes a key for a credential alone, where it is declared as a parameter as well', async () => {
  const mock = await mockOf(
    `
openapi: 3.1.0
info: { title: Keys, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /payments:
    get:
      operationId: listPayments
      parameters: [{ name: x-key, in: header, required: true, schema: { type: string, minLength: 2 } }]
      responses: { '204': { description: All. }, '400': { description: Refused. }, '401': { description: Who? } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`,
    { token: 'secret' },
  );
  const target = { url: mock.baseUrl, credentials: { keys: { key: 'secret' } } };
  const { findings, untried } = await checkConformance(readContract(mock.file), target, { seed: 1, runs: FEW });
  expect([lines(findings), untried]).toEqual([[], []]);
});

it('takes a token without its scheme for the key that another alternative has in the same header', async () => {
  const mock = await mockOf(
    `
openapi: 3.1.0
info: { title: Crates, version: 1.0.0 }
security: [{ key: [] }, { login: [] }]
paths: { /crates: { get: { operationId: listCrates, responses: { '204': { description: All. }, '401': { description: Who? } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: authorization }, login: { type: http, scheme: bearer } } }
`,
    { token: 'secret' },
  );
  const target = { url: mock.baseUrl, credentials: { token: 'secret', keys: { key: 'secret' } } };
  const runs = { ...FEW, unauthenticated: 10 };
  const { findings, untried } = await checkConformance(readContract(mock.file), target, { seed: 1, runs });
  expect([lines(findings), untried]).toEqual([[], []]);
});

it('breaks a constraint of a value that somebody might have written, where the server refuses odd ones for something else', async () => {
  const file = contractOf(`
openapi: 3.1.0
info: { title: Users, version: 1.0.0 }
paths:
  /users:
    post:
      operationId: addUser
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [email, role, age]
              properties:
                email: { type: string, format: email }
                role: { type: string, enum: [admin, guest] }
                age: { type: integer, minimum: 18, maximum: 120 }
      responses: { '204': { description: Added. }, '400': { description: Refused. } }
`);
  const server = await servingBodies((_req, res, body) => {
    const [, email = ''] = /"email":"([^"]*)"/.exec(String(body)) ?? [];
    res.writeHead(/^[a-z]+@[a-z]+\.[a-z]{2,}$/i.test(email) ? 204 : 400).end();
  });
  const options: Options = { seed: 1, runs: FEW, write: true };
  const { findings } = await checkConformance(readContract(file), { url: server.url, credentials: {} }, options);
  server.close();
  expect(lines(findings)).toEqual(
    expect.arrayContaining(['role', 'age'].map((name) => `POST /users accepts an invalid body/${name}, expected 400`)),
  );
});

it.each(['secret:', ':secret'])(
  'takes the half of %s that is not empty for the only secret of HTTP basic',
  async (user) => {
    const file = contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
security: [{ key: [] }]
paths: { /letters: { get: { operationId: list, responses: { '204': { description: All. }, '401': { description: Who? }, '404': { description: No. } } } } }
components: { securitySchemes: { key: { type: http, scheme: basic } } }
`);
    const server = await serving((req, res) => {
      const [, half = '', other = ''] =
        /^([^:]*):(.*)$/.exec(
          Buffer.from(/^Basic (.*)$/.exec(req.headers.authorization ?? '')?.[1] ?? '', 'base64').toString(),
        ) ?? [];
      const isKnown = (user.startsWith(':') ? other : half) === 'secret';
      if (req.url !== '/letters') res.writeHead(404);
      else if (req.method !== 'GET') res.writeHead(405, { Allow: 'GET' });
      else if (isKnown) res.writeHead(204);
      else res.writeHead(401, { 'WWW-Authenticate': 'Basic realm="letters"' });
      res.end();
    });
    const options: Options = { seed: 1, runs: FEW };
    const { findings } = await checkConformance(
      readContract(file),
      { url: server.url, credentials: { user } },
      options,
    );
    server.close();
    expect(lines(findings)).toEqual([]);
  },
);

it('takes no number that a body had for an integer of the same name that no double holds', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Topics, version: 1.0.0 }
paths:
  /topics:
    post:
      operationId: addTopic
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: number } } } } }
      responses: { '204': { description: Added. }, '400': { description: Refused. } }
  /topics/{id}:
    get:
      operationId: readTopic
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: There. } }
`);
  const options: Options = { seed: 1, runs: { ...FEW, valid: 30 }, write: true };
  const verdict = await checkConformance(readContract(mock.file), { url: mock.baseUrl, credentials: {} }, options);
  expect(lines(verdict.findings).filter((line) => line.includes('to a valid request'))).toEqual([]);
});

it('says of no body that it is coded, where a header that may say so is declared', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Outbox, version: 1.0.0 }
paths:
  /outbox:
    post:
      operationId: send
      parameters: [{ name: Content-Encoding, in: header, schema: { enum: [gzip] } }]
      requestBody: { required: true, content: { application/json: {} } }
      responses: { '204': { description: Sent. }, '400': { description: Refused. } }
`);
  const options: Options = { seed: 1, runs: FEW, write: true };
  const verdict = await checkConformance(readContract(mock.file), { url: mock.baseUrl, credentials: {} }, options);
  expect([lines(verdict.findings), verdict.untried]).toEqual([[], []]);
});

it('leaves an operation untried, and says so, if Ajv would get its schemas wrong', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Lists, version: 1.0.0 }
paths:
  /lists:
    get:
      operationId: readLists
      responses:
        '200': { description: Lists., content: { application/json: { schema: { $ref: '#/components/schemas/List' } } } }
  /names: { get: { operationId: readNames, responses: { '204': { description: Done. } } } }
components: { schemas: { List: { type: array, contains: { type: string }, unevaluatedItems: false } } }
`);
  const target = { url: mock.baseUrl, credentials: {} };
  const { operations, untried } = await checkConformance(readContract(mock.file), target, { seed: 1, runs: FEW });
  expect(operations).toEqual(['GET /names']);
  expect(untried).toEqual([
    { where: 'GET /lists', why: 'unevaluatedItems beside contains or the items of branches is not judged' },
  ]);
});

it('reads answers by what they may have, where a reference leads to a property that no request has', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Pages, version: 1.0.0 }
paths:
  /pages:
    get:
      operationId: readPages
      responses:
        '200': { description: Pages., content: { application/json: { schema: { $ref: '#/components/schemas/Page/properties/total' } } } }
components: { schemas: { Page: { type: object, properties: { total: { type: integer, readOnly: true } } } } }
`);
  const target = { url: mock.baseUrl, credentials: {} };
  const { findings, operations } = await checkConformance(readContract(mock.file), target, { seed: 1, runs: FEW });
  expect([lines(findings), operations]).toEqual([[], ['GET /pages']]);
});

it('judges items in parts, and sends no items', async () => {
  const give =
    "{ operationId: readParts, responses: { '200': { description: Parts., content: { multipart/related: { schema: { type: array, prefixItems: [{ $ref: '#/components/schemas/Note' }], items: { type: string, format: binary } }, prefixEncoding: [{ contentType: application/json }], itemEncoding: { contentType: image/png } } } } } }";
  const take = ['application/jsonl', 'multipart/mixed'].map((type) => `${type}: { itemSchema: { type: integer } }`);
  const mock = await mockOf(`
openapi: 3.2.0
info: { title: Parts, version: 1.0.0 }
paths:
  /parts: { get: ${give} }
  /notes: { post: { operationId: take, requestBody: { content: { ${take.join(', ')} } }, responses: { '204': { description: Done. } } } }
components: { schemas: { Note: { type: object, required: [n], properties: { n: { type: integer, format: int64 } } } } }
`);
  const target = { url: mock.baseUrl, credentials: {} };
  const verdict = await checkConformance(readContract(mock.file), target, { seed: 1, runs: FEW, write: true });
  const { operations, findings, untried } = verdict;
  expect([operations, lines(findings)]).toEqual([['GET /parts'], []]);
  expect(untried.map(({ why }) => why)).toEqual([
    'a body of application/jsonl has items, which are not sent',
    'a body of multipart/mixed has items, which are not sent',
    'no value can be made for its body',
  ]);
});
