/** The suite as a command: what it prints and ends with, and that a line of curl repeats a finding. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { join } from 'node:path';
import { run } from '../../../src/tools/conformance/command';
import { curlOf, secretsOf } from '../../../src/tools/samples/curl';
import { temporaryFolder } from '../../support/temporary-folder';
import { mockOf } from '../mock/mock-of';
import { type Books, booksFile, startCareless, startOurs } from './books';

const folder = temporaryFolder();
let ours: Books;
beforeAll(async () => {
  ours = await startOurs();
});
afterAll(() => ours.close());
afterEach(() => jest.restoreAllMocks());

/** The code that it ends with, and what it prints. */
async function conformance(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = jest.spyOn(console, 'log').mockReturnValue();
  const err = jest.spyOn(console, 'error').mockReturnValue();
  const code = await run(args);
  return { code, out: out.mock.calls.join('\n'), err: err.mock.calls.join('\n') };
}
const few = ['--contract', booksFile, '--seed', '1', '--requests', '10'];

function credentialsOf({ credentials: { user = '', token = '', keys = {} } }: Books): string[] {
  const pairs = Object.entries(keys).flatMap(([name, key]) => ['--key', `${name}=${key}`]);
  return ['--user', user, `--token=${token}`, ...pairs];
}

it('exits with 0 if nothing deviates, and says what was not tried', async () => {
  const { code, out, err } = await conformance('--url', ours.url, ...few, ...credentialsOf(ours));
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^0 findings in \d+ requests to 2 operations at http:\S+\/v2 \(--seed 1 repeats them\)\n/);
  expect(out).toMatch(
    /\nNot tried:\n {2}POST \/books: it may change something: --write tries it\n {2}GET \/books\/\{isbn\}: no valid request was accepted, the last one was answered with 404: its success is not known$/,
  );
});

it.each([
  ['a null', 'content: { a/b: null }', 'expected'],
  [
    'a reference to another document',
    "$ref: 'https://example.org/a#/b'",
    'https://example.org/a#/b is not in this document',
  ],
  ['a pattern that is none', "content: { a/b: { schema: { pattern: '^(0' } } }", 'Invalid regular expression: /^(0/u'],
])('cannot try a contract with %s, and says where that is', async (_what, answer, why) => {
  const contract = join(folder, 'unreadable.yaml');
  const paths = `paths: { /a: { get: { responses: { '200': { description: A., ${answer} } } } } }`;
  writeFileSync(contract, `openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\n${paths}\n`);
  const { code, err } = await conformance('--url', ours.url, '--contract', contract);
  expect(code).toBe(2);
  expect(err).toMatch(/^ {2}unreadable\.yaml:3:\d+ /m);
  expect(err).toContain(why);
});

it('asks for paths of any letters as clients do, and prints them without what a terminal would act on', async () => {
  const mock = await mockOf(`
openapi: 3.1.0
info: { title: Plants, version: 1.0.0 }
paths: { "/植物\\e[31m\\n::error::/{größe}": { get: { operationId: read, parameters: [{ name: größe, in: path, required: true, schema: { type: string } }], responses: { '204': { description: Done. } } } } }
`);
  const { code, out } = await conformance('--url', mock.baseUrl, '--contract', mock.file, '--seed', '1');
  expect([code, out]).toEqual([0, expect.stringContaining('  1 of 1 operations')]);
  expect(out).not.toMatch(/\u001b|^::/m);
});

it('fails for what could not be tried if it is to be strict', async () => {
  expect(await conformance('--url', ours.url, ...few, '--strict', ...credentialsOf(ours))).toMatchObject({
    code: 1,
    err: 'expected nothing open or untried with --strict, got 1 answers that the contract leaves open and 2 untried parts',
  });
});

it('exits with 1 and each finding: how to repeat it, what came, and what the contract says; for CI as JUnit has it', async () => {
  const careless = await startCareless();
  const junit = join(folder, 'junit.xml');
  const options = ['--only', 'GET /books/{isbn}', '--junit', junit, ...credentialsOf(careless)];
  const { code, out } = await conformance('--url', careless.url, ...few, ...options).finally(careless.close);
  expect(code).toBe(1);
  expect(out).toContain(`GET /books/{isbn} answers 200 with a wrong body: /addedAt must match format "date-time"
  curl --globoff --path-as-is -X GET -H 'Cookie: session='"$X_KEY_IN_OTHER_CASE" ${careless.url}/v2/books/9780306406157
  came: 200 application/json {"isbn":"9780306406157","title":"On Trust","addedAt":"yesterday","note":"secret"}
  contract: openapi.yaml:45:5 declares 200, 401, 404; security: session or login
`);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<testcase classname="conformance" name="GET \/books\/\{isbn\}"><failure message="lets in a request without a credential, expected 401">/,
  );
});

