/** Files of forms, small ones in memory and large ones on disk, while a request is answered. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Upload } from '../../../src/engine/contract/handler-types';
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';
import { temporaryFolder } from '../../support/temporary-folder';

const LENGTH_MAX = 2_000_000;
const contract = contractOf(`
openapi: 3.1.0
info: { title: Herbarium, version: 1.0.0 }
paths:
  /sheets:
    post:
      operationId: addSheet
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [name]
              properties:
                name: { type: string, maxLength: 20 }
                scan: { type: string, format: binary, maxLength: ${LENGTH_MAX} }
                pages: { type: array, items: { type: string, format: binary, minLength: 300000 } }
                photo: { description: A photo., allOf: [{ $ref: '#/components/schemas/Photo' }] }
                print: { type: string, format: binary, minLength: 400000, maxLength: 400000 }
      responses: { '200': { description: Added., content: { application/json: {} } } }
components: { schemas: { Photo: { type: string, format: binary, maxLength: 400000 } } }
`);
const LARGE = Buffer.alloc(1_000_000, 'a larger file ');
const NO_ROOM = [50302, 'no room for temporary files'] as const;

interface Sheet {
  name: string;
  scan: Upload;
  pages: Upload[];
}

let take: jest.Mock<unknown, [sheet: Sheet]>;
const start = (folder: string): Promise<TestService> =>
  startService({
    contract,
    handlers: handlersOf({
      addSheet: async ({ body }: AnyRequest) => ({ status: 200, body: await take(body as Sheet) }),
    }),
    operationLimits: { addSheet: { bytes: 10_000_000 } },
    temporaryFolder: folder,
  });

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = temporaryFolder();
  service = await start(folder);
});
beforeEach(() => {
  take = jest.fn<unknown, [sheet: Sheet]>(() => 'taken');
});
/** Files of the folder that the process has open, also without a name. */
const openIn = (path: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)].filter((file) => file.startsWith(`${path}/`));
    } catch {
      return []; // closed meanwhile
    }
  });
const expectNothingLeft = (path = folder): Promise<void> =>
  eventually(() => expect([openIn(path), readdirSync(path)]).toEqual([[], []]));
afterEach(() => expectNothingLeft());

