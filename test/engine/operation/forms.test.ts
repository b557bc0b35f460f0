/** Bodies of forms, `application/x-www-form-urlencoded` and `multipart/form-data`. */
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { ContractProblems } from '../../../src/engine/contract/problems';
import { canRead } from '../../../src/engine/contract/media-type';
import type { Upload } from '../../../src/engine/contract/handler-types';
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { RawConnection, ask } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { table } from '../../support/table';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /subscriptions:
    post:
      operationId: subscribe
      requestBody: { required: true, content: { application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Subscription' }, encoding: { extras: { contentType: application/json } } } } }
      responses: { '204': { description: Subscribed. } }
  /letters:
    post:
      operationId: sendLetter
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { $ref: '#/components/schemas/Letter' }
            encoding:
              photo: { contentType: 'image/png, audio/*' }
              labels: { contentType: application/json }
              seal: { contentType: 'image/*, application/pdf' }
              crest: { contentType: 'image/png, image/svg+xml' }
              motto: { contentType: text/plain }
          application/json: { schema: { $ref: '#/components/schemas/Subscription' } }
      responses: { '204': { description: Sent. } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
  schemas:
    Subscription:
      allOf:
        - type: object
          required: [reader]
          properties:
            reader: { type: integer, format: int64 }
            name: { type: string, minLength: 1 }
            serial: { type: integer, format: uint64 }
        - properties:
            weight: { type: number, maximum: 10 }
            paper: { type: boolean }
            until: { type: [integer, 'null'] }
            issue: { enum: [1, 2] }
            gift: { properties: { to: { type: string } } }
            extras: { type: array, items: { type: integer, format: int64 } }
            days: { type: array, maxItems: 3, items: { type: integer, format: int64 } }
    Letter:
      type: object
      required: [photo]
      additionalProperties: { type: integer }
      properties:
        photo: { type: string, format: binary, maxLength: 300 }
        scans: { type: array, items: { type: string, contentMediaType: image/png } }
        stamp: { contentMediaType: image/png }
        cover: { description: The first page. }
        pages: { type: array, items: {} }
        ribbon: { allOf: [{ $ref: '#/components/schemas/Anything' }] }
        wax: { type: string, contentEncoding: binary }
        seal: { type: string, maxLength: 9 }
        crest: { type: string }
        motto: {}
        memo: { enum: [none] }
        signature: { allOf: [{ $ref: '#/components/schemas/Anything' }, { minLength: 1 }] }
        text: { type: string }
        labels: { type: array, items: { type: string } }
        address: { type: object, format: binary, required: [house], properties: { house: { type: integer, format: int64 } } }
        stamps: { type: array, items: { type: object, properties: { price: { type: number } } } }
    Anything: { title: Anything }
`);

const { token, line } = makeToken('tester');
let seen: AnyRequest[] = [];
let service: TestService;
beforeAll(async () => {
  const handler = (request: AnyRequest) => {
    seen.push(request);
    return { status: 204 };
  };
  const sendLetter = async (request: AnyRequest) => handler({ ...request, body: await withFiles(request.body) });
  service = await startService({
    contract,
    bodyBytesMax: 60_000,
    tokens: tokens(line, 'the test'),
    handlers: handlersOf({ subscribe: handler, sendLetter }),
  });
});
/** A form with all of each file. */
const withFiles = async (body: unknown): Promise<unknown> => {
  const read = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(read));
    if (!isUpload(value)) return value;
    const { mediaType, filename, size } = value;
    return { mediaType, filename, size, bytes: [...(await value.bytes())] };
  };
  const fields = Object.entries(body as object).map(async ([name, value]) => [name, await read(value)] as const);
  return Object.fromEntries(await Promise.all(fields));
};
const isUpload = (value: unknown): value is Upload =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
beforeEach(() => {
  seen = [];
});

const request = (path: string, type: string, body: string | Buffer, headers = `Authorization: Bearer ${token}\r\n`) =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
const subscribe = (body: string | Buffer, type = 'application/x-www-form-urlencoded') =>
  ask(service.port, request('/subscriptions', type, body));
const sendLetter = (body: string | Buffer, type = 'multipart/form-data; boundary=xx') =>
  ask(service.port, request('/letters', type, body));

/** A body with the boundary `xx`; a part is its headers, an empty line and its content. */
const partsOf = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(
    [...parts.flatMap((part) => ['--xx\r\n', part, '\r\n']), '--xx--\r\n'].map((each) => Buffer.from(each)),
  );
const field = (name: string, value: string, more = ''): string =>
  `Content-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}`;
const PHOTO = field('photo', 'x', 'Content-Type: image/png\r\n');

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)));

describe('a form that is percent-encoded', () => {
  it('is an object of the declared types, exact, when it reaches the handler', async () => {
    const body =
      'reader=9007199254740993&name=J%C3%B6rg+%26+co&weight=1e1&paper=true&until=&issue=2&gift=%7B%7D&days=1&days=-9223372036854775808&other=1&__proto__=2';
    expect(await subscribe(body)).toMatchObject({ status: 204 });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ mediaType: 'application/x-www-form-urlencoded' });
    expect(Object.entries(seen[0]?.body as object)).toEqual([
      ['reader', 9007199254740993n],
      ['name', 'Jörg & co'],
      ['weight', 10],
      ['paper', true],
      ['until', null],
      ['issue', 2],
      ['gift', {}],
      ['days', [1n, -9223372036854775808n]],
      ['other', '1'],
      ['__proto__', '2'],
    ]);
  });

  it('has a list where the contract says so, also of one', async () => {
    expect(await subscribe('&days=7&reader=1&')).toMatchObject({ status: 204 });
    expect(plain(seen[0]?.body)).toEqual({ days: ['7n'], reader: '1n' });
  });

  it.each(['extras=%5B1,9223372036854775807%5D', 'extras=1&extras=9223372036854775807'])(
    'has a list whose media type is JSON, in one field or several: %s',
    async (body) => {
      expect(await subscribe(`reader=1&${body}`)).toMatchObject({ status: 204 });
      expect(plain(seen[0]?.body)).toEqual({ reader: '1n', extras: ['1n', '9223372036854775807n'] });
    },
  );

  it.each(table`
    name=a | reader: expected a value, got nothing
    reader= | reader: expected integer, got ""
    reader=1.5 | reader: expected integer, got 1.5
    reader=01 | reader: expected integer, got "01"
    reader=%2B1 | reader: expected integer, got "+1"
    reader=9223372036854775808
      | reader: expected int64 (an integer from -9223372036854775808 to 9223372036854775807), got 9223372036854775808
    reader=1&reader=2 | reader: expected integer, got array
    reader=1&name=a&name=b | name: expected string, got array
    reader=1&name= | name: expected at least 1 character, got 0 in ""
    reader=1&weight=10.000000000000000001 | weight: expected a number <= 10, got 10.000000000000000001
    reader=1&paper=yes | paper: expected boolean, got "yes"
    reader=1&days=1&days=x | days/1: expected integer, got "x"
    reader=1&days=1&days=2&days=3&days=4 | days: expected at most 3 items, got 4
    reader=1&until=9007199254740993
      | until: expected an integer from -9007199254740991 to 9007199254740991, got 9007199254740993
  `)('is refused as %s', async (body, message) => {
    expectError(await subscribe(body), 40002, `/body/${message}`);
    expect(seen).toEqual([]);
  });

  it.each<[what: string, body: string | Buffer, code: number, message: string]>([
    ['bad percent-encoding', 'reader=%', 40001, 'expected percent-encoded UTF-8'],
    ['an encoding other than UTF-8', 'reader=1&name=%FF', 40001, 'expected percent-encoded UTF-8'],
    ['bytes other than UTF-8', Buffer.from('reader=\xff', 'latin1'), 40001, 'expected UTF-8'],
    ['thousands of fields', '&a'.repeat(1_000), 41301, 'expected a form of at most 1000 fields'],
    ['nothing', '', 40002, '/body/reader: expected a value, got nothing'],
  ])('is refused with %s', async (_what, body, code, message) => {
    expectError(await subscribe(body), code, message);
    expect(seen).toEqual([]);
  });

  it('is refused where the contract declares none', async () => {
    expectError(
      await sendLetter('photo=x', 'application/x-www-form-urlencoded'),
      41501,
      'expected Content-Type multipart/form-data or application/json, with no parameter but charset=utf-8 or the boundary, got application/x-www-form-urlencoded',
    );
  });
});

describe('a form in parts', () => {
  it('is refused with a list of JSON in another encoding', async () => {
    const labels = Buffer.from(field('labels', '["M\xfcller"]'), 'latin1');
    expectError(await sendLetter(partsOf(PHOTO, labels)), 40002, '/body/labels/0: expected UTF-8, got other bytes');
    expect(seen).toEqual([]);
  });

  const MALFORMED = 'a header of a part is malformed, or repeated';
  it('as a browser sends it has files for the handler as uploads, and text as the declared types', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const form = new FormData();
    form.append('photo', new Blob([bytes], { type: 'audio/x-raw' }), 'a "photo".raw');
    form.append('scans', new Blob([bytes.subarray(250)], { type: 'image/png' }), '../scan');
    form.append('scans', new Blob([], { type: 'image/png' }), '..');
    form.append('text', 'Jörg\r\n\u0000');
    form.append('address', '{"house":9007199254740993}');
    form.append('stamps', '{"price":1.5}');
    form.append('number', '12');
    const answer = await fetch(`http://127.0.0.1:${service.port}/letters`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: form,
    });
    expect(await answer.text()).toBe('');
    expect(answer.status).toBe(204);
    expect(seen[0]).toMatchObject({ mediaType: 'multipart/form-data' });
    const scan = { mediaType: 'image/png', filename: undefined, size: 0, bytes: [] };
    const { photo, scans, ...others } = seen[0]?.body as { photo: unknown; scans: unknown };
    expect(photo).toEqual({ mediaType: 'audio/x-raw', filename: 'a "photo".raw', size: 256, bytes: [...bytes] });
    expect(scans).toEqual([{ ...scan, filename: 'scan', size: 6, bytes: [...bytes.subarray(250)] }, scan]);
    expect(plain(others)).toEqual({
      text: 'Jörg\r\n\u0000',
      address: { house: '9007199254740993n' },
      stamps: [{ price: 1.5 }],
      number: 12,
    });
  });

  it('has no file where the value is an object, whatever its format is', async () => {
    expect(await sendLetter(partsOf(PHOTO, field('address', '{"house":7}')))).toMatchObject({ status: 204 });
    expect(plain(seen[0]?.body)).toMatchObject({ address: { house: '7n' } });
  });

  const bytesOf = (name: string, type: string): Buffer =>
    Buffer.from(field(name, '\xff', `Content-Type: ${type}\r\n`), 'latin1');

  it('has files of which no schema says more than nothing, or than text of a media type of bytes', async () => {
    const names = ['cover', 'pages', 'pages', 'ribbon', 'wax', 'seal'];
    const files = names.map((name) => bytesOf(name, 'image/png'));
    expect(await sendLetter(partsOf(PHOTO, ...files, field('motto', 'Per aspera')))).toMatchObject({ status: 204 });
    const file = { mediaType: 'image/png', filename: undefined, size: 1, bytes: [0xff] };
    const read = { cover: file, pages: [file, file], ribbon: file, wax: file, seal: file, motto: 'Per aspera' };
    expect(seen[0]?.body).toEqual({ photo: { ...file, bytes: [...Buffer.from('x')] }, ...read });
  });

  it.each(['text', 'crest', 'motto', 'memo', 'signature'])('has text in %s, of which more is said', async (name) => {
    expectError(
      await sendLetter(partsOf(PHOTO, bytesOf(name, 'image/png'))),
      40002,
      `/body/${name}: expected UTF-8, got other bytes`,
    );
  });

  it('is refused with such a file of another media type, or one that is too long', async () => {
    expectError(
      await sendLetter(partsOf(PHOTO, bytesOf('seal', 'audio/ogg'))),
      40002,
      '/body/seal: expected a file of image/* or application/pdf, got "audio/ogg"',
    );
    const long = field('seal', 'x'.repeat(10), 'Content-Type: image/gif\r\n');
    expectError(await sendLetter(partsOf(PHOTO, long)), 40002, '/body/seal: expected at most 9 bytes, got more');
  });

  it.each([
    [`name=photo; filename="=?utf-8?B?w6QucG5n?="; filename*=utf-8''%C3%A4%22%2C.png`, 'ä",.png'],
    [`name="photo"; filename*="UTF-8'en'a%2Fb.png"; filename=c.png`, 'b.png'],
    [`name*=utf-8''ph%6Fto; filename="%0D%22%C3%A4"`, '%0D"%C3%A4'],
  ])('has the name of a file in its extended form: %s', async (parameters, filename) => {
    const part = `Content-Disposition: form-data; ${parameters}\r\nContent-Type: image/png\r\n\r\nx`;
    expect(await sendLetter(partsOf(part))).toMatchObject({ status: 204 });
    expect(seen[0]?.body).toMatchObject({ photo: { filename } });
  });

  it.each([
    'multipart/form-data; boundary="xx"',
    'Multipart/Form-Data ;\tboundary=xx',
    'multipart/form-data; charset=UTF-8; boundary=xx; size="1;2"',
  ])('is taken as %s', async (type) => {
    expect(await sendLetter(partsOf(PHOTO), type)).toMatchObject({ status: 204 });
  });

  it('is the same in pieces of a byte', async () => {
    const body = partsOf(field('text', '\r\n--x\r\n--'), PHOTO, field('number', '12'));
    const pieces = [...body.toString()].map((byte) => `1\r\n${byte}\r\n`).join('');
    const chunked = request('/letters', 'multipart/form-data; boundary=xx', `${pieces}0\r\n\r\n`)
      .toString()
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    expect(await ask(service.port, Buffer.from(chunked))).toMatchObject({ status: 204 });
    expect(await sendLetter(body)).toMatchObject({ status: 204 });
    expect(seen[0]?.body).toMatchObject({ text: '\r\n--x\r\n--', photo: { size: 1 }, number: 12 });
    expect(seen[1]?.body).toEqual(seen[0]?.body);
  });

  it('of many parts in one connection leaves the connection in order', async () => {
    const parts = Array.from({ length: 200 }, (_, index) => field(`n${index}`, String(index)));
    expect(await sendLetter(partsOf(PHOTO, ...parts))).toMatchObject({ status: 204 });
    expect(Object.keys(seen[0]?.body as object)).toHaveLength(201);
  });

  /** A body of which each character is a byte. */
  const bodyOf = (...parts: (string | Buffer)[]): string => partsOf(...parts).toString('latin1');
  const image = (name: string, content: string, type: string): string =>
    field(name, content, `Content-Type: ${type}\r\n`);
  it.each(table`
    without what is required | ${bodyOf(field('text', 'a'))} | photo: expected a value, got nothing
    with a file that is too long | ${bodyOf(image('photo', 'é'.repeat(151), 'image/png'))}
      | photo: expected at most 300 bytes, got more
    with a file twice | ${bodyOf(PHOTO, PHOTO)} | photo: expected one file, got several
    with a file twice whose schema names no type | ${bodyOf(PHOTO, image('stamp', 'x', 'image/png'), image('stamp', 'y', 'image/png'))}
      | stamp: expected one file, got several
    with a file of another media type than its schema says | ${bodyOf(PHOTO, image('scans', 'x', 'image/gif'))}
      | scans/0: expected a file of image/png, got "image/gif"
    with a file of another media type | ${bodyOf(image('photo', 'x', 'image/gif'))}
      | photo: expected a file of image/png or audio/*, got "image/gif"
    with text that is not UTF-8 | ${bodyOf(PHOTO, Buffer.from(field('text', '\xff'), 'latin1'))}
      | text: expected UTF-8, got other bytes
    with no JSON for an object | ${bodyOf(PHOTO, field('address', '{'))}
      | address: expected JSON: expected a key at line 1, column 2: the text ends there, got text
    with another object | ${bodyOf(PHOTO, field('address', '{"house":"1"}'))}
      | address/house: expected integer, got "1"
    with others than numbers in a list | ${bodyOf(PHOTO, field('stamps', '{}'), field('stamps', '{"price":"1"}'))}
      | stamps/1/price: expected number, got "1"
    with another field of another type | ${bodyOf(PHOTO, field('more', 'x'))} | more: expected integer, got "x"
  `)('is refused %s', async (_what, body, message) => {
    expectError(await sendLetter(Buffer.from(body, 'latin1')), 40002, `/body/${message}`);
    expect(seen).toEqual([]);
  });

  const whole = partsOf(PHOTO).toString();
  const withHeader = (header: string): string => bodyOf(field('text', 'x', `${header}\r\n`));
  it.each(table`
    that ends within a part | ${whole.slice(0, -20)} | the body ends before its last boundary
    that lacks its end | ${whole.slice(0, -6)} | the body ends before its last boundary
    that ends within a part without a name
      | ${`${whole.slice(0, -4)}\r\nContent-Disposition: form-data\r\n\r\nx`} | a part of the form has no name
    with a part without headers | ${bodyOf(PHOTO, '\r\nx')} | a part of the form has no name
    with a part without a name | ${bodyOf(PHOTO, 'Content-Disposition: form-data\r\n\r\nx')}
      | a part of the form has no name
    with a name that is not UTF-8 | ${bodyOf(PHOTO, Buffer.from(field('\xff', 'x'), 'latin1'))}
      | the headers of a part are not UTF-8
    with a part of something else | ${bodyOf(PHOTO, 'Content-Disposition: attachment; name="a"\r\n\r\nx')}
      | a part is not one of a form
    with a name of a file in Latin-1 | ${bodyOf("Content-Disposition: form-data; name=a; filename*=iso-8859-1''%e4\r\n\r\nx")}
      | filename* is not percent-encoded UTF-8, or has control characters
    with a broken name of a file | ${bodyOf("Content-Disposition: form-data; name=a; filename*=utf-8''%e4\r\n\r\nx")}
      | filename* is not percent-encoded UTF-8, or has control characters
    with a line end in the name of a file | ${bodyOf("Content-Disposition: form-data; name=a; filename*=utf-8''a%0a\r\n\r\nx")}
      | filename* is not percent-encoded UTF-8, or has control characters
    with a part in Base64 | ${bodyOf(field('photo', 'eA==', 'Content-Transfer-Encoding: base64\r\n'))} | a part is encoded
    with a header of a part twice | ${withHeader('Content-Disposition: form-data; name="a"')} | ${MALFORMED}
    with a folded header | ${withHeader('Content-Type: text/plain;\r\n charset=utf-8')} | ${MALFORMED}
    with a control character in a header | ${withHeader('X-Bell: \x07')} | ${MALFORMED}
    with 9,000 bytes of headers | ${withHeader(`X-Long: ${'x'.repeat(9_000)}`)} | the headers of a part are too long
    with text behind a boundary | ${whole.replace('--xx\r\n', '--xxx\r\n')} | a boundary is followed by text
    of another boundary | ${whole.replaceAll('xx', 'yy')} | the body ends before its last boundary
    that is none | photo=x | the body ends before its last boundary
  `)('%s is malformed', async (_what, body, cause) => {
    const message = `expected whole parts between boundaries (RFC 2046): ${cause}`;
    expectError(await sendLetter(Buffer.from(body, 'latin1')), 40001, message);
    expect(seen).toEqual([]);
  });

  it.each(['utf-8', '"UTF-8"', 'us-ascii'])('takes text in %s', async (charset) => {
    const text = field('text', 'x', `Content-Type: text/plain; charset=${charset}\r\n`);
    expect(await sendLetter(partsOf(PHOTO, text))).toMatchObject({ status: 204 });
  });

  it.each([
    ['iso-8859-1', 'utf-8'],
    ['Latin1', 'iso-8859-1'],
  ])('decodes text in %s, whatever the whole says of itself (%s)', async (charset, ofWhole) => {
    const text = field('text', '\xe9\x80', `Content-Type: text/plain; charset=${charset}\r\n`);
    const body = partsOf(PHOTO, Buffer.from(text, 'latin1'));
    expect(await sendLetter(body, `multipart/form-data; charset=${ofWhole}; boundary=xx`)).toMatchObject({
      status: 204,
    });
    expect(seen.at(-1)).toMatchObject({ body: { text: '\xe9\x80' } });
  });

  it.each(['utf-16', 'iso-8859-1', ''])('leaves the bytes of a file as they are, in %p', async (charset) => {
    const photo = field('photo', '\xe9', `Content-Type: image/png; charset=${charset}\r\n`);
    expect(await sendLetter(partsOf(Buffer.from(photo, 'latin1')))).toMatchObject({ status: 204 });
    expect(seen.at(-1)).toMatchObject({ body: { photo: { bytes: [0xe9] } } });
  });

  it.each(['"utf-16"', 'windows-1252', ''])('takes no text in %p', async (charset) => {
    const text = field('text', 'x', `Content-Type: text/plain; charset=${charset}\r\n`);
    expectError(await sendLetter(partsOf(PHOTO, text)), 40001, 'expected parts of text in UTF-8, or in ISO-8859-1');
  });

  it.each(['multipart/form-data', 'multipart/form-data; charset=utf-8'])('needs a boundary in %s', async (type) => {
    expectError(
      await sendLetter(partsOf(PHOTO), type),
      40001,
      'expected multipart/form-data with a boundary in its Content-Type',
    );
  });

  it('is bounded: by the size of the whole, and the number of its parts', async () => {
    expectError(
      await sendLetter(partsOf(PHOTO, field('text', 'x'.repeat(60_000)))),
      41301,
      'expected a body of at most 60000 bytes',
    );
    const many = Array<string>(1_001).fill('Content-Disposition:form-data;name=a\r\n\r\n');
    expectError(await sendLetter(partsOf(...many)), 41301, 'expected a form of at most 1000 fields');
  });

  it('is not read before it is known who sends it', async () => {
    const connection = await RawConnection.open(service.port);
    const headers = 'Expect: 100-continue\r\n';
    connection.send(request('/letters', 'multipart/form-data; boundary=xx', partsOf(PHOTO), headers).subarray(0, -20));
    const text = await connection.closed();
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).not.toContain('100 Continue');
  });
});

