/**
 * A service of streams that is a contract and its handlers, as `new` makes it and production runs it: events, items and bytes, more of them
 * than fit into its memory. It prints what they cost: 1,000 event streams less than 60 MB. The bounds are far above that, as versions of Node
 * differ in when they collect garbage. `FLOW=1 npx jest flow` has the whole sizes, 10 GB and a million items each way.
 */
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventually } from '../support/eventually';
import { descriptorsOf, processorSecondsOf, residentMbOf } from '../support/resources';
import { addFixtures, discardAll, fixtures, makePackages, newProject, succeed } from './npx';
import type { Project, Running } from './project-copy';

const SHARE = Number(process.env.FLOW ?? 0.1);
const PIECE = Buffer.alloc(65_536, 'a');
const PIECES = Math.floor((SHARE * 1e10) / PIECE.length);
const LINES = Buffer.from('{"id":9223372036854775807,"celsius":21.5}\n'.repeat(1_000));
const ITEMS = SHARE * 1e6;
const STREAMS = 1_000;

let made: Project;
let running: Running;
let pid: number;
let url: string;
beforeAll(async () => {
  await makePackages();
  made = await newProject(join(fixtures, 'flow.yaml'));
  addFixtures(made, 'flow');
  await succeed(made.run(['npm', 'run', 'build']));
});
beforeEach(async () => {
  running = made.start([process.execPath, '--max-semi-space-size=64', 'dist/src/main.js'], {
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  [, url = ''] = await running.wrote(/"baseUrl":"(http:[^"]+)"/);
  pid = running.child.pid ?? 0;
});
afterEach(async () => {
  running.child.kill('SIGKILL');
  await running.ended;
});
afterAll(discardAll);

const ask = (method: string, path: string, mediaType = ''): ClientRequest =>
  request(url + path, { method, agent: false, headers: mediaType === '' ? {} : { 'Content-Type': mediaType } });

async function answerTo(asked: ClientRequest, body: Iterable<Buffer> = []): Promise<IncomingMessage> {
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(body), asked);
  return (await answered)[0];
}

/** The status of an answer, and its body, whose bytes are counted where it is large. */
async function read(answer: IncomingMessage): Promise<[status: number | undefined, body: string | number]> {
  let [bytes, text] = [0, ''];
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes < 1_000) text += piece.toString();
  }
  return [answer.statusCode, bytes < 1_000 ? text : bytes];
}

function* repeated(piece: Buffer, times: number): Generator<Buffer, void> {
  for (let time = 0; time < times; time++) yield piece;
}

/** The result of `act`; prints what it cost, and expects that the process has not grown by more than so many MB. */
async function within<T>(growthMbMax: number, what: string, act: () => Promise<T>): Promise<T> {
  const [start, processor, before] = [performance.now(), processorSecondsOf(pid), residentMbOf(pid).now];
  const result = await act();
  const { max } = residentMbOf(pid);
  const seconds = [performance.now() - start, (processorSecondsOf(pid) - processor) * 1_000].map((ms) =>
    (ms / 1_000).toFixed(1),
  );
  const figures = `resident ${before.toFixed(0)} MB, at most ${max.toFixed(0)} MB, in ${seconds[0]} s, of the processor ${seconds[1]} s`;
  process.stderr.write(`flow: ${what}: ${figures}\n`);
  expect(max - before).toBeLessThan(growthMbMax);
  return result;
}

async function listen(): Promise<{ answer: IncomingMessage; heard: () => string }> {
  const answer = await answerTo(ask('GET', '/chat'));
  let heard = '';
  answer
    .setEncoding('utf8')
    .on('data', (text: string) => (heard += text))
    .on('error', () => undefined);
  return { answer, heard: () => heard };
}

const say = async (text: string): Promise<unknown> =>
  read(await answerTo(ask('POST', '/chat', 'application/json'), [Buffer.from(JSON.stringify({ text }))]));

