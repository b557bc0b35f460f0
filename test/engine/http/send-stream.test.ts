/** Answers whose bodies are made while they are sent: items that are held to the contract, and bytes. */
import { createReadStream, openAsBlob, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RequestContext } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, RawConnection } from '../../support/raw';
import { type ServiceOptions, startService, type TestService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

const number = '{ type: object, required: [n], properties: { n: { type: integer, format: int64 } } }';
const contract = contractOf(`
openapi: 3.2.0
info: { title: Numbers, version: 1.0.0 }
paths:
  /numbers:
    get:
      operationId: give
      responses:
        '200':
          description: Numbers.
          headers: { Content-Length: { schema: { type: integer } } }
          content:
            application/jsonl: { itemSchema: ${number} }
            application/x-ndjson: { schema: { type: array, items: ${number}, minItems: 1, maxItems: 3 } }
            application/geo+json-seq: { schema: ${number} }
            text/event-stream:
              itemSchema:
                type: object
                required: [data]
                properties: { event: { type: string }, id: { type: string }, retry: { type: integer }, data: { type: string } }
                oneOf:
                  - { properties: { event: { const: text } } }
                  - { properties: { event: { const: n }, data: { contentMediaType: application/json, contentSchema: ${number} } }, required: [event] }
            text/event-stream; charset=utf-8: { schema: ${number} }
            application/octet-stream: {}
            image/*: {}
            text/plain: {}
            application/json: { schema: ${number} }
    post:
      operationId: chat
      responses: { '200': { description: An answer., content: { text/event-stream: {} } } }
`);

type Give = (context: RequestContext) => { body: unknown; mediaType?: string; headers?: Record<string, unknown> };
let give: Give;
let service: TestService;
const start = (options: ServiceOptions = {}) =>
  startService({
    contract,
    handlers: handlersOf({
      give: (_request, context) => ({ status: 200, ...give(context) }),
      chat: (_request, context) => ({ status: 200, ...give(context) }),
    }),
    ...options,
  });
beforeAll(async () => (service = await start()));
afterAll(() => service.close());

const folder = temporaryFolder();
const LINES = 'application/jsonl';
const url = (): string => `http://127.0.0.1:${service.port}/numbers`;
const REQUEST = 'GET /numbers HTTP/1.1\r\nHost: localhost\r\n\r\n';
const logged = (msg: string) => service.logged.filter((line) => line.msg === msg);
/** Resolves when the condition holds. */
const until = (holds: () => unknown) => eventually(() => expect(holds()).toBeTruthy());

/** Numbers from 1 to `end`; notes how far it has come, and its end. */
async function* count(end: number, seen: { n?: number; isOver?: boolean } = {}) {
  try {
    for (let n = 1; n <= end; n++) {
      seen.n = n;
      await Promise.resolve();
      yield { n: BigInt(n) };
    }
  } finally {
    seen.isOver = true;
  }
}

async function* items(...all: unknown[]) {
  await Promise.resolve();
  for (const each of all) {
    if (each instanceof Error) throw each;
    yield each;
  }
}

/** Waits until the client goes. */
async function* silent({ signal }: RequestContext, seen: { isOver?: boolean } = {}, ...first: unknown[]) {
  yield* first;
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  seen.isOver = true;
  yield { n: 0 }; // nobody waits for it
}

describe('a body of items', () => {
  it.each([
    [LINES, '{"n":1}\n{"n":2}\n'],
    ['application/x-ndjson', '{"n":1}\n{"n":2}\n'],
    ['application/geo+json-seq', '\x1e{"n":1}\n\x1e{"n":2}\n'],
  ])('is framed as %s has it', async (mediaType, body) => {
    give = () => ({ mediaType, body: count(2) });
    const answer = await fetch(url());
    const { headers } = answer;
    expect([answer.status, headers.get('content-type'), headers.get('content-length')]).toEqual([200, mediaType, null]);
    expect(await answer.text()).toBe(body);
  });

  it('is of events, whose texts cannot forge a field, and whose data may be a value by contentSchema', async () => {
    const all = [
      { event: 'text', id: '7', retry: 5, data: 'one\nid: 8\r\n\rtwo' },
      { event: 'n', data: { n: 2n ** 62n } },
    ];
    give = () => ({ mediaType: 'text/event-stream', body: items(...all) });
    expect(await (await fetch(url())).text()).toBe(
      'event: text\nid: 7\nretry: 5\ndata: one\ndata: id: 8\ndata: \ndata: two\n\n' +
        'event: n\ndata: {"n":4611686018427387904}\n\n',
    );
  });

  it('is of events whose schema is of their data, as in documents of 3.1', async () => {
    give = () => ({ mediaType: 'text/event-stream; charset=utf-8', body: items({ id: '1', data: { n: 1 } }) });
    expect(await (await fetch(url())).text()).toBe('id: 1\ndata: {"n":1}\n\n');
  });

  it.each<[what: string, mediaType: string, item: unknown, reason: string]>([
    ['an item', LINES, { n: 'x' }, '/n: expected integer'],
    ['the data of an event', 'text/event-stream', { event: 'n', data: { n: 'x' } }, 'data/n: expected integer'],
    ['a text where a value is', 'text/event-stream', { event: 'n', data: '{"n":1}' }, 'data: expected object'],
    ['an event', 'text/event-stream', { event: 'text' }, '/data: expected a value'],
    ['half of a surrogate pair', 'text/event-stream', { event: 'text', data: '\ud83c' }, 'without lone surrogates'],
    [
      'an id of two lines',
      'text/event-stream',
      { event: 'text', id: '1\ndata: 2', data: '' },
      'expected one line as id of an event',
    ],
  ])('is refused if the first one breaks the contract: %s', async (_what, mediaType, item, reason) => {
    give = () => ({ mediaType, body: items(item) });
    const before = service.logged.length;
    expectError(await ask(service.port, REQUEST, 'GET'), 50001, 'internal error');
    expect(JSON.stringify(service.logged.slice(before))).toContain(reason);
  });

  it('ends without an end if a later item breaks the contract, with its number in the log', async () => {
    give = () => ({ mediaType: LINES, body: items({ n: 1 }, { n: 2 }, { n: 'x' }, { n: 4 }) });
    const connection = (await RawConnection.open(service.port)).send(REQUEST);
    const text = await connection.closed();
    expect(text).toMatch(/{"n":2}\n\r\n$/);
    const [line] = logged('an answer is broken off').slice(-1);
    expect(line).toMatchObject({
      operation: 'give',
      item: 3,
      err: { message: expect.stringContaining('/n: expected') },
    });
    expect(text).toContain(String(line?.id));
    await eventually(() => expect(logged('request').at(-1)).toMatchObject({ status: 'aborted', error: 50001 }));
  });

  it.each([
    [4, '{"n":3}', 'expected at most 3 items, got more'],
    [0, '"message":"internal error"', 'expected at least 1 items, got 0'],
  ])('ends without an end if its list must not have %d items', async (length, last, reason) => {
    give = () => ({ mediaType: 'application/x-ndjson', body: count(length) });
    const before = service.logged.length;
    const connection = (await RawConnection.open(service.port)).send(
      REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    const text = await connection.closed();
    expect(text).toContain(last);
    expect(text).not.toMatch(/"n":4|\r\n0\r\n/);
    expect(JSON.stringify(service.logged.slice(before))).toContain(reason);
  });

  it('is sent as far as it came before its generator failed, and the client knows', async () => {
    give = () => ({
      mediaType: LINES,
      body: items(...Array.from({ length: 10 }, (_, n) => ({ n })), new Error('lost')),
    });
    const answer = await fetch(url());
    const received: string[] = [];
    const reading = async () => {
      for await (const bytes of answer.body ?? []) received.push(Buffer.from(bytes).toString());
    };
    await expect(reading()).rejects.toThrow('terminated');
    expect(received.join('').split('\n')).toHaveLength(11);
    expect(logged('an answer is broken off').at(-1)).toMatchObject({ item: 10, err: { message: 'lost' } });
  });

  it('is an ordinary error if its generator fails before the first item', async () => {
    give = () => ({ mediaType: LINES, body: items(new Error('lost')) });
    expectError(await ask(service.port, REQUEST, 'GET'), 50001, 'internal error');
  });

  it('may be empty', async () => {
    give = () => ({ mediaType: LINES, body: items() });
    const answer = await fetch(url());
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('a body of bytes', () => {
  const whole = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
  const file = join(folder, 'bytes');
  beforeAll(() => writeFileSync(file, whole));

  it.each<[what: string, body: () => unknown]>([
    ['a generator', () => items(whole.subarray(0, 7), whole.subarray(7))],
    ['a Readable', () => Readable.from([whole])],
    ['a web stream', () => new Response(whole).body],
    ['a Blob', () => new Blob([whole])],
  ])('comes from %s', async (_what, body) => {
    give = () => ({ mediaType: 'application/octet-stream', body: body() });
    expect(Buffer.from(await (await fetch(url())).arrayBuffer()).equals(whole)).toBe(true);
  });

  it('comes from a file', async () => {
    const body = await openAsBlob(file);
    give = () => ({ mediaType: 'image/png', body });
    expect(Buffer.from(await (await fetch(url())).arrayBuffer()).equals(whole)).toBe(true);
  });

  it.each<[type: string, pieces: (string | Buffer)[]]>([
    ['text/plain; charset=utf-8', ['é', Buffer.from('€')]],
    ['text/plain', [Buffer.from('é'), '€']],
  ])('is of %s', async (type, pieces) => {
    give = () => ({ mediaType: 'text/plain', body: items(...pieces) });
    const answer = await fetch(url());
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, 'é€']);
  });

  it('may be text in pieces', async () => {
    give = () => ({ mediaType: 'image/svg+xml', body: items('<svg>', '</svg>') });
    expect(await (await fetch(url())).text()).toBe('<svg></svg>');
  });

  it('has the length that its handler knows, and no other', async () => {
    const told = (length: number) => () => ({
      mediaType: 'application/octet-stream',
      headers: { 'Content-Length': length },
      body: items('12345', '67890'),
    });
    give = told(10);
    expect(await ask(service.port, REQUEST, 'GET')).toMatchObject({
      headers: { 'content-length': '10' },
      body: '1234567890',
    });
    for (const length of [7, 11]) {
      give = told(length);
      const text = await (await RawConnection.open(service.port)).send(REQUEST).closed();
      expect(text.split('\r\n\r\n')[1]).toBe(length === 7 ? '12345' : '1234567890');
    }
  });

  it.each<[what: string, body: Blob | Uint8Array]>([
    ['a Blob', new Blob([whole.subarray(0, 3)])],
    ['an array', whole.subarray(0, 3)],
  ])('has its own length, once, if it is %s', async (_what, body) => {
    give = () => ({ mediaType: 'application/octet-stream', headers: { 'Content-Length': 7 }, body });
    expect(await ask(service.port, REQUEST, 'GET')).toMatchObject({ headers: { 'content-length': '3' } });
  });

  it.each<[what: string, mediaType: string, body: () => unknown]>([
    ['numbers', 'application/octet-stream', () => items(5)],
    ['half of a surrogate pair', 'image/svg+xml', () => items('\ud83c', '\udf31')],
    ['a stream of JSON', 'application/json', () => items('{"n":1}')],
    ['a media type that is not declared', 'text/html', () => items('a')],
  ])('is refused: %s', async (_what, mediaType, body) => {
    give = () => ({ mediaType, body: body() });
    expectError(await ask(service.port, REQUEST, 'GET'), 50001, 'internal error');
  });
});

describe('a client', () => {
  it('that goes ends the generator, and aborts the signal', async () => {
    const seen: { isOver?: boolean } = {};
    give = (context) => ({ mediaType: LINES, body: silent(context, seen, { n: 1 }) });
    const before = logged('request').length;
    const failures = service.logged.filter(({ level }) => Number(level) >= 50).length;
    const connection = (await RawConnection.open(service.port)).send(REQUEST);
    await until(() => connection.countReceived(/"n"/) === 1);
    connection.reset();
    await until(() => seen.isOver && logged('request').length > before);
    expect(logged('request').at(-1)).toMatchObject({ status: 'aborted' });
    expect(service.logged.filter(({ level }) => Number(level) >= 50)).toHaveLength(failures);
  });

  it('that goes before there is an item ends it too', async () => {
    const seen: { isOver?: boolean } = {};
    let isReached = false;
    give = (context) => {
      isReached = true;
      return { mediaType: LINES, body: silent(context, seen) };
    };
    const connection = (await RawConnection.open(service.port)).send(REQUEST);
    await until(() => isReached);
    connection.destroy();
    await until(() => seen.isOver);
  });

  it('that goes destroys a Readable that waits', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('beginning');
    give = () => ({ mediaType: 'application/octet-stream', body });
    const connection = (await RawConnection.open(service.port)).send(REQUEST);
    await until(() => connection.countReceived(/beginning/) === 1);
    connection.destroy();
    await until(() => body.destroyed);
  });

  it('that does not read makes the generator wait', async () => {
    const seen: { n?: number; isOver?: boolean } = {};
    const piece = 'x'.repeat(1_000_000);
    const pieces = async function* () {
      for await (const { n } of count(1_000, seen)) yield `${n}${piece}`;
    };
    give = () => ({ mediaType: 'application/octet-stream', body: pieces() });
    const request = get(url(), (answer) => answer.pause());
    await until(() => seen.n);
    // As many as fit in the buffers of the two sockets.
    let last: number | undefined;
    await until(() => last === (last = seen.n));
    expect(seen.n).toBeLessThan(100);
    request.destroy();
    await until(() => seen.isOver);
  });

  it('that reads as fast as items are made leaves others their turn', async () => {
    let turns = 0;
    const busy = async function* () {
      setImmediate(() => turns++);
      for (const end = performance.now() + 50; performance.now() < end;) await Promise.resolve();
      yield* count(3);
      yield { n: turns };
    };
    give = () => ({ mediaType: LINES, body: busy() });
    const lines = (await (await fetch(url())).text()).trim().split('\n');
    expect(lines).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":1}']);
  });

  it('of HTTP/1.0 gets the body as it is, and a reset if it is broken off', async () => {
    const request = 'GET /numbers HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n';
    give = () => ({ mediaType: LINES, body: count(2) });
    const text = await (await RawConnection.open(service.port)).send(request).closed();
    expect(text).toContain('Connection: close');
    expect(text.split('\r\n\r\n')[1]).toBe('{"n":1}\n{"n":2}\n');
    give = () => ({ mediaType: LINES, body: items({ n: 1 }, new Error('lost')) });
    const connection = (await RawConnection.open(service.port)).send(request);
    expect(await connection.isReset()).toBe(true);
  });

  it('of HTTP/1.0 that sends no more amid its answer gets a reset', async () => {
    give = (context) => ({ mediaType: LINES, body: silent(context, {}, { n: 1 }) });
    const connection = (await RawConnection.open(service.port)).send(REQUEST.replace('1.1', '1.0'));
    await until(() => connection.countReceived(/"n"/) === 1);
    expect(await connection.finish().isReset()).toBe(true);
  });

  it('that asks with HEAD starts nothing', async () => {
    const seen: { n?: number } = {};
    give = () => ({ mediaType: LINES, body: count(2, seen) });
    const answer = await fetch(url(), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type'), seen.n]).toEqual([200, LINES, undefined]);
  });

  it('that asks with HEAD for a file that does not exist has it logged, and the server goes on', async () => {
    give = () => ({ mediaType: 'application/octet-stream', body: createReadStream(join(folder, 'missing')) });
    expect((await fetch(url(), { method: 'HEAD' })).status).toBe(200);
    await until(() => logged('a body could not be ended').length === 1);
    expect(logged('a body could not be ended')).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining('ENOENT') }) }),
    ]);
    give = () => ({ mediaType: LINES, body: count(1) });
    expect(await (await fetch(url())).text()).toBe('{"n":1}\n');
  });

  it('that pipelines gets its answers one after the other', async () => {
    give = () => ({ mediaType: LINES, body: count(2) });
    const last = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const text = await (await RawConnection.open(service.port)).send(REQUEST + REQUEST + last).closed();
    // Node 26 sends items of one turn as one chunk.
    expect(text.match(/\r\n{"n":1}\n(?:\r\n8\r\n)?{"n":2}\n\r\n0\r\n\r\n/g)).toHaveLength(3);
  });

  it('that pipelines gets what is before an answer that is broken off while it waits, and the end of the connection', async () => {
    let go: (value?: unknown) => void = () => undefined;
    const gone = new Promise((resolve) => (go = resolve));
    const first = async function* () {
      await gone;
      yield { n: 1 };
    };
    const bodies = [first(), items({ n: 2 }, new Error('lost')), count(1)];
    give = () => ({ mediaType: LINES, body: bodies.shift() });
    const connection = (await RawConnection.open(service.port)).send(REQUEST.repeat(3));
    await until(() => JSON.stringify(service.logged).includes('an answer is broken off'));
    go();
    expect(await connection.closed()).toMatch(/{"n":1}\n\r\n0\r\n\r\n(?!.*{"n":1})(?!.*0\r\n\r\n)/s);
  });
});

