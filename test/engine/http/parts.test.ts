/** Bodies of parts without names, in and out: each part is an item that is held to the contract. */
import { CHUNKED, chunk } from '../../support/chunks';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, type RawAnswer, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { table } from '../../support/table';

const number =
  '{ type: object, required: [n], properties: { n: { type: integer, format: int64 }, unit: { type: string, default: kg } } }';
const CONTENT = `
          multipart/mixed: { itemSchema: ${number} }
          multipart/x-any: { schema: { type: array } }
          multipart/x-numbers: { itemSchema: { type: [integer, boolean, 'null'], format: int64 } }
          multipart/x-pair: { schema: { type: array, prefixItems: [{ type: string }], items: false } }
          multipart/x-texts: { schema: { type: array, items: { type: string } } }
          multipart/related:
            schema: { type: array, minItems: 1, maxItems: 3, prefixItems: [{ $ref: '#/components/schemas/Title' }], items: { type: string, format: binary, maxLength: 9 } }`;
const contract = contractOf(`
openapi: 3.2.0
info: { title: Albums, version: 1.0.0 }
paths:
  /albums:
    post:
      operationId: take
      requestBody:
        required: true
        content: ${CONTENT}
            prefixEncoding: [{ contentType: application/json }]
            itemEncoding: { contentType: 'image/png, audio/*' }
      responses: { '200': { description: Taken., content: { application/json: {} } } }
    get:
      operationId: give
      responses:
        '200':
          description: Given.
          content: ${CONTENT.replaceAll('\n', '\n    ')}
                prefixEncoding: [{ contentType: application/vnd.title+json }]
                itemEncoding: { contentType: image/png }
              multipart/x-mixed-replace; boundary=frame: { itemSchema: { type: string, contentMediaType: image/jpeg } }
components: { schemas: { Title: { type: object, required: [title], properties: { title: { type: string }, id: { type: integer, format: int64 } } } } }
`);
const ITEM_BYTES_MAX = 1_000;

let take: (body: AsyncIterable<unknown>) => unknown;
let give: () => { mediaType: string; body: unknown };
let taken: unknown[];
let service: TestService;
beforeAll(async () => {
  service = await startService({
    contract,
    handlers: handlersOf({
      take: async ({ body }) => ({ status: 200, body: await take(body as AsyncIterable<unknown>) }),
      give: () => ({ status: 200, ...give() }),
    }),
    bodyBytesMax: ITEM_BYTES_MAX,
    operationLimits: { take: { bytes: 100_000 } },
  });
});
beforeEach(() => {
  taken = [];
  take = async (body) => {
    for await (const each of body) taken.push(each);
    return taken.length;
  };
});

