import type { Request } from 'express';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import { ApiError } from '../../../src/engine/errors/api-error';
import type { HandlerAnswer } from '../../../src/engine/contract/handler-types';
import { handlersOf } from '../../support/contracts';
import { TAKEN } from '../../support/engine/plants';
import { expectError } from '../../support/errors';
import { ask, plantRequest, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { table, valueOf } from '../../support/table';

const INTERNAL = [50001, 'internal error'] as const;

/** The handler. */
let act: () => unknown = () => ({ status: 200, body: { name: 'Ficus' } });
/** What the verifier does with the request before it accepts it. */
let meddle: (request: Request) => unknown = () => undefined;

let enforcing: TestService;
let reporting: TestService;
beforeAll(async () => {
  const options = {
    handlers: handlersOf({ createPlant: () => act() as HandlerAnswer }),
    verifiers: {
      bearerAuth: {
        scheme: 'http bearer',
        async verify(request: Request) {
          await meddle(request);
          return { name: 'tester' };
        },
      },
    },
  };
  enforcing = await startService(options);
  reporting = await startService({ ...options, enforceAnswers: false });
});
beforeEach(() => {
  act = () => ({ status: 200, body: { name: 'Ficus' } });
  meddle = () => undefined;
  for (const { logged } of [enforcing, reporting]) logged.length = 0;
});

const post = (service = enforcing) => ask(service.port, plantRequest(service, { body: '{"id":1,"name":"Ficus"}' }));
const errorsLogged = (service = enforcing): string[] =>
  service.logged.filter(({ level }) => Number(level) >= 50).map((line) => JSON.stringify(line));

function thrower(thrown: unknown): () => never {
  return () => {
    throw thrown;
  };
}

function circular(): Error {
  const error: Error & { self?: unknown } = new Error('secret');
  error.self = { error };
  error.cause = error;
  return error;
}

/** An error with more properties, or one of which a property throws. */
const secretly = (parts: object): Error => Object.assign(new Error('secret'), parts);
const throwing = (property: string): Error =>
  Object.defineProperty(new Error(), property, { get: thrower(new Error('secret')) });

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('a handler that throws', () => {
  it.each<[what: string, thrown: unknown, logged: string]>([
    ['an error', new Error('secret'), 'secret'],
    ['an error with a status', secretly({ status: 404, statusCode: 404 }), 'secret'],
    ['an error with headers', secretly({ status: 401, headers: { Secret: 'x' } }), 'secret'],
    ['an error with a cause', new Error('outer', { cause: new Error('secret') }), 'secret'],
    ['several errors', new AggregateError([new Error('secret')], 'outer'), 'secret'],
    ['an error that has itself for a cause', circular(), 'secret'],
    ['what looks like an ApiError', secretly({ name: 'ApiError', code: 40001, status: 400 }), 'secret'],
    ['a text', 'secret', 'secret'],
    ['a word that Express knows', 'router', 'router'],
    ['another word that Express knows', 'route', 'route'],
    ['an object', { status: 200, secret: 'secret' }, 'secret'],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { secret: 'secret' }), 'secret'],
    ['a number', 404, '404'],
    ['zero', 0, 'internal error'],
    ['nothing', undefined, 'internal error'],
    ['null', null, 'internal error'],
    ['false', false, 'internal error'],
    ['an empty text', '', 'internal error'],
    ['a symbol', Symbol('secret'), 'internal error'],
    ['a bigint', 1n, 'internal error'],
    ['a function', () => 'secret', 'internal error'],
    ['a proxy that is revoked', revoked(), 'revoked'],
    ['an error whose message throws', throwing('message'), 'secret'],
    ['an error whose stack throws', throwing('stack'), 'secret'],
    ['an ApiError of a status that ends no request', new ApiError(100_01, 'secret'), 'secret'],
    ['an ApiError of a success', new ApiError(200_01, 'secret'), 'secret'],
    ['an object whose toJSON throws', { toJSON: thrower(new Error('secret')) }, 'unable to serialize'],
  ])('%s is an internal error, the cause of which is in the log', async (_what, thrown, logged) => {
    act = thrower(thrown);
    expectError(await post(), ...INTERNAL);
    expect(errorsLogged()).toEqual([expect.stringContaining(logged)]);
  });

  it('an ApiError of a status that is declared is answered with it', async () => {
    act = thrower(new ApiError(TAKEN, 'taken', { cause: new Error('secret') }));
    expectError(await post(), 40901, 'taken');
    expect(errorsLogged()).toEqual([]);
  });

  it('an ApiError of 503 is answered with it, and its cause is in the log', async () => {
    act = thrower(new ApiError(ErrorCode.Overloaded, 'too much', { cause: new Error('secret') }));
    const answer = await post();
    expectError(answer, 50302, 'too much');
    expect(answer.headers['retry-after']).toBe('1');
    expect(errorsLogged()).toEqual([expect.stringContaining('secret')]);
  });

  it('an ApiError with a header that cannot be sent is an internal error, the cause of which is in the log', async () => {
    act = thrower(new ApiError(TAKEN, 'taken', { headers: { 'X-Secret': 'a\r\nb' } }));
    expectError(await post(), ...INTERNAL);
    expect(errorsLogged()).toEqual([expect.stringContaining('ERR_INVALID_CHAR')]);
  });

  it('an ApiError of a status that is not declared is reported, and answered with it', async () => {
    act = thrower(new ApiError(ErrorCode.NoSuchPath, 'nowhere'));
    expectError(await post(reporting), 40401, 'nowhere');
    expect(errorsLogged(reporting)).toEqual([
      expect.stringContaining('the answer of createPlant is not in the contract: status 404 is not declared'),
    ]);
  });
});