it('prints the same for machines, and no credential', async () => {
  const careless = await startCareless();
  const options = ['--only', 'readBook', '--json', ...credentialsOf(careless)];
  const { out } = await conformance('--url', careless.url, ...few, ...options).finally(careless.close);
  const { findings, untried } = JSON.parse(out) as { findings: { problem: string; curl: string }[]; untried: [] };
  expect(findings[0]).toMatchObject({
    where: 'GET /books/{isbn}',
    problem: 'lets in a request without a credential, expected 401',
    curl: `curl --globoff --path-as-is -X GET ${careless.url}/v2/books/9780306406157`,
    answer: { status: 200 },
  });
  expect(untried).toEqual([]);
  expect(out).not.toContain('s3cret');
});

it.each([
  [[], 'expected --url with an address of http or https, got nothing'],
  [['--url', 'localhost:3000'], 'expected --url with an address of http or https, got localhost:3000'],
  [['--url', 'http://127.0.0.1:1'], 'expected an answer at http://127.0.0.1:1, got '],
  [['--url', 'http://localhost', '--contract', 'nowhere.yaml'], 'ENOENT'],
  [['--url', 'http://localhost', '--requests', 'many'], 'expected --requests to be a number from 1 on, got many'],
  [['--json', '--junit', 'report.xml'], 'expected one of --json, --junit and --format, got several'],
  [['--junit', 'report.xml', '--format', 'sarif'], 'expected one of --json, --junit and --format, got several'],
  [['--url', 'http://localhost', '--user', 'ada'], 'expected --user NAME:PASSWORD, got no colon'],
  [['--url', 'http://localhost', '--key', 'ada'], 'expected --key NAME=VALUE, got no name or no value'],
])('exits with 2 for %j', async (args, message) => {
  const { code, err } = await conformance('--contract', booksFile, ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

it('exits with 2 where each answer is 101, of which Node makes no response', async () => {
  const server = createRawServer().on('connection', (socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, err } = await conformance('--contract', booksFile, '--url', url).finally(() => server.close());
  expect([code, err]).toEqual([2, expect.stringContaining(`got the connection became another protocol`)]);
});

it('exits with 2 for an operation that the contract does not have, and if nothing could be tried', async () => {
  const none = await conformance('--url', ours.url, ...few, '--only', 'sellBook');
  expect([none.code, none.err.split('\n')[0]]).toEqual([
    2,
    'expected an operationId or METHOD PATH of the contract, got sellBook; it has listBooks, addBook, readBook',
  ]);
  expect(await conformance('--url', ours.url, ...few, '--only', 'addBook')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^no operation was tried: it may change something: --write tries it$/m) as unknown,
  });
});

it('counts what it has tried of the contract, and fails below what is asked for', async () => {
  const { code, out, err } = await conformance('--url', ours.url, ...few, '--coverage', '90', ...credentialsOf(ours));
  expect([code, err]).toEqual([1, expect.stringMatching(/^expected 90 % of the contract to be tried, got \d+ %$/)]);
  expect(out).toMatch(
    /\nTried of the contract:\n {2}2 of 3 operations; not POST \/books\n {2}\d+ of \d+ statuses; not /,
  );
  const all = await conformance('--url', ours.url, ...few, '--coverage', '30', ...credentialsOf(ours));
  expect(all.code).toBe(0);
});

it('exits with 2 if it has no credential for any operation, although it was refused without one everywhere', async () => {
  const junit = join(folder, 'junit.xml');
  const { code, out, err } = await conformance('--url', ours.url, ...few, '--only', 'readBook', '--junit', junit);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^no operation was tried: no credential: expected --key session=VALUE, or --token /),
  ]);
  expect(out).toMatch(/^0 findings in [1-9]\d* requests to 0 operations/);
  expect(readFileSync(junit, 'utf8')).toMatch(
    /tests="2" failures="1" skipped="1"[^]*name="conformance"><failure message="no operation was tried: no credential/,
  );
});

