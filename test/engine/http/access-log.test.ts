import { contractOf } from '../../support/contracts';
import { eventually } from '../../support/eventually';
import { ask, lastAnswer, plantRequest, type RawAnswer, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => {
  service.logged.length = 0;
});

const body = '{"id":1,"name":"Ficus"}';
const ms = expect.any(Number) as number;
const id = expect.stringMatching(/^[\da-f-]{36}$/) as string;
const client = '127.0.0.1';
const X = 'x'.repeat(200);
const CREATE = { method: 'POST', path: '/plants', operation: 'createPlant' };
/** What its line says of an answer. */
const sent = ({ headers }: RawAnswer): object => {
  return { id: headers['x-request-id'], bytes: Number(headers['content-length']) };
};

/** The lines that were logged, once there is one. */
async function lines(): Promise<object[]> {
  for (let turns = 0; service.logged.length === 0 && turns < 10_000; turns++) await new Promise(setImmediate);
  return service.logged.map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, ...line }) => line);
}

describe('the log', () => {
  const wrong = { Authorization: 'Bearer wrong' };
  const LONG = { method: 'PUT', path: `/${X}`.slice(0, 200), error: 40401 };
  it.each<[what: string, parts: RequestParts, status: number, line: object]>([
    ['created', { body }, 200, { ...CREATE, principal: 'tester' }],
    ['refused for its body', { body: '{"id":1,"name":0}' }, 400, { ...CREATE, error: 40002, principal: 'tester' }],
    ['refused for its token', { body, headers: wrong }, 401, { ...CREATE, error: 40102, reason: 'unknown or revoked' }],
    ['sent nowhere', { line: 'PUT /a?b=c HTTP/1.1' }, 404, { method: 'PUT', path: '/a', error: 40401 }],
    ['long', { body, line: `PUT /${X.repeat(50)} HTTP/1.1` }, 404, LONG],
    ['sent by another method', { line: 'GET /plants HTTP/1.1' }, 405, { method: 'GET', path: '/plants', error: 40501 }],
    ['of an expectation', { headers: { Expect: 'x' } }, 417, { method: 'POST', path: '/plants', error: 41701 }],
  ])('has one line for a request that is %s', async (_what, parts, status, line) => {
    const answer = await ask(service.port, plantRequest(service, parts), parts.line?.split(' ')[0]);
    expect(await lines()).toEqual([{ ...sent(answer), status, ...line, ms, client, msg: 'request' }]);
  });

  it('has one line for what is no request', async () => {
    const answer = await lastAnswer(service.port, 'hello\r\n\r\n');
    expect(await lines()).toEqual([{ ...sent(answer), status: 400, error: 40003, client, msg: 'request refused' }]);
  });

  it('has its line before the client has closed the connection of a last answer', async () => {
    const connection = (await RawConnection.open(service.port)).send('BREW /plants HTTP/1.1\r\nHost: x\r\n\r\n');
    const answer = await connection.answer();
    const line = { method: 'UNKNOWN', path: '/plants', status: 405, error: 40501, ms, client };
    expect(await lines()).toEqual([{ ...sent(answer), ...line, msg: 'request' }]);
    connection.destroy();
  });

  it('has one line for a request whose body breaks off', async () => {
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    const answer = await lastAnswer(service.port, plantRequest(service, { headers, body: 'x\r\n' }));
    const bytes = Number(answer.headers['content-length']);
    const line = { id, ...CREATE, status: 400, error: 40003, ms, bytes, client };
    expect(await lines()).toEqual([{ ...line, principal: 'tester', msg: 'request' }]);
  });

  it('has one line for a request whose client is gone', async () => {
    const headers = { 'Content-Length': '9', Expect: '100-continue' };
    const connection = (await RawConnection.open(service.port)).send(plantRequest(service, { headers }));
    await connection.answer();
    connection.reset();
    const [line] = await lines();
    expect(line).toMatchObject({ ...CREATE, status: 'aborted', client, msg: 'request' });
  });

  it('says which, by the path parameters, and none that the contract calls a password', async () => {
    const file = contractOf(`
components: { schemas: { Secret: { type: string, format: password } } }
paths:
  /notes/{id}/{secret}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - { name: secret, in: path, required: true, schema: { $ref: '#/components/schemas/Secret' } }
    get: { operationId: readNote, security: [], responses: { '200': { description: Read. } } }
`);
    const notes = await startService({ contract: file, handlers: () => ({ readNote: () => ({ status: 200 }) }) });
    await ask(notes.port, `GET /notes/a%20b/hidden HTTP/1.1\r\nHost: x\r\n\r\n`, 'GET');
    await ask(notes.port, `GET /notes/${'x'.repeat(300)}/hidden HTTP/1.1\r\nHost: x\r\n\r\n`, 'GET');
    await eventually(() => expect(notes.logged).toHaveLength(2));
    const path = '/notes/{id}/{secret}';
    expect(notes.logged).toMatchObject([
      { path, operation: 'readNote', ids: { id: 'a%20b' }, status: 200 },
      { path, ids: { id: 'x'.repeat(200) } },
    ]);
    expect(JSON.stringify(notes.logged)).not.toContain('hidden');
  });

  it('has nothing in it that came with the request but its path', async () => {
    const secret = 'secret'.repeat(3);
    const headers = { [secret]: secret, Cookie: secret, Authorization: `Bearer ${secret}`, Traceparent: secret };
    const parts = {
      line: `POST /plants?${secret}=${secret} HTTP/1.1`,
      headers: { ...headers, 'User-Agent': secret, 'X-Forwarded-For': secret },
      body: JSON.stringify({ [secret]: secret }),
    };
    await ask(service.port, plantRequest(service, parts));
    await ask(service.port, plantRequest(service, { ...parts, headers: {} }));
    await ask(service.port, plantRequest(service, { body: parts.body }));
    await ask(service.port, plantRequest(service, { ...parts, line: `${secret} /plants HTTP/1.1` }));
    await lines();
    expect(JSON.stringify(service.logged)).not.toContain(secret);
    expect(JSON.stringify(service.logged)).not.toContain(service.token);
  });
});