describe('an answer that is not in the contract', () => {
  it.each(table`
    of an undeclared status | { status: 201, body: { name: Ficus } } | status 201 is not declared | 201 {"name":"Ficus"}
    of an undeclared error | { status: 404, body: { error: 40401, message: '' } } | status 404 is not declared
      | 404 {"error":40401,"message":""}
    without a body | { status: 200 } | the body is missing | ${'200 '}
    with a property of another type | { status: 200, body: { name: 1 } } | the body/name: expected string | 200 {"name":1}
    with text that is not allowed | { status: 200, body: { name: "\0" } } | the body/name: expected text that matches
      | 200 {"name":"\u0000"}
    with a number for text | { status: 200, body: { name: 9223372036854775807 } } | the body/name: expected string
      | 200 {"name":9223372036854775807}
    of another media type | { status: 200, mediaType: text/html, body: <b> } | media type text/html is not declared
      | 200 <b>
    with an undeclared header | { status: 200, headers: { X-Secret: 1 }, body: { name: Ficus } }
      | headers/X-Secret: expected no property of this name | 200 {"name":"Ficus"}
  `)('%s is an internal error; in production it is reported, and sent', async (_what, answer, problem, sent) => {
    act = () => valueOf(answer);
    const report = expect.stringContaining(`the answer of createPlant is not in the contract: ${problem}`) as unknown;
    expectError(await post(), ...INTERNAL);
    expect(errorsLogged()).toEqual([report]);
    const { status, body } = await post(reporting);
    expect(`${status} ${body}`).toBe(sent);
    expect(errorsLogged(reporting)).toEqual([report]);
  });

  it.each(table`
    of no status | { body: { name: Ficus } } | status undefined is not declared
    of a status that HTTP has not | { status: 99, body: { name: Ficus } } | status 99 is not declared
    of a status that is no number | { status: secret } | status secret is not declared
    of a status that is not final | { status: 103 } | status 103 is not declared
    with a header that would be two | { status: 200, headers: { X-Secret: "a\r\nX: b" }, body: { name: Ficus } }
      | headers/X-Secret: expected no property of this name
    with a header that has no name | { status: 200, headers: { X Secret: '' }, body: { name: Ficus } }
      | headers/X Secret: expected no property of this name
  `)('%s is an internal error; in production too, because it cannot be sent', async (_what, answer, problem) => {
    act = () => valueOf(answer);
    const report = expect.stringContaining(`the answer of createPlant is not in the contract: ${problem}`) as unknown;
    expectError(await post(), ...INTERNAL);
    expect(errorsLogged()).toEqual([report]);
    expectError(await post(reporting), ...INTERNAL);
    expect(errorsLogged(reporting)).toEqual([report, expect.stringContaining('internal error')]);
  });

  it.each<[what: string, answer: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['that has itself for a property', selfish()],
    ['that throws when it is written', { status: 200, body: { name: 'Ficus', toJSON: thrower(new Error('secret')) } }],
    ['that throws when it is read', Object.defineProperty({ status: 200 }, 'body', { get: thrower(new Error()) })],
  ])('%s is an internal error everywhere', async (_what, answer) => {
    act = () => answer;
    for (const service of [enforcing, reporting]) {
      expectError(await post(service), ...INTERNAL);
      expect(errorsLogged(service).length).toBeGreaterThan(0);
    }
  });

  function selfish(): object {
    const body: Record<string, unknown> = { name: 'Ficus' };
    body.body = body;
    return { status: 200, body };
  }

  it.each([
    ['that are undefined', undefined],
    ['that are functions', () => 1],
    ['that are symbols', Symbol('x')],
  ])('is well-formed without properties %s', async (_what, value) => {
    act = () => ({ status: 200, body: { name: 'Ficus', value, values: [value] } });
    expect(await post()).toMatchObject({ status: 200, body: '{"name":"Ficus","values":[null]}' });
  });
});