it(`${STREAMS} open event streams, each of which has what is said, whoever does not read`, async () => {
  const listeners: Awaited<ReturnType<typeof listen>>[] = [];
  await within(150, `${STREAMS} event streams`, async () => {
    const deaf = await answerTo(ask('GET', '/chat'));
    for (let count = 0; count < STREAMS; count++) listeners.push(await listen());
    expect(await say('hello')).toEqual([204, '']);
    const both = 'data: {"text":"welcome"}\n\ndata: {"text":"hello"}\n\n';
    await eventually(() => expect(new Set(listeners.map(({ heard }) => heard()))).toEqual(new Set([both])));
    deaf.destroy();
  });
});

it(`${PIECES * PIECE.length} bytes up and down`, async () => {
  await within(200, 'bytes', async () => {
    expect(
      await read(await answerTo(ask('PUT', '/file', 'application/octet-stream'), repeated(PIECE, PIECES))),
    ).toEqual([204, '']);
    expect(statSync(join(made.folder, 'file')).size).toBe(PIECES * PIECE.length);
    expect(await read(await answerTo(ask('GET', '/file')))).toEqual([200, PIECES * PIECE.length]);
  });
});

it(`${ITEMS} items in and out`, async () => {
  await within(300, 'items', async () => {
    const sent = repeated(LINES, ITEMS / 1_000);
    expect(await read(await answerTo(ask('POST', '/readings', 'application/jsonl'), sent))).toEqual([
      200,
      String(ITEMS),
    ]);
    const digits = Array.from({ length: ITEMS }, (_, index) => String(index + 1).length).reduce(
      (sum, each) => sum + each,
    );
    const bytes = digits + ITEMS * '{"id":,"celsius":21.5}\n'.length;
    expect(await read(await answerTo(ask('GET', `/readings?count=${ITEMS}`)))).toEqual([200, bytes]);
  });
});

it('of clients that go in the middle nothing is left: no connection, no file, no part of one', async () => {
  await read(await answerTo(ask('PUT', '/file', 'application/octet-stream'), repeated(PIECE, 100)));
  const [descriptors, files] = [descriptorsOf(pid), readdirSync(made.folder)];
  const gone = async (asked: ClientRequest, begun: Buffer | undefined, at: number): Promise<void> => {
    asked.on('error', () => undefined);
    if (begun) asked.write(begun);
    else asked.end();
    await Promise.race([once(asked, 'response'), new Promise((resolve) => setTimeout(resolve, at))]);
    asked.destroy();
  };
  await Promise.all(
    Array.from({ length: 400 }, (_, at) => [
      gone(ask('PUT', '/file', 'application/octet-stream'), PIECE, at),
      gone(ask('POST', '/readings', 'application/jsonl'), LINES.subarray(0, -7), at),
      gone(ask('GET', '/readings?count=1000000'), undefined, at),
      gone(ask('GET', '/file'), undefined, at),
      gone(ask('GET', '/chat'), undefined, at),
    ]).flat(),
  );
  await eventually(() => expect(readdirSync(made.folder)).toEqual(files));
  await eventually(() => expect(descriptorsOf(pid)).toBeLessThanOrEqual(descriptors));
  expect(running.output()).not.toContain('"level":"error"');
});

it('a shutdown lets an upload, an import and an export end, cuts event streams, and ends well', async () => {
  const { answer, heard } = await listen();
  const cut = new Promise((resolve) => answer.once('close', resolve));
  const [upload, items] = [
    ask('PUT', '/file', 'application/octet-stream'),
    ask('POST', '/readings', 'application/jsonl'),
  ];
  const answers = [upload, items].map(async (asked) => read(((await once(asked, 'response')) as [IncomingMessage])[0]));
  upload.write(PIECE);
  items.write(LINES);
  await eventually(() => expect(readdirSync(made.folder).filter((name) => name.endsWith('.part'))).toHaveLength(1));
  const exported = await answerTo(ask('GET', '/readings?count=100000'));
  running.child.kill('SIGTERM');
  await eventually(() => expect(fetch(url)).rejects.toThrow());
  upload.end(PIECE);
  items.end(LINES);
  expect(await Promise.all([...answers, read(exported)])).toEqual([
    [204, ''],
    [200, '2000'],
    [200, expect.any(Number)],
  ]);
  expect(heard()).toContain('welcome');
  await cut;
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(statSync(join(made.folder, 'file')).size).toBe(2 * PIECE.length);
});
