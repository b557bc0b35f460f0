import { ask, lastAnswer, plantRequest, RawConnection, type RequestParts } from '../support/raw';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.logged.length = 0;
});

const body = '{"id":1,"name":"Ficus"}';
const ms = expect.any(Number) as number;

/** The lines that were logged, once there is one. */
async function lines(): Promise<object[]> {
  for (let turns = 0; service.logged.length === 0 && turns < 10_000; turns++) await new Promise(setImmediate);
  return service.logged.map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, ...line }) => line);
}

describe('the log', () => {
  it.each<[what: string, parts: RequestParts, line: object]>([
    ['created', { body }, { method: 'POST', path: '/plants', status: 200, ms, principal: 'tester', msg: 'request' }],
    [
      'refused for its body',
      { body: '{"id":1,"name":0}' },
      { method: 'POST', path: '/plants', status: 400, error: 40002, ms, principal: 'tester', msg: 'request' },
    ],
    [
      'refused for its token',
      { body, headers: { Authorization: 'Bearer wrong' } },
      { method: 'POST', path: '/plants', status: 401, error: 40102, ms, msg: 'request' },
    ],
    [
      'sent nowhere',
      { body, line: 'PUT /nowhere?a=b HTTP/1.1' },
      { method: 'PUT', status: 404, error: 40401, ms, msg: 'request' },
    ],
    [
      'sent with another expectation',
      { headers: { Expect: 'x' } },
      { method: 'POST', status: 417, error: 41701, ms, msg: 'request' },
    ],
  ])('has one line for a request that is %s', async (_what, parts, line) => {
    await ask(service.port, plantRequest(service, parts));
    expect(await lines()).toEqual([line]);
  });

  it('has one line for what is no request', async () => {
    await lastAnswer(service.port, 'hello\r\n\r\n');
    expect(await lines()).toEqual([{ status: 400, error: 40003, msg: 'request refused' }]);
  });

  it('has one line for a request whose body breaks off', async () => {
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    await lastAnswer(service.port, plantRequest(service, { headers, body: 'x\r\n' }));
    const line = {
      method: 'POST',
      path: '/plants',
      status: 400,
      error: 40003,
      ms,
      principal: 'tester',
      msg: 'request',
    };
    expect(await lines()).toEqual([line]);
  });

  it('has one line for a request whose client is gone', async () => {
    const connection = (await RawConnection.open(service.port)).send(
      plantRequest(service, { headers: { 'Content-Length': '9', Expect: '100-continue' } }),
    );
    await connection.answer();
    connection.reset();
    const [line] = await lines();
    expect(line).toMatchObject({ method: 'POST', path: '/plants', status: 'aborted', msg: 'request' });
  });

  it('has nothing in it that came with the request', async () => {
    const secret = 'secret'.repeat(3);
    const parts = {
      line: `POST /plants?${secret}=${secret} HTTP/1.1`,
      headers: { [secret]: secret, Cookie: secret, Authorization: `Bearer ${secret}`, 'User-Agent': secret },
      body: JSON.stringify({ [secret]: secret }),
    };
    await ask(service.port, plantRequest(service, parts));
    await ask(service.port, plantRequest(service, { ...parts, headers: {} }));
    await ask(service.port, plantRequest(service, { body: parts.body }));
    await ask(service.port, plantRequest(service, { ...parts, line: `${secret} /${secret} HTTP/1.1` }));
    await lines();
    expect(JSON.stringify(service.logged)).not.toContain(secret);
    expect(JSON.stringify(service.logged)).not.toContain(service.token);
  });
});