const part = (content: string, type?: string): string =>
  `--xx\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
const END = '--xx--\r\n';
const JSON_TYPE = 'application/json';
/** Each character of the body is a byte. */
const request = (body: string, subtype = 'mixed; boundary=xx', headers = {}): Buffer => {
  const head = {
    'Content-Type': `multipart/${subtype}`,
    ...('Transfer-Encoding' in headers ? {} : { 'Content-Length': String(body.length) }),
  };
  const line = 'POST /albums HTTP/1.1';
  return Buffer.concat([
    plantRequest(service, { line, headers: { 'Content-Length': undefined, ...head, ...headers } }),
    Buffer.from(body, 'latin1'),
  ]);
};
const send = (body: string, subtype?: string): Promise<RawAnswer> => ask(service.port, request(body, subtype));

const TITLE = part('{"title":"Garden","id":9223372036854775807}', JSON_TYPE);
const album = [{ title: 'Garden', id: 9223372036854775807n }, Buffer.from('\r\n-\xff\r\n', 'latin1'), Buffer.from('')];

describe('a request in parts', () => {
  const numberOf = (n: bigint, unit = 'kg') => ({ n, unit });
  it.each<[what: string, subtype: string, body: string, items: unknown[]]>([
    [
      'JSON, exact and with defaults',
      'mixed; boundary=xx',
      part('{"n":9223372036854775807}', JSON_TYPE) + part(' {"n":2.0,"unit":"g"}\n', 'application/x+json') + END,
      [numberOf(9223372036854775807n), numberOf(2n, 'g')],
    ],
    [
      'JSON by its schema, whatever its headers',
      'mixed; boundary="xx"',
      part('{"n":1}') + part('{"n":2}', 'text/plain\r\nContent-ID: <a@b>\r\ncontent-disposition: inline') + END,
      [numberOf(1n), numberOf(2n)],
    ],
    [
      'an object, then bytes',
      'related; type="application/json"; boundary=xx; start="<a>"',
      `${TITLE}${part('\r\n-\xff\r\n', 'image/png')}${part('', `audio/flac\r\nX-Long: ${'x'.repeat(4_000)}`)}${END}`,
      album,
    ],
    [
      'anything by its Content-Type',
      'x-any; boundary=xx',
      part('{"n":1}', JSON_TYPE) + part('{"n":1}') + part('--xxx', 'text/csv') + part('\xff', 'image/gif') + END,
      [{ n: 1 }, '{"n":1}', '--xxx', Buffer.from([255])],
    ],
    [
      'numbers as text',
      'x-numbers; boundary=xx',
      part('-9223372036854775808') + part('true') + part('') + END,
      [-9223372036854775808n, true, null],
    ],
    [
      'texts',
      'x-texts; boundary=xx',
      part('') + part('é'.repeat(2), 'text/plain; charset=utf-8') + END,
      ['', 'é'.repeat(2)],
    ],
    [
      'parts between a preamble and an epilogue',
      'x-texts; boundary=xx',
      `Hello\r\n--x\r\n${part('a')}${END}--xx\r\nBye`,
      ['a'],
    ],
    ['parts behind padding', 'x-texts; boundary=xx', '--xx \t\r\n\r\na\r\n--xx-- \r\n', ['a']],
    ['no part', 'x-texts; boundary=xx', END, []],
  ])('gives its handler %s, however it is cut', async (_what, subtype, text, items) => {
    const body = subtype.startsWith('x-texts') ? Buffer.from(text).toString('latin1') : text;
    for (const size of [body.length, 1, 7]) {
      const chunks = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const sent = request(`${chunks.map(chunk).join('')}0\r\n\r\n`, subtype, CHUNKED);
      expect(await ask(service.port, sent)).toMatchObject({ status: 200, body: String(items.length) });
      expect(taken.splice(0)).toEqual(items);
    }
  });

  const FRAMES = 'expected whole parts between boundaries (RFC 2046):';
  const good = part('{"n":1}', JSON_TYPE);
  it.each(table`
    breaks its schema | mixed | ${good + part('{"n":"x"}') + END} | 1 | 40002 | /body/1/n: expected integer, got "x"
    is no JSON | mixed | ${good + part('{"n":\n', JSON_TYPE) + END} | 1 | 40002
      | /body/1: expected JSON: expected a value at line 2, column 1: the text ends there, got text
    is bytes | mixed | ${part('\xff', 'image/png') + END} | 0 | 40002 | /body/0: expected UTF-8, got other bytes
    is of another media type | related | ${TITLE + part('x', 'image/gif') + END} | 1 | 40002
      | /body/1: expected a part of image/png or audio/*, got "image/gif"
    is too long | related | ${TITLE + part('0123456789', 'image/png') + END} | 1 | 40002
      | /body/1: expected at most 9 bytes, got more
    is one too many | related | ${TITLE + part('', 'image/png').repeat(3) + END} | 3 | 40002
      | /body: expected at most 3 items, got more
    is behind the last | x-pair | ${part('') + part('') + END} | 1 | 40002 | /body: expected at most 1 items, got more
    is missing | related | ${END} | 0 | 40002 | /body: expected at least 1 items, got 0
    is too large | mixed | ${good + part(' '.repeat(ITEM_BYTES_MAX + 1)) + END} | 1 | 41301
      | /body/1: expected an item of at most 1000 bytes
    is in Base64 | mixed | ${part('eA==', 'text/plain\r\nContent-Transfer-Encoding: base64') + END} | 0 | 40001
      | /body/0: ${FRAMES} a part is encoded
    has long headers | mixed | ${good + part('', `text/${'x'.repeat(9_000)}`) + END} | 1 | 40001
      | /body/1: ${FRAMES} the headers of a part are too long
    is cut | mixed | ${good + part('{"n":2}').slice(0, -3)} | 1 | 40001
      | /body/1: ${FRAMES} the body ends before its last boundary
    is the last without an end | mixed | ${good} | 0 | 40001
      | /body/0: ${FRAMES} the body ends before its last boundary
  `)('is refused at a part that %s, after those before it', async (_what, subtype, body, count, code, message) => {
    expectError(await send(body, `${subtype}; boundary=xx`), Number(code), message);
    expect(taken).toHaveLength(Number(count));
  });

  it.each(['mixed', 'mixed; charset=utf-8', 'mixed; boundary=xx; boundary=yy', 'mixed; boundary='])(
    'needs a boundary: %s',
    async (subtype) => {
      const { status } = await send(good + END, subtype);
      expect([400, 415]).toContain(status);
      expect(taken).toEqual([]);
    },
  );

  it('is not read on behind the part at which its handler stops', async () => {
    take = async (body) => {
      for await (const each of body) return each;
      return undefined;
    };
    const connection = (await RawConnection.open(service.port)).send(request('', undefined, CHUNKED));
    expect(await connection.flood(chunk(good.repeat(2_000)))).toBeLessThan(20_000_000);
    expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  it('fails in the loop of its handler if the client goes', async () => {
    let failed: unknown;
    const all = take;
    take = async (body) => {
      try {
        return await all(body);
      } catch (error) {
        failed = error;
        throw error;
      }
    };
    const connection = (await RawConnection.open(service.port)).send(request('', undefined, CHUNKED));
    connection.send(chunk(`${good}--xx\r\n`));
    await eventually(() => expect(taken).toHaveLength(1));
    connection.destroy();
    await eventually(() => expect(failed).toMatchObject({ code: 40003 }));
  });
});

describe('an answer in parts', () => {
  async function* items(...all: unknown[]) {
    await Promise.resolve();
    for (const each of all) {
      if (each instanceof Error) throw each;
      yield each;
    }
  }
  const url = (): string => `http://127.0.0.1:${service.port}/albums`;
  const GET = 'GET /albums HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const boundaryOf = (answer: Response): string =>
    /^multipart\/[\w-]+; boundary=(.+)$/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? '';

  const typed = (type: string, ...contents: string[]) => contents.map((content) => `${type}\r\n\r\n${content}\r\n`);
  const TEXT = 'text/plain; charset=utf-8';
  it.each<[mediaType: string, all: unknown[], parts: string[]]>([
    [
      'multipart/mixed',
      [{ n: 2n ** 62n }, { n: 1, unit: 'g' }],
      typed(JSON_TYPE, '{"n":4611686018427387904}', '{"n":1,"unit":"g"}'),
    ],
    [
      'multipart/related',
      album.slice(0, 2),
      [
        ...typed('application/vnd.title+json', '{"title":"Garden","id":9223372036854775807}'),
        ...typed('image/png', '\r\n-\xff\r\n'),
      ],
    ],
    [
      'multipart/x-any',
      ['é', Buffer.from([255]), [1], null, 5],
      [...typed(TEXT, 'Ã©'), ...typed('application/octet-stream', '\xff'), ...typed(JSON_TYPE, '[1]', 'null', '5')],
    ],
    ['multipart/x-numbers', [5n, true], typed(TEXT, '5', 'true')],
    ['multipart/x-texts', [], []],
  ])('has a boundary of its own, and each part the media type that is declared: %s', async (mediaType, all, parts) => {
    give = () => ({ mediaType, body: items(...all) });
    const answer = await fetch(url());
    const [boundary, another] = [boundaryOf(answer), boundaryOf(await fetch(url()))];
    expect(boundary).toMatch(/^[\w-]{36}$/);
    expect(another).not.toBe(boundary);
    const written = parts.map((part) => `--${boundary}\r\nContent-Type: ${part}`);
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
    expect(text).toBe(`${written.join('')}--${boundary}--\r\n`);
  });

  it('has the boundary that the contract gives it', async () => {
    give = () => ({ mediaType: 'multipart/x-mixed-replace; boundary=frame', body: items(Buffer.from('a')) });
    const answer = await fetch(url());
    expect(answer.headers.get('content-type')).toBe('multipart/x-mixed-replace; boundary=frame');
    expect(await answer.text()).toBe('--frame\r\nContent-Type: image/jpeg\r\n\r\na\r\n--frame--\r\n');
  });

  it('is read as it was given', async () => {
    give = () => ({ mediaType: 'multipart/x-any', body: items({ n: 1 }, '--\r\n', Buffer.from('\r\n--'), '') });
    const answer = await fetch(url());
    expect(await send(await answer.text(), `x-any; boundary=${boundaryOf(answer)}`)).toMatchObject({ status: 200 });
    expect(taken).toEqual([{ n: 1 }, '--\r\n', Buffer.from('\r\n--'), '']);
  });

  it.each<[what: string, mediaType: string, all: unknown[], reason: string]>([
    ['an item', 'multipart/mixed', [{ n: 'x' }], '/n: expected integer'],
    ['bytes', 'multipart/mixed', [Buffer.from('{}')], 'expected object, got bytes'],
    ['a file that is too long', 'multipart/related', [album[0], Buffer.alloc(10)], 'at most 9 characters'],
    [
      'the first, which is another than the others',
      'multipart/related',
      [Buffer.from('a')],
      'expected object, got bytes',
    ],
    ['half of a surrogate pair', 'multipart/x-texts', ['\ud83c'], 'without lone surrogates'],
    [
      'a boundary',
      'multipart/x-mixed-replace; boundary=frame',
      [Buffer.from('a'), Buffer.from('\r\n--frame--')],
      'without the boundary',
    ],
    ['a failure of its handler', 'multipart/mixed', [{ n: 1 }, new Error('lost')], 'lost'],
  ])('ends without its last boundary if there is something else in it: %s', async (_what, mediaType, all, reason) => {
    give = () => ({ mediaType, body: items(...all) });
    const before = service.logged.length;
    const text = await (await RawConnection.open(service.port)).send(GET).closed();
    expect(text).toMatch(all.length === 1 ? /^HTTP\/1\.1 500 / : /^HTTP\/1\.1 200 [^]*\r\n--[\w-]+\r\n$/);
    await eventually(() => expect(JSON.stringify(service.logged.slice(before))).toContain(reason));
  });

  it('has no body for HEAD', async () => {
    give = () => ({ mediaType: 'multipart/x-texts', body: items('a') });
    const answer = await fetch(url(), { method: 'HEAD' });
    expect([answer.status, boundaryOf(answer).length, await answer.text()]).toEqual([200, 36, '']);
  });

  it('ends its generator if the client goes', async () => {
    let isOver = false;
    give = () => ({
      mediaType: 'multipart/x-texts',
      body: (async function* () {
        try {
          for (;;) yield await Promise.resolve('a'.repeat(1_000));
        } finally {
          isOver = true;
        }
      })(),
    });
    const connection = (await RawConnection.open(service.port)).send(GET);
    connection.destroy();
    await eventually(() => expect(isOver).toBe(true));
  });
});