describe('an answer', () => {
  const REQUEST = { headers: { Connection: 'close' }, body: '{"id":1,"name":"Ficus"}' };
  const bytesFrom = async ({ port, token }: TestService): Promise<string> =>
    (await RawConnection.open(port)).send(plantRequest({ token }, REQUEST)).closed();

  it.each([
    ['with a body', { status: 200, body: { name: 'Ficus' } }],
    ['without one', { status: 204 }],
  ])('%s that cannot be sent leaves nothing of it in the error in its place', async (_what, answer) => {
    act = () => ({ ...answer, headers: { 'Set-Cookie': 'session=secret', 'X-Bad': 'a\r\nb' } });
    const handlers = handlersOf({ createPlant: () => act() as HandlerAnswer });
    const service = await startService({ handlers, corsOrigins: ['https://plants.example'], enforceAnswers: false });
    const text = await bytesFrom(service);
    expect(text).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(text).toMatch(/\r\n\r\n\{"error":50001,"message":"internal error"\}$/);
    expect(text).not.toContain('secret');
  });

  it.each(['Größe', '日本', ' a', 'a\t', ' '])(
    'with a header that would arrive as another, %j, is an internal error',
    async (value) => {
      const error = new ApiError(ErrorCode.ContractViolation, 'no', { headers: { 'X-Name': value } });
      for (const given of [
        () => ({ status: 200, headers: { 'X-Name': value }, body: { name: 'Ficus' } }),
        thrower(error),
      ]) {
        act = given;
        const answer = await post(reporting);
        expectError(answer, ...INTERNAL);
        expect(answer.headers).not.toHaveProperty('x-name');
      }
      errorsLogged(reporting);
    },
  );

  it('of 204 has no length, whatever its handler says', async () => {
    act = () => ({ status: 204, headers: { 'Content-Length': '9' } });
    const answer = await post(reporting);
    expect(answer.status).toBe(204);
    expect(answer.headers).not.toHaveProperty('content-length');
    errorsLogged(reporting);
  });

  it('is framed by the server, whatever its handler says', async () => {
    const framing = {
      'Transfer-Encoding': 'chunked',
      Trailer: 'X',
      Upgrade: 'h2c',
      'keep-alive': 'timeout=1',
      Connection: 'close',
    };
    act = () => ({ status: 200, headers: framing, body: { name: 'Ficus' } });
    const { headers, body } = await post(reporting);
    expect(body).toBe('{"name":"Ficus"}');
    expect(headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=72', 'content-length': '16' });
    for (const name of ['transfer-encoding', 'trailer', 'upgrade']) expect(headers).not.toHaveProperty(name);
  });

  it('whose error cannot be written either is a closed connection, and the service goes on', async () => {
    let isBroken = false;
    const service = await startService({
      errorBody: {
        mediaType: 'application/json',
        body({ code, message }) {
          if (isBroken) throw new Error('secret');
          return { error: code, message };
        },
      },
    });
    isBroken = true;
    expect(await bytesFrom({ ...service, token: 'wrong' })).toBe('');
    isBroken = false;
    expect(await post(service)).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
  });
});

describe('what goes wrong when an answer has begun', () => {
  /** One turn of the event loop, so that what was written reaches the client. */
  const flushed = () => new Promise(setImmediate);

  const thrown = new Error('secret');

  it.each<[what: string, headers: object, thrown: Error | undefined, received: string, logged: string]>([
    ['by an error', { 'Content-Length': 9 }, thrown, 'half', 'secret'],
    ['by an error between chunks', {}, thrown, '4\r\nhalf\r\n', 'secret'],
    ['by an error that cannot be logged', {}, throwing('message'), '4\r\nhalf\r\n', 'secret'],
    ['by another answer', {}, undefined, '4\r\nhalf\r\n', 'ERR_HTTP_HEADERS_SENT'],
  ])('%s ends in a closed connection, and the cause is in the log', async (_what, headers, error, received, logged) => {
    meddle = async ({ res }) => {
      res?.writeHead(200, { ...headers }).write('half');
      await flushed();
      if (error) throw error;
    };
    const bytes = plantRequest(enforcing, { body: '{"id":1,"name":"Ficus"}' });
    const answer = await (await RawConnection.open(enforcing.port)).send(bytes).closed();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(received);
    expect(errorsLogged()).toEqual([expect.stringContaining(logged)]);
  });

  it('leaves an answer that is complete as it is', async () => {
    meddle = ({ res }) => {
      res?.writeHead(200, { 'Content-Length': 5 }).end('whole');
      throw new Error('secret');
    };
    expect(await post()).toMatchObject({ status: 200, body: 'whole' });
    expect(errorsLogged()).toEqual([expect.stringContaining('secret')]);
  });

  it('leaves the service running where the connection is closed as well', async () => {
    meddle = async ({ res }) => {
      res?.destroy();
      await flushed();
      throw new Error('secret');
    };
    const bytes = plantRequest(enforcing, { body: '{"id":1,"name":"Ficus"}' });
    expect(await (await RawConnection.open(enforcing.port)).send(bytes).closed()).toBe('');
    meddle = () => undefined;
    expect(await post()).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
    expect(errorsLogged()).toEqual([expect.stringContaining('secret')]);
  });
});
