/** Bodies of sequential media types, whose items are held to the contract when a handler asks for them. */
import { Readable } from 'node:stream';
import { canRead } from '../../../src/engine/contract/media-type';
import { BodyBudget, BodyBuffer } from '../../../src/engine/http/body-buffer';
import { splitItems } from '../../../src/engine/http/split-items';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { CHUNKED, chunk } from '../../support/chunks';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const number =
  '{ type: object, required: [n], properties: { n: { type: integer, format: int64 }, unit: { type: string, default: kg } } }';
const contract = contractOf(`
openapi: 3.2.0
info: { title: Numbers, version: 1.0.0 }
paths:
  /numbers:
    post:
      operationId: take
      requestBody:
        required: true
        content:
          application/jsonl: { itemSchema: ${number} }
          application/x-ndjson: { schema: { type: array, minItems: 1, maxItems: 3, items: ${number} } }
          application/json-seq: { schema: ${number} }
          application/x-ndjson; text=1: { schema: { type: string } }
      responses: { '200': { description: Taken., content: { application/json: {} } } }
`);
const ITEM_BYTES_MAX = 1_000;
const BYTES_MAX = 100_000;

type Body = AsyncIterable<{ n: bigint; unit: string }>;
let take: (body: Body) => unknown;
let taken: unknown[];
let service: TestService;
beforeAll(async () => {
  service = await startService({
    contract,
    handlers: handlersOf({ take: async ({ body }) => ({ status: 200, body: await take(body as Body) }) }),
    bodyBytesMax: ITEM_BYTES_MAX,
    operationLimits: { take: { bytes: BYTES_MAX } },
  });
});
beforeEach(() => {
  taken = [];
  take = async (body) => {
    for await (const each of body) taken.push(each);
    return taken.length;
  };
});

const request = (body: string, type = 'application/jsonl', headers: RequestParts['headers'] = {}): Buffer =>
  plantRequest(service, { line: 'POST /numbers HTTP/1.1', body, headers: { 'Content-Type': type, ...headers } });

const [first, second] = [
  { n: 9223372036854775807n, unit: 'kg' },
  { n: 2n, unit: 'g' },
];
const [one, two] = ['{"n":9223372036854775807}', ' {"n":2.0,"unit":"g"}'];

it.each([
  ['application/jsonl', `${one}\n${two}\n`],
  ['application/jsonl', `\r\n${one}\r\n\n \t\n${two}`],
  ['application/x-ndjson', `${one}\n${two}\n`],
  ['application/json-seq', `\x1e${one}\n\x1e${two}\n`],
  ['application/json-seq', `\x1e\x1e${one}\x1e\n${two}`],
])('items of %s are exact, with defaults, however they are cut: %j', async (type, body) => {
  for (const size of [body.length, 1, 7]) {
    const chunks = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const answer = await ask(service.port, request(`${chunks.map(chunk).join('')}0\r\n\r\n`, type, CHUNKED));
    expect(answer).toMatchObject({ status: 200, body: '2' });
    expect(taken.splice(0)).toEqual([first, second]);
  }
});

it('their media types are no misspelt ones', () => {
  const served = { handlers: ['take'], verifiers: {}, canRead };
  expect(loadContract(contract, served).warnings).toEqual([]);
});

it('no items are a sequence, too', async () => {
  expect(await ask(service.port, request('\n'))).toMatchObject({ status: 200, body: '0' });
});

it('a text is a text, if its schema says so', async () => {
  take = (body) => Promise.resolve(body);
  const answer = await ask(service.port, request('{"n":1}\n', 'application/x-ndjson; text=1'));
  expect(answer).toMatchObject({ status: 200, body: '"{\\"n\\":1}\\n"' });
});

const NDJSON = 'application/x-ndjson';
const SEQ = 'application/json-seq';
it.each<[what: string, type: string, body: string, good: number, code: number, message: string]>([
  ['breaks its schema', NDJSON, '{"n":1}\n{"n":"x"}\n', 1, 40002, '/body/1/n: expected integer, got "x"'],
  ['is another number', NDJSON, '{"n":9223372036854775808}', 0, 40002, ''],
  [
    'is no JSON',
    NDJSON,
    '{"n":1}\n{"n":\n',
    1,
    40001,
    '/body/1: expected JSON: expected a value at line 1, column 6: the text ends there',
  ],
  [
    'is not UTF-8',
    NDJSON,
    '{"n":1,"unit":"\xff"}\n',
    0,
    40001,
    '/body/0: expected UTF-8, got bytes of another encoding, such as Latin-1',
  ],
  [
    'is too large',
    NDJSON,
    `{"n":1}\n${' '.repeat(ITEM_BYTES_MAX)}{"n":2}`,
    1,
    41301,
    '/body/1: expected an item of at most 1000 bytes',
  ],
  ['is one too many', NDJSON, '{"n":1}\n'.repeat(4), 3, 40002, '/body: expected at most 3 items, got more'],
  ['is missing', NDJSON, '\n', 0, 40002, '/body: expected at least 1 items, got 0'],
  ['has nothing before it', SEQ, '{"n":1}\n', 0, 40001, '/body/0: expected a record separator before each item'],
  ['may be cut', SEQ, '\x1e{"n":1}\n\x1e12', 1, 40001, '/body/1: expected a line feed at its end'],
])('an item that %s is refused, after those before it (%s)', async (_what, type, body, good, code, message) => {
  const head = request('', type, { 'Content-Length': String(body.length) });
  const answer = await ask(service.port, Buffer.concat([head, Buffer.from(body, 'latin1')]));
  if (message !== '') expectError(answer, code, message);
  else expect(answer.body).toContain(String(code));
  expect(taken).toHaveLength(good);
});

