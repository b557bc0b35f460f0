/** A body that is larger than the memory that it may take. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Upload } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
import { eventually } from '../../support/eventually';
import { plantRequest, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

const PIECE = Buffer.alloc(65_536, 'a');
const PIECES = 4_800;
const SIZE = PIECES * PIECE.length;
const GROWTH_MAX = 150_000_000;

const contract = contractOf(`
openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
paths:
  /bytes:
    post:
      operationId: upload
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '200': { description: Its size., content: { application/json: {} } } }
`);

let service: TestService;
let ready: Promise<unknown> | undefined;
beforeAll(async () => {
  const folder = temporaryFolder();
  service = await startService({
    contract,
    handlers: handlersOf({
      upload: async ({ body }) => {
        await ready;
        const file = join(folder, randomUUID());
        await (body as Upload).saveTo(file);
        return { status: 200, body: statSync(file).size };
      },
    }),
    operationLimits: { upload: { bytes: SIZE, seconds: 600 } },
  });
});

it(`a body of ${SIZE} bytes is saved, and memory hardly grows`, async () => {
  const before = process.memoryUsage.rss();
  let growth = 0;
  const sent = Readable.from(
    (function* () {
      for (let piece = 0; piece < PIECES; piece++) {
        growth = Math.max(growth, process.memoryUsage.rss() - before);
        yield PIECE;
      }
    })(),
  );
  const answer = await fetch(`http://127.0.0.1:${service.port}/bytes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: Readable.toWeb(sent) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  expect(await answer.json()).toBe(SIZE);
  expect(growth).toBeLessThan(GROWTH_MAX);
});

it('bodies in chunks of one byte, which wait for their handlers, take no more', async () => {
  let go: (value?: unknown) => void = () => undefined;
  ready = new Promise((resolve) => (go = resolve));
  const sockets: Socket[] = [];
  service.server.on('connection', (socket: Socket) => sockets.push(socket));
  const before = process.memoryUsage.rss();
  const request = plantRequest(service, {
    line: 'POST /bytes HTTP/1.1',
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': undefined,
      'Transfer-Encoding': 'chunked',
    },
    body: `${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`,
  });
  const connections = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(service.port)));
  for (const connection of connections) connection.send(request);
  let last: number | undefined;
  const received = (): number => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  await eventually(() => expect(last).toBe((last = received())));
  expect(process.memoryUsage.rss() - before).toBeLessThan(GROWTH_MAX);
  go();
  for (const connection of connections) {
    expect(await connection.answer()).toMatchObject({ status: 200 });
    connection.destroy();
  }
});
