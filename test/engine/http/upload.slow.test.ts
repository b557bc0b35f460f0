/** A body that is larger than the memory that it may take. */
import { join } from 'node:path';
import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Upload } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
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
beforeAll(async () => {
  const file = join(temporaryFolder(), 'upload');
  service = await startService({
    contract,
    handlers: handlersOf({
      upload: async ({ body }) => {
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