it('a handler may go on without the items behind a bad one', async () => {
  take = async (body) => {
    const failed = await (async () => {
      for await (const each of body) taken.push(each);
    })().catch((error: Error) => error.message);
    return [taken.length, failed];
  };
  const answer = await ask(service.port, request('{"n":1}\n[]\n{"n":3}\n'));
  expect(answer).toMatchObject({ status: 200, body: '[1,"/body/1: expected object, got array"]' });
});

describe('a handler that stops', () => {
  const PIECE = chunk('{"n":1}\n'.repeat(8_000));

  it.each<[when: string, read: (body: Body) => Promise<unknown>]>([
    ['before the first item', () => Promise.resolve('enough')],
    [
      'after an item',
      async (body) => {
        for await (const each of body) return each.unit;
        return undefined;
      },
    ],
  ])('%s has its answer sent, and the rest is not read', async (_when, read) => {
    take = read;
    const connection = (await RawConnection.open(service.port)).send(request('', 'application/jsonl', CHUNKED));
    expect(await connection.flood(PIECE)).toBeLessThan(20_000_000);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await connection.closed()).toBe('');
  });

  it('leaves the connection open where the body has come', async () => {
    take = () => Promise.resolve('enough');
    const connection = await RawConnection.open(service.port);
    for (const _ of [1, 2]) {
      expect(await connection.send(request('{"n":1}\n'.repeat(3))).answer()).toMatchObject({ body: '"enough"' });
    }
    connection.destroy();
  });
});

it('a body that is larger than its operation takes is refused where it is', async () => {
  const connection = (await RawConnection.open(service.port)).send(request('', 'application/jsonl', CHUNKED));
  await connection.flood(chunk('{"n":1}\n'.repeat(8_000)));
  expectError(await connection.answer(), 41301, `expected a body of at most ${BYTES_MAX} bytes`);
  expect(taken.length).toBeLessThan(BYTES_MAX / 8 + 1);
});

it('a client that goes in the middle ends the loop of the handler', async () => {
  let failed: unknown;
  take = async (body) => {
    try {
      for await (const each of body) taken.push(each);
    } catch (error) {
      failed = error;
    }
    return 1;
  };
  const connection = (await RawConnection.open(service.port)).send(request('', 'application/jsonl', CHUNKED));
  connection.send(chunk('{"n":1}\n{"n'));
  await eventually(() => expect(taken).toHaveLength(1));
  connection.destroy();
  await eventually(() => expect(failed).toMatchObject({ code: 40003 }));
});

it('a client that waits for 100 Continue sends nothing before the handler reads', async () => {
  const body = '{"n":1}\n';
  const head = request('', 'application/jsonl', { Expect: '100-continue', 'Content-Length': String(body.length) });
  const connection = (await RawConnection.open(service.port)).send(head);
  expect(await connection.answer()).toMatchObject({ status: 100 });
  expect(await connection.send(body).answer()).toMatchObject({ status: 200, body: '1' });
  take = () => Promise.resolve('enough');
  expect(await connection.send(head).answer()).toMatchObject({ status: 200, body: '"enough"' });
  connection.destroy();
});

it('a handler that reads once it has answered is told', async () => {
  let failed: unknown;
  take = (body) => {
    const isAnswered = (): void => expect(service.logged.at(-1)).toMatchObject({ status: 200 });
    const late = async (): Promise<void> => {
      await eventually(isAnswered);
      for await (const each of body) taken.push(each);
    };
    late().catch((error: Error) => (failed = error.message));
    return Promise.resolve('early');
  };
  expect(await ask(service.port, request('{"n":1}\n'))).toMatchObject({ body: '"early"' });
  await eventually(() => expect(failed).toBe('expected the body to be read before the answer is given'));
  expect(taken).toEqual([]);
});

/** Counts the turns of the event loop while `act` goes on. */
async function turnsOf(act: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = (): void => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await act();
  clearImmediate(counting);
  return turns;
}

it('leave others their turn where many have come at once, and their handler computes', async () => {
  let turns = 0;
  take = async (body) => {
    turns = await turnsOf(async () => {
      for await (const each of body) for (const end = performance.now() + 3; performance.now() < end;) taken.push(each);
    });
    return turns;
  };
  expect(await ask(service.port, request(`${one}\n`.repeat(30)))).toMatchObject({ status: 200 });
  expect(turns).toBeGreaterThan(5);
});

it('leave others their turn where many blank lines have come at once', async () => {
  const chunks = Readable.from([Buffer.from(' \n'.repeat(500_000))]);
  const buffer = new BodyBuffer(ITEM_BYTES_MAX, new BodyBudget(ITEM_BYTES_MAX), 'a client');
  const items = splitItems(chunks, { start: '', buffer, parse: () => ({ value: 1, hasExactNumbers: false }) });
  const turns = await turnsOf(async () => {
    for await (const each of items) taken.push(each);
  });
  expect(taken).toEqual([]);
  expect(turns).toBeGreaterThan(5);
});
