/** Answers to clients that have a body already, or want a part of it. */
import { openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { HandlerAnswer } from '../../../src/engine/contract/handler-types';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';
import { temporaryFolder } from '../../support/temporary-folder';

const validators = 'ETag: { schema: { type: string } }, last-modified: { schema: { type: string } }';
const headers = `headers: { ${validators}, Cache-Control: { schema: { type: string } }, Content-Length: { schema: { type: integer } } }`;
const unstored = 'cache-control: { schema: { const: no-store } }';
const content = 'content: { application/octet-stream: {}, application/json: {} }';
let given: HandlerAnswer;
const noting = notingService(
  `
paths:
  /file:
    get:
      operationId: file
      responses:
        '200': { description: Whole., ${headers}, ${content} }
        '206': { description: A part., content: { application/octet-stream: {} } }
        '304': { description: As before. }
        '416': { description: Beyond its end., content: { application/json: {} } }
  /kept: { get: { operationId: kept, responses: { '200': { description: Whole., headers: { ${validators}, ${unstored} }, ${content} }, '304': { description: As before. } } } }
  /kept-by-304: { get: { operationId: keptBy304, responses: { '200': { description: Whole., ${headers}, ${content} }, '304': { description: As before., headers: { ${unstored} } } } } }
  /whole: { get: { operationId: whole, responses: { '200': { description: Whole., ${headers}, ${content} }, default: { description: Any other. } } } }
  /part: { get: { operationId: part, responses: { '200': { description: Whole., ${headers}, ${content} }, '206': { description: A part. } } } }
`,
  () => given,
);

const ETag = '"v1"';
const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
const DIGITS = '0123456789';
const answerWith = (body: unknown, more: object = { ETag }): HandlerAnswer => ({
  status: 200,
  headers: { 'last-modified': modified, ...more },
  mediaType: 'application/octet-stream',
  body,
});
beforeEach(() => (given = answerWith(Buffer.from(DIGITS))));

const file = join(temporaryFolder(), 'digits');
beforeAll(() => writeFileSync(file, DIGITS));

/** Pieces of which no more are asked for than are needed. */
async function* pieces() {
  await Promise.resolve();
  yield '012';
  yield Buffer.from('345');
  yield '6789';
  throw new Error('asked for too much');
}

describe('a range', () => {
  it.each<[range: string, part: string, place: string]>([
    ['bytes=0-3', '0123', '0-3'],
    ['Bytes= 4-4', '4', '4-4'],
    ['bytes=4-', '456789', '4-9'],
    ['bytes=8-99999999999999999999', '89', '8-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-500', DIGITS, '0-9'],
  ])('%s is answered with that part', async (range, part, place) => {
    const answer = await noting.get('/file', { Range: range });
    expect(answer).toMatchObject({ status: 206, body: part });
    expect(answer.headers).toMatchObject({ 'content-range': `bytes ${place}/10`, etag: ETag });
  });

  it.each<[what: string, body: () => unknown]>([
    ['a Blob', () => new Blob([DIGITS])],
    ['a file', () => openAsBlob(file)],
    ['text', () => DIGITS],
    ['a generator that knows its length', pieces],
  ])('is cut out of %s', async (_what, body) => {
    given = answerWith(await body(), { ETag, 'Content-Length': 10 });
    const answer = await noting.get('/file', { Range: 'bytes=2-6' });
    expect(answer).toMatchObject({ status: 206, headers: { 'content-length': '5' }, body: '23456' });
  });

  it.each(['bytes=0-1,4-5', 'bytes=5-3', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes', ''])(
    '%j is answered with the whole',
    async (range) => {
      const answer = await noting.get('/file', { Range: range });
      expect(answer).toMatchObject({ status: 200, headers: { 'accept-ranges': 'bytes' }, body: DIGITS });
    },
  );

  it.each(['bytes=10-', 'bytes=-0'])('beyond the end is refused: %s', async (range) => {
    const answer = await noting.get('/file', { Range: range });
    expectError(answer, 41601, 'expected a range within 10 bytes');
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes */10' });
  });

  it('beyond the end is answered with the whole where 416 is not declared', async () => {
    expect(await noting.get('/part', { Range: 'bytes=10-' })).toMatchObject({ status: 200, body: DIGITS });
  });

  it.each<[condition: string, status: number]>([
    [ETag, 206],
    [modified, 206],
    ['"v0"', 200],
    ['Thu, 01 Jan 2026 00:00:01 GMT', 200],
  ])('is of the body that the client has a part of: If-Range: %s', async (condition, status) => {
    expect(await noting.get('/file', { Range: 'bytes=0-3', 'If-Range': condition })).toMatchObject({ status });
  });

  it('is never of a body with a weak validator that the client has a part of', async () => {
    given = answerWith(DIGITS, { ETag: 'W/"v1"' });
    expect(await noting.get('/file', { Range: 'bytes=0-3', 'If-Range': 'W/"v1"' })).toMatchObject({ status: 200 });
  });

  it.each<[what: string, path: string, answer: HandlerAnswer]>([
    ['206 is not declared', '/whole', answerWith(DIGITS)],
    ['206 is declared for another media type', '/file', { ...answerWith('123'), mediaType: 'application/json' }],
    ['the body has no validator', '/file', { ...answerWith(DIGITS), headers: {} }],
    ['the body is empty', '/file', answerWith('')],
  ])('is ignored where %s', async (_what, path, answer) => {
    given = answer;
    expect(await noting.get(path, { Range: 'bytes=0-1' })).toMatchObject({ status: 200 });
  });

  it('is ignored for a body without a length', async () => {
    given = answerWith(
      (async function* () {
        yield await Promise.resolve(DIGITS);
      })(),
    );
    const answer = await fetch(`${noting.service.baseUrl}/file`, { headers: { Range: 'bytes=0-1' } });
    expect([answer.status, await answer.text()]).toEqual([200, DIGITS]);
  });
});

describe('a body that the client has', () => {
  it.each<[name: string, value: string]>([
    ['If-None-Match', ETag],
    ['If-None-Match', '"v0", W/"v1"'],
    ['If-None-Match', '*'],
    ['If-Modified-Since', modified],
    ['If-Modified-Since', 'Fri, 02 Jan 2026 00:00:00 GMT'],
  ])('is not sent again: %s: %s', async (name, value) => {
    given = answerWith(pieces(), { ETag, 'Content-Length': 10 });
    const answer = await noting.get('/file', { [name]: value, Range: 'bytes=0-1' });
    expect(answer).toMatchObject({ status: 304, body: '' });
    expect(answer.headers).toMatchObject({ etag: ETag, 'last-modified': modified });
    expect(answer.headers).not.toHaveProperty('content-length');
  });

  it.each<[header: string, value: string, status: number]>([
    ['If-None-Match', ETag, 304],
    ['Range', 'bytes=10-', 416],
  ])('may be a stream that cannot be destroyed: %s: %s', async (header, value, status) => {
    const body = new Readable({ destroy: (_error, done) => done(new Error('a failure')) });
    given = answerWith(body, { ETag, 'Content-Length': 10 });
    expect(await noting.get('/file', { [header]: value })).toMatchObject({ status });
    expect(body.destroyed).toBe(true); // an "error" that nobody listens for ends the process
  });

  it.each<[what: string, path: string, sent: Record<string, string>]>([
    ['is another', '/file', { 'If-None-Match': '"v0"', 'If-Modified-Since': modified }],
    ['is no date of HTTP', '/file', { 'If-Modified-Since': '2026-01-02' }],
    ['is older', '/file', { 'If-Modified-Since': 'Wed, 31 Dec 2025 23:59:59 GMT' }],
    ['has no 304', '/whole', { 'If-None-Match': ETag }],
  ])('is sent if it %s', async (_what, path, sent) => {
    expect(await noting.get(path, sent)).toMatchObject({ status: 200, body: DIGITS });
  });

  it.each([
    ['/file', {}, 'private, no-cache'],
    ['/file', { 'Cache-Control': 'max-age=60' }, 'max-age=60'],
    ['/whole', {}, 'no-store'],
    ['/kept', {}, 'no-store'],
    ['/kept-by-304', {}, 'no-store'],
  ])(
    'may be stored where 304 is declared and the contract lets it, as its handler says: %s %j',
    async (path, more, expected) => {
      given = answerWith(DIGITS, { ETag, ...more });
      expect((await noting.get(path)).headers['cache-control']).toBe(expected);
    },
  );

  it('is not asked for by HEAD, which has no ranges', async () => {
    // fetch adds `Cache-Control: no-cache` to a condition
    given = answerWith(new Blob([DIGITS]));
    const head = (sent: Record<string, string>) =>
      fetch(`${noting.service.baseUrl}/file`, { method: 'HEAD', headers: sent });
    const whole = await head({ Range: 'bytes=0-1' });
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '10']);
    expect((await head({ 'If-None-Match': ETag })).status).toBe(304);
  });
});