const part = (name: string, content: string | Buffer, filename?: string): Buffer =>
  Buffer.concat([
    Buffer.from(`--xx\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(`${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const NAME = part('name', 'Ficus');
const END = Buffer.from('--xx--\r\n');
const TYPE = { 'Content-Type': 'multipart/form-data; boundary=xx' };
const request = (parts: Buffer[], headers = {}): Buffer => {
  const body = Buffer.concat(parts);
  const length = { 'Content-Length': String(body.length) };
  const head = { line: 'POST /sheets HTTP/1.1', headers: { ...TYPE, ...length, ...headers } };
  return Buffer.concat([plantRequest(service, head), body]);
};
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

it('files come in any order, each whole, with their sizes; large ones are on disk, without a name', async () => {
  const saved = join(temporaryFolder(), 'page');
  take.mockImplementation(async ({ name, scan, pages: [first, second] }) => {
    const openFiles = openIn(folder).length;
    const names = readdirSync(folder);
    await second?.saveTo(saved);
    return [
      name,
      scan.filename,
      await scan.text(),
      hashOf((await first?.bytes()) ?? LARGE),
      second?.size,
      openFiles,
      names,
    ];
  });
  const second = Buffer.alloc(300_000, 'b');
  const parts = [part('pages', LARGE, '1.png'), part('scan', 'small', 'scan'), NAME, part('pages', second, '2.png')];
  const answer = await ask(service.port, request([...parts, END]));
  expect(JSON.parse(answer.body)).toEqual(['Ficus', 'scan', 'small', hashOf(LARGE), 300_000, 1, []]);
  expect(readFileSync(saved).equals(second)).toBe(true);
});

it.each<[what: string, parts: Buffer[], violation: string]>([
  [
    'a field behind a large file',
    [part('scan', LARGE), part('name', 'x'.repeat(21))],
    '/body/name: expected at most 20 characters, got 21 in "xxxxxxxxxxxxxxxxxxxxx"',
  ],
  ['a large file', [NAME, part('scan', LARGE), part('scan', LARGE)], '/body/scan: expected one file, got several'],
  [
    'a file that is too short',
    [NAME, part('pages', LARGE), part('pages', LARGE.subarray(0, 299_999))],
    '/body/pages/1: expected at least 300000 bytes, got fewer',
  ],
])('the handler is not called if the contract refuses %s', async (_what, parts, violation) => {
  expectError(await ask(service.port, request([...parts, END])), 40002, violation);
  expect(take).not.toHaveBeenCalled();
});

it('a large file may have one length alone', async () => {
  const answer = await ask(service.port, request([NAME, part('print', LARGE.subarray(0, 400_000)), END]));
  expect(answer).toMatchObject({ status: 200, body: '"taken"' });
});

/** A connection on which a form has begun, whose file is on disk already, as one of `count` in all. */
const begun = async (file = LARGE, count = 1): Promise<RawConnection> => {
  const connection = await RawConnection.open(service.port);
  connection.send(request([NAME, part('scan', file)], { 'Content-Length': '9000000' }).subarray(0, -2));
  await eventually(() => expect(openIn(folder)).toHaveLength(count));
  return connection;
};

it.each([
  ['its schema', 'scan', LENGTH_MAX],
  ['one that its schema refers to', 'photo', 400_000],
])('the first byte too many of a file ends its form, by %s', async (_whose, name, most) => {
  const connection = await RawConnection.open(service.port);
  const beginning = [NAME, part(name, Buffer.alloc(most + 1))];
  connection.send(request(beginning, { 'Content-Length': '9000000' }));
  expectError(await connection.answer(), 40002, `/body/${name}: expected at most ${most} bytes, got more`);
  connection.destroy();
});

it('nothing is left of a form whose client goes', async () => {
  (await begun()).destroy();
  await expectNothingLeft();
  expect(take).not.toHaveBeenCalled();
});

it('a file is read once, and before the answer', async () => {
  let late: Promise<unknown> | undefined;
  take.mockImplementation(async ({ scan, pages: [page] }) => {
    await scan.bytes();
    late = new Promise((resolve) => setTimeout(resolve, 50)).then(() => page?.bytes()).catch(String);
    return scan.bytes().catch(String);
  });
  const answer = await ask(service.port, request([NAME, part('scan', 'a'), part('pages', LARGE), END]));
  expect(answer.body).toBe('"Error: expected a file to be read once"');
  expect(await late).toBe('Error: expected a file to be read before the answer is given');
});

it('the number of temporary files is bounded for each sender', async () => {
  const connections: RawConnection[] = [];
  const OF_ONE = 56; // eight times what is left of 64
  for (let count = 1; count <= OF_ONE; count++) connections.push(await begun(LARGE.subarray(0, 300_000), count));
  const message = 'too many bodies are held in temporary files at once';
  expectError(await ask(service.port, request([NAME, part('scan', LARGE), END])), 50302, message);
  expect(openIn(folder)).toHaveLength(OF_ONE);
  for (const connection of connections) connection.destroy();
  await expectNothingLeft();
  expect(await ask(service.port, request([NAME, part('scan', LARGE), END]))).toMatchObject({ status: 200 });
});

describe('without room for temporary files', () => {
  /** A file system of 512 KiB, or a folder that is missing if there may be none. */
  const tightFolder = (): { path: string; isMounted: boolean } => {
    const path = temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', path], { stdio: 'ignore' });
      return { path, isMounted: true };
    } catch {
      return { path: join(path, 'missing'), isMounted: false };
    }
  };

  it('the answer is 503, nothing is left, and small files are taken', async () => {
    const { path, isMounted } = tightFolder();
    const tight = await start(path);
    try {
      for (let time = 0; time < 2; time++)
        expectError(await ask(tight.port, request([NAME, part('scan', LARGE), END])), ...NO_ROOM);
      expect(tight.logged).toContainEqual(expect.objectContaining({ level: 50 }));
      expect(await ask(tight.port, request([NAME, part('scan', 'small'), END]))).toMatchObject({ status: 200 });
      if (isMounted) await expectNothingLeft(path);
    } finally {
      await tight.close();
      if (isMounted) execFileSync('umount', [path]);
    }
  });
});