describe('an event stream', () => {
  it('has a comment now and then, before the first event too', async () => {
    await service.close();
    service = await start({ commentMs: 5 });
    const seen: { isOver?: boolean } = {};
    give = (context) => ({ mediaType: 'text/event-stream', body: silent(context, seen) });
    const connection = (await RawConnection.open(service.port)).send(REQUEST);
    await until(() => connection.countReceived(/\r\n:\n\n\r\n/g) >= 3);
    expect(connection.countReceived(/HTTP\/1\.1 200 OK/)).toBe(1);
    connection.destroy();
    await until(() => seen.isOver);
  });
});

describe('a server that is closed', () => {
  it('finishes a stream that ends in time', async () => {
    const going = await start();
    let go: (value?: unknown) => void = () => undefined;
    const gone = new Promise((resolve) => (go = resolve));
    give = () => ({
      mediaType: LINES,
      body: (async function* () {
        yield { n: 1 };
        await gone;
        yield { n: 2 };
      })(),
    });
    const connection = (await RawConnection.open(going.port)).send(REQUEST);
    await until(() => connection.countReceived(/"n"/) === 1);
    const closed = going.close(60_000);
    go();
    expect(await connection.closed()).toMatch(/{"n":2}\n\r\n0\r\n\r\n$/);
    await closed;
  });

  it.each([
    ['after an event', [{ data: 'a', event: 'text' }]],
    ['before the first event', []],
  ])('ends an event stream that idles %s, so that its client can connect again', async (_when, first) => {
    const going = await start();
    const seen: { isOver?: boolean; isAsked?: boolean } = {};
    give = (context) => {
      seen.isAsked = true;
      return { mediaType: 'text/event-stream', body: silent(context, seen, ...first) };
    };
    const connection = (await RawConnection.open(going.port)).send(REQUEST);
    await until(() => seen.isAsked && connection.countReceived(/data: a/) === first.length);
    const closed = going.close(60_000);
    await until(() => seen.isOver && connection.countReceived(/\r\n0\r\n\r\n$/) === 1);
    connection.destroy();
    await closed;
  });

  it('ends no event stream whole whose client will not connect again', async () => {
    const going = await start();
    give = (context) => ({ body: silent(context, {}, { data: 'a' }) });
    const connection = (await RawConnection.open(going.port)).send(REQUEST.replace('GET', 'POST'));
    await until(() => connection.countReceived(/data: a/) === 1);
    await going.close(1_500); // longer than it idles
    expect(await connection.closed()).toMatch(/data: a\n\n\r\n$/);
  });

  it('resets the connection of HTTP/1.0 whose answer it cuts, which looked whole otherwise', async () => {
    const going = await start();
    give = (context) => ({ mediaType: LINES, body: silent(context, {}, { n: 1 }) });
    const connection = (await RawConnection.open(going.port)).send(REQUEST.replace('1.1', '1.0'));
    await until(() => connection.countReceived(/"n"/) === 1);
    await going.close(50);
    expect(await connection.isReset()).toBe(true);
  });

  it('cuts one that does not, and ends its generator', async () => {
    const going = await start();
    const seen: { isOver?: boolean } = {};
    give = (context) => ({ mediaType: LINES, body: silent(context, seen, { n: 1 }) });
    const connection = (await RawConnection.open(going.port)).send(REQUEST);
    await until(() => connection.countReceived(/"n"/) === 1);
    await going.close(50);
    expect(await connection.closed()).toMatch(/{"n":1}\n\r\n$/);
    await until(() => seen.isOver);
  });
});