describe('at the start', () => {
  const problemsOf = (content: string): readonly string[] => {
    const file = contractOf(`
openapi: 3.1.0
info: { title: Forms, version: 1.0.0 }
paths:
  /forms:
    post:
      operationId: fill
      requestBody:
        content:
          ${content}
      responses: { '204': { description: Filled. } }
`);
    try {
      loadContract(file, { handlers: ['fill'], verifiers: {}, canRead });
      return [];
    } catch (error) {
      if (error instanceof ContractProblems) return error.problems;
      throw error;
    }
  };
  const properties = (fields: string): string => `{ schema: { type: object, properties: { ${fields} } } }`;

  it.each(table`
    a file in percent-encoding
      | application/x-www-form-urlencoded: ${properties('a: { type: string, format: binary }')}
      | field a: a file needs multipart/form-data
    a list of lists | multipart/form-data: ${properties('a: { type: array, items: { type: array } }')}
      | field a: a list of lists, or of more than lists, cannot be read from a form
    a schema of no object | multipart/form-data: { schema: { type: array } }
      | a form is an object, and the schema says another type
    names by pattern | multipart/form-data: { schema: { patternProperties: { '^a': {} } } }
      | patternProperties of a form are not read
    a pattern of files
      | multipart/form-data: ${properties("a: { type: array, items: { type: string, format: binary, pattern: '^%PDF' } }")}
      | field a: a pattern of bytes is not checked
    a pattern of a body of bytes
      | application/octet-stream: { schema: { type: string, format: binary, pattern: '^%PDF' } }
      | a pattern of bytes is not checked
    another style
      | multipart/form-data: { schema: { properties: { a: { type: object } } }, encoding: { a: { style: deepObject } } }
      | field a: expected no encoding but a contentType
  `)('%s is refused', (_what, content, problem) => {
    expect(problemsOf(content)).toEqual([expect.stringMatching(/^openapi\.yaml:10:\d+ /)]);
    expect(problemsOf(content).join()).toContain(problem);
  });

  it.each(['{ style: form, explode: true, allowReserved: false }', '{ style: form }', '{ allowReserved: true }'])(
    'an encoding without effect is not: %s',
    (encoding) => {
      const fields = 'a: { type: string }, b: { type: array, items: { type: string } }';
      const content = `{ schema: { type: object, properties: { ${fields} } }, encoding: { a: ${encoding}, b: ${encoding} } }`;
      expect(problemsOf(`application/x-www-form-urlencoded: ${content}`)).toEqual([]);
    },
  );

  it('what can be read is not', () => {
    expect(
      problemsOf(`multipart/form-data: ${properties("a: { type: [string, 'null'] }, b: {}, c: { type: object }")}`),
    ).toEqual([]);
    expect(problemsOf(`application/x-www-form-urlencoded: ${properties('b: {}')}`)).toEqual([]);
  });
});