describe('a server beside our own', () => {
  const contract = join(folder, 'weather.yaml');
  writeFileSync(
    contract,
    `openapi: 3.1.0
info: { title: Weather, version: 1.0.0 }
paths:
  /weather/{place}:
    get:
      parameters: [{ name: place, in: path, required: true, schema: { const: here } }]
      responses:
        '200': { description: Today's., content: { application/json: { schema: { type: string } } } }
        '404': { description: None., content: { application/json: {} } }
`,
  );
  it.each<[what: string, status: number, body: Buffer, code: number, says: string]>([
    ['an answer in UTF-8', 200, Buffer.from('"grün"'), 0, '0 findings in '],
    ['an answer in Latin-1', 200, Buffer.from('"grün"', 'latin1'), 1, 'answers 200 with a body that is no UTF-8'],
    [
      'nothing but refusals',
      404,
      Buffer.from('{}'),
      2,
      'no operation has accepted a request: no valid request was acc',
    ],
  ])('is held to the contract: %s', async (_what, status, body, code, says) => {
    const server = createServer((request, response) => {
      const isKnown = request.method === 'GET' && request.url === '/weather/here';
      response.writeHead(isKnown ? status : 404, { 'Content-Type': 'application/json' }).end(isKnown ? body : '{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const told = await conformance('--url', `http://127.0.0.1:${port}`, '--contract', contract);
    server.close();
    expect([told.code, told.out + told.err]).toEqual([code, expect.stringContaining(says)]);
  });
});

describe('a line of curl', () => {
  const secrets = secretsOf({ token: "it's", keys: { 'X-Key': 'k y' } });
  /** The arguments that curl gets, and its input, from a shell. */
  function sent(line: string): string[] {
    const script = `curl() { for each; do printf '%s\\0' "$each"; done; case "$*" in *@-*) cat;; esac; }; ${line}`;
    const env = { ...process.env, TOKEN: "it's", X_KEY: 'k y', X_KEY_ENCODED: 'k%20y' };
    return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(2);
  }

  it.each([
    ['$(touch x) `y` "z" \\ !', 'a body that a shell would expand'],
    ["it's\n'quoted'", 'quotes and line breaks'],
    ['@file', 'what curl would take for a file'],
    ['植物 100 % \\n', 'text that is not ASCII'],
  ])('sends %j as it is', (body) => {
    const line = curlOf(
      { method: 'A`B`', target: '/a?b=[1]&c=$d', headers: { 'X-Text': `a'b "$c"` }, body },
      'http://h',
    );
    const input = line.startsWith('printf')
      ? ['--data-binary', '@-', 'http://h/a?b=[1]&c=$d', body]
      : ['--data-raw', body, 'http://h/a?b=[1]&c=$d', ''];
    expect(sent(line)).toEqual(['-X', 'A`B`', '-H', `X-Text: a'b "$c"`, '-H', 'Content-Type:', ...input]);
  });

  it('has bytes that no terminal shows as escapes', () => {
    const body = '\u001b[31m\r\n100 %\\\u202e';
    const line = curlOf({ method: 'POST', target: '/', headers: { 'Content-Type': 'text/plain' }, body }, 'http://h');
    expect(line).not.toMatch(/\p{C}/u);
    expect(sent(line).at(-1)).toBe(body);
  });

  it('has bytes that are no text as escapes', () => {
    const body = Buffer.from([0x22, 0xff, 0x25, 0x22]);
    expect(curlOf({ method: 'POST', target: '/', headers: {}, body }, 'http://h')).toBe(
      String.raw`printf '"\377%%"' | curl --globoff --path-as-is -X POST -H 'Content-Type:' --data-binary @- http://h/`,
    );
  });

  it('has variables in place of credentials', () => {
    const headers = { Authorization: "Bearer it's", Cookie: 'a=k y' };
    const line = curlOf({ method: 'GET', target: '/?key=k%20y', headers, body: undefined }, 'http://h', secrets);
    expect(line).toBe(
      `curl --globoff --path-as-is -X GET -H 'Authorization: Bearer '"$TOKEN" -H 'Cookie: a='"$X_KEY" 'http://h/?key='"$X_KEY_ENCODED"`,
    );
    expect(sent(line)).toEqual([
      '-X',
      'GET',
      '-H',
      "Authorization: Bearer it's",
      '-H',
      'Cookie: a=k y',
      'http://h/?key=k%20y',
      '',
    ]);
  });

  it('has variables in place of credentials in another letter case, too', () => {
    const headers = { Authorization: "Bearer IT'S" };
    const line = curlOf({ method: 'GET', target: '/?key=K%20Y', headers, body: undefined }, 'http://h', secrets);
    expect(line).toBe(
      `curl --globoff --path-as-is -X GET -H 'Authorization: Bearer '"$TOKEN_IN_OTHER_CASE" 'http://h/?key='"$X_KEY_IN_OTHER_CASE_ENCODED"`,
    );
  });
});