describe('the id of a request', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
  const given = (headers: RequestParts['headers']) =>
    ask(service.port, plantRequest(service, { body, headers: headers ?? {} }));

  it.each<[what: string, headers: RequestParts['headers'], expected: unknown, trace: string | undefined]>([
    ['a new one', {}, id, undefined],
    ['that of the client', { 'X-Request-Id': 'web-1.2_3' }, 'web-1.2_3', undefined],
    ['that of its trace', { Traceparent: PARENT }, TRACE, TRACE],
    ['that of a trace of a later version', { Traceparent: `01-${TRACE}-00f067aa0ba902b7-01-more` }, TRACE, TRACE],
    ['that of the client, beside its trace', { 'X-Request-Id': 'web-1', Traceparent: PARENT }, 'web-1', TRACE],
    ['a new one for one that is too long', { 'X-Request-Id': 'x'.repeat(65) }, id, undefined],
    ['a new one for one of other characters', { 'X-Request-Id': 'a b' }, id, undefined],
    ['a new one for two', { 'X-Request-Id': ['a', 'b'] }, id, undefined],
    ['a new one for no trace', { Traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, id, undefined],
    ['a new one for a trace of an invalid version', { Traceparent: `ff-${TRACE}-00f067aa0ba902b7-01` }, id, undefined],
    ['a new one for a trace that is cut', { Traceparent: `00-${TRACE}` }, id, undefined],
  ])('is %s', async (_what, headers, expected, trace) => {
    const answer = await given(headers);
    expect(answer.headers['x-request-id']).toEqual(expected);
    await lines();
    const line = { id: answer.headers['x-request-id'], ...(trace !== undefined && { trace }) };
    expect(service.logged).toMatchObject([line]);
  });

  it('is another for each request', async () => {
    const ids = [await given({}), await given({})].map(({ headers }) => headers['x-request-id']);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('the address of the client', () => {
  it.each<[trustProxy: string[], forwarded: string, client: string]>([
    [[], '203.0.113.7', '127.0.0.1'],
    [['loopback'], '203.0.113.7', '203.0.113.7'],
    [['127.0.0.0/8'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [['127.0.0.1', '203.0.113.0/24'], '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [['10.0.0.0/8'], '203.0.113.7', '127.0.0.1'],
    [['loopback'], '203.0.113.7:4711', '203.0.113.7'],
    [['127.0.0.1', '203.0.113.0/24'], '[2001:db8::1]:4711, 203.0.113.7:80', '2001:db8::1'],
    [['loopback'], '\x9b2J\t\xe2\x80\xae7.3', '?2J????7.3'], // codes of a terminal, and of the direction of text
  ])('behind the proxies %j is taken from %p as %s', async (trustProxy, forwarded, address) => {
    const behind = await startService({ trustProxy });
    await ask(behind.port, plantRequest(behind, { body, headers: { 'X-Forwarded-For': forwarded } }));
    for (let turns = 0; behind.logged.length === 0 && turns < 10_000; turns++) await new Promise(setImmediate);
    expect(behind.logged).toMatchObject([{ client: address }]);
  });
});
