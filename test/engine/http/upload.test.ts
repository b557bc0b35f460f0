/** Bodies of bytes, which a handler reads as they come. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Upload } from '../../../src/engine/contract/handler-types';
import { CHUNKED, chunk } from '../../support/chunks';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, RawConnection, type RequestParts } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

const BYTES_MAX = 100_000;
const contract = contractOf(`
openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /photos:
    post:
      operationId: upload
      requestBody: { required: true, content: { image/*: { schema: { type: string, format: binary, maxLength: ${BYTES_MAX} } } } }
      responses: { '200': { description: Taken., content: { application/json: {} } } }
  /parts:
    post:
      operationId: uploadPart
      parameters: [{ name: content-range, in: header, schema: { type: string } }]
      requestBody: { content: { image/*: {} } }
      responses: { '200': { description: The range., content: { application/json: {} } } }
  /coded:
    post:
      operationId: uploadCoded
      parameters: [{ name: Content-Encoding, in: header, schema: { enum: [gzip] } }]
      requestBody: { content: { image/*: {}, application/json: {} } }
      responses: { '200': { description: The header and the bytes., content: { application/json: {} } } }
`);

let take: (upload: Upload) => unknown;
const handlers = handlersOf({
  upload: async ({ body }) => ({ status: 200, body: await take(body as Upload) }),
  uploadPart: ({ header }) => ({ status: 200, body: header }),
  uploadCoded: async ({ header, body }) => ({
    status: 200,
    body: [header, (await (body as Upload).bytes()).toString('hex')],
  }),
});
let service: TestService;
beforeAll(async () => {
  service = await startService({ contract, handlers, operationLimits: { upload: { bytes: 2 * BYTES_MAX } } });
});

const request = (body: string, headers: RequestParts['headers'] = {}): Buffer =>
  plantRequest(service, {
    line: 'POST /photos HTTP/1.1',
    body,
    headers: { 'Content-Type': 'Image/PNG', ...headers },
  });

it.each<[how: string, take: (upload: Upload) => Promise<string>]>([
  ['as bytes', async (upload) => String(await upload.bytes())],
  ['as text', (upload) => upload.text()],
  [
    'in pieces',
    async (upload) => {
      const pieces: Buffer[] = [];
      for await (const piece of upload) pieces.push(piece);
      return String(Buffer.concat(pieces));
    },
  ],
  [
    'as a file',
    async (upload) => {
      const file = join(temporaryFolder(), 'photo');
      writeFileSync(file, 'an older one');
      await upload.saveTo(file);
      return readFileSync(file, 'utf8');
    },
  ],
])('an upload is given %s, with its media type, and its size if that is known', async (_how, read) => {
  take = async (upload) => [upload.mediaType, upload.size ?? 0, await read(upload)];
  expect((await ask(service.port, request('abc'))).body).toBe('["image/png",3,"abc"]');
  const chunks = `${chunk('a')}${chunk('bc')}0\r\n\r\n`;
  expect((await ask(service.port, request(chunks, CHUNKED))).body).toBe('["image/png",0,"abc"]');
});

it('an upload is the same however it is cut, and whenever it is read', async () => {
  const body = Array.from({ length: 60_000 }, (_, at) => String.fromCharCode(33 + (at % 91))).join('');
  const cut = (...sizes: number[]): string => {
    let [at, text] = [0, ''];
    for (let turn = 0; at < body.length; turn++) text += chunk(body.slice(at, (at += sizes[turn % sizes.length] ?? 1)));
    return `${text}0\r\n\r\n`;
  };
  for (const cuts of [cut(1), cut(1, 5_000), cut(30_000, 1, 1_024, 1_025), cut(20_000)]) {
    for (const when of [() => Promise.resolve(), setImmediate, () => setTimeout(20)]) {
      take = async (upload) => {
        let text = '';
        for await (const piece of upload) {
          text += String(piece);
          await when();
        }
        return text === body;
      };
      expect((await ask(service.port, request(cuts, CHUNKED))).body).toBe('true');
    }
  }
});

it('an upload that is not UTF-8 is no text', async () => {
  take = (upload) => upload.text();
  const bytes = Buffer.concat([request('', { 'Content-Length': '1' }), Buffer.from([0xff])]);
  const expected = 'expected UTF-8, got bytes of another encoding, such as Latin-1';
  expectError(await ask(service.port, bytes), 40001, expected);
});

it('a part of an upload is for a handler that knows of parts', async () => {
  const headers = { 'Content-Range': 'bytes 0-0/9' };
  const known = request('1', { ...headers })
    .toString()
    .replace('/photos', '/parts');
  expect(await ask(service.port, known)).toMatchObject({ status: 200, body: '{"content-range":"bytes 0-0/9"}' });
  const refused = 'expected a whole body, got a part of one (Content-Range)';
  expectError(await ask(service.port, request('1', headers)), 40003, refused);
});

it('bytes are coded where a parameter of the contract says how, and what is read is not', async () => {
  const coded = gzipSync('abc');
  const requestCoded = (contentType: string): Buffer =>
    Buffer.concat([
      plantRequest(service, {
        line: 'POST /coded HTTP/1.1',
        headers: { 'Content-Type': contentType, 'Content-Encoding': 'gzip', 'Content-Length': String(coded.length) },
      }),
      coded,
    ]);
  const body = JSON.stringify([{ 'Content-Encoding': 'gzip' }, coded.toString('hex')]);
  expect(await ask(service.port, requestCoded('image/png'))).toMatchObject({ status: 200, body });
  const refused = 'expected no Content-Encoding but identity, got gzip';
  expectError(await ask(service.port, requestCoded('application/json')), 41501, refused);
});

it('an upload is read once', async () => {
  take = async (upload) => {
    await upload.bytes();
    return upload.bytes().catch((error: Error) => error.message);
  };
  expect((await ask(service.port, request('abc'))).body).toBe('"expected the body to be read once"');
});

it.each<[when: string, work: () => Promise<void>]>([
  ['waits for more', () => Promise.resolve()],
  ['works on a piece', () => eventually(() => expect(service.logged.at(-1)).toMatchObject({ status: 200 }))],
])('a reader that %s when the request is answered is told', async (_when, work) => {
  let failed: unknown;
  take = (upload) =>
    new Promise((answer) => {
      const read = async (): Promise<void> => {
        for await (const _piece of upload) {
          answer('early');
          await work();
        }
      };
      read().catch((error: Error) => (failed = error.message));
    });
  service.logged.length = 0;
  const connection = (await RawConnection.open(service.port)).send(request('', CHUNKED)).send(chunk('a'));
  expect(await connection.answer()).toMatchObject({ status: 200, headers: { connection: 'close' }, body: '"early"' });
  await eventually(() => expect(failed).toBe('expected the body to be read before the answer is given'));
  connection.destroy();
});

describe('a file', () => {
  let folder: string;
  const start = async ({ port } = service): Promise<RawConnection> => {
    folder = temporaryFolder();
    take = (upload) => upload.saveTo(join(folder, 'photo'));
    const connection = await RawConnection.open(port);
    connection.send(request('', CHUNKED)).send(chunk('a'));
    await eventually(() => expect(readdirSync(folder)).toHaveLength(1));
    return connection;
  };

  it('of an upload that is larger than the contract allows is left out at the first byte too many', async () => {
    const connection = await start();
    connection.send(chunk('b'.repeat(BYTES_MAX)));
    expectError(await connection.answer(), 41301, `expected a body of at most ${BYTES_MAX} bytes`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of an upload is named on disk as well, when it is saved', async () => {
    const connection = await start();
    const synced = jest.spyOn(files, 'open');
    connection.send('0\r\n\r\n');
    await connection.answer();
    expect(synced.mock.calls).toEqual([[folder]]);
    synced.mockRestore();
  });

  it('of an upload that a closing server cuts off is left out when it is closed, and its request logged', async () => {
    const closing = await startService({ contract, handlers });
    await start(closing);
    await closing.close(100);
    expect(readdirSync(folder)).toEqual([]);
    expect(closing.logged.filter(({ operation }) => operation === 'upload')).toHaveLength(1);
  });

  it('of an upload to another server of the process does not keep one from closing', async () => {
    const connection = await start();
    const closing = await startService({ contract, handlers });
    await closing.close();
    expect(readdirSync(folder)).toHaveLength(1);
    connection.destroy();
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
  });

  it('of an upload whose client goes is left out', async () => {
    const connection = await start();
    connection.destroy();
    await eventually(() => expect(readdirSync(folder)).toEqual([]));
  });
});
