/**
 * The path of a team that extends the contract, in a copy of the project under `npm run dev`: the generator, the compiler and
 * the refused start lead to a service of the larger contract, in which is the operation that README.md shows. Each test continues where the previous one ended.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../../src/tools/conformance/contract';
import { report } from '../../src/tools/conformance/report/report';
import { eventually } from '../support/eventually';
import { seedOfRun } from '../support/seed';
import { checkConformance } from '../../src/tools/conformance/suite';
import { addedOperations, growContract, writeHandlers, writeUndeclared } from './larger-contract';
import { type Ended, project, ProjectCopy, type Running } from './project-copy';

const copy = new ProjectCopy();
const seed = seedOfRun();
const PLANT = ['components', 'schemas', 'Plant'];
let dev: Running;
let token = '';
let baseUrl = '';

beforeAll(async () => {
  dev = copy.start(['tsx', 'src/tools/cli.ts', 'dev'], { PORT: '0', LOG_LEVEL: 'warn' });
  [, baseUrl = ''] = await dev.wrote(/ at (http:\S+)\n/);
  [, token = ''] = await dev.wrote(/curl .*"Authorization: Bearer (\S+)"/);
});
afterAll(async () => {
  dev.child.kill('SIGINT');
  await dev.ended;
  await copy.discard();
});

interface Answer {
  status: number;
  text: string;
}

/** Sends a request to the running service; the answer's body is not parsed. */
async function ask(request: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const type = body === undefined ? undefined : { 'Content-Type': 'application/json' };
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...type, ...headers },
    body: body ?? null,
  });
  return { status: answer.status, text: await answer.text() };
}

const ok = (text: string): Answer => ({ status: 200, text });
const stillServes = async (): Promise<void> =>
  expect(await ask('POST /plants', `{"id":1,"name":"Ficus"}`)).toEqual(ok('{"name":"Ficus"}'));

describe('the development server', () => {
  it('serves, and has printed a token that is accepted', async () => {
    await stillServes();
  });

  it('reports a wrong word in the contract, once, and continues to serve', async () => {
    copy.editContract((contract) => contract.setIn([...PLANT, 'requried'], ['name']));
    await dev.wrote(
      /\n {2}openapi\.yaml:\d+:\d+ .*requried: expected required\n\nCorrect openapi\.yaml there, and save\.\nThe previous server keeps running/,
    );
    await stillServes();
    copy.editContract((contract) => contract.deleteIn([...PLANT, 'requried']));
  });

  it('generates anew from a contract whose lint error was undone, and restarts', async () => {
    await dev.wrote(/\nRestarted: /); // after the wrong word
    const [contract, types] = [copy.read('openapi.yaml'), copy.read('generated/openapi.ts')];
    copy.editContract((edited) => edited.deleteIn(['paths', '/plants', 'post', 'summary']));
    await dev.wrote(/\(operation-summary\)\n\nCorrect openapi\.yaml there, and save\./);
    copy.write('openapi.yaml', contract);
    await dev.wrote(/\(operation-summary\)[^]*\nRestarted: /);
    expect(copy.read('generated/openapi.ts')).toBe(types);
    await stillServes();
  });
});

describe('with a larger contract alone', () => {
  let refused: Ended;

  it('the compiler names missing handlers, and mocks answer for them', async () => {
    growContract(copy);
    const missing =
      /src\/handlers\.ts\(\d+,\d+\): .* is missing the following properties from type 'Handlers': listAllotments, /;
    await dev.wrote(
      new RegExp(`${missing.source}[^]*Mocks answer until their handlers are written into src/handlers\\.ts`),
    );
    const answer = await fetch(`${baseUrl}/season`);
    expect([answer.status, answer.headers.get('Mock')]).toEqual([200, 'true']);
    await stillServes();
  });

  it('the types are generated', () => {
    for (const id of addedOperations) expect(copy.read('generated/openapi.ts')).toContain(`    ${id}: {\n`);
  });

  it('the server refuses to start, and reports every missing handler with its place in the contract', async () => {
    refused = await copy.run(['tsx', 'src/main.ts'], { PORT: '0', DATABASE_URL: 'sqlite:other/plants.db' });
    expect(refused.code).toBe(1);
    const lines = copy.read('openapi.yaml').split('\n');
    for (const id of addedOperations) {
      const at = lines.findIndex((text) => text.includes(`operationId: ${id}`)) + 1;
      const told = new RegExp(`openapi\\.yaml:${at}:\\d+ operation ${id} has no handler: .*src/handlers\\.ts`);
      expect(refused.output).toMatch(told);
    }
    expect(existsSync(join(copy.folder, 'other'))).toBe(false); // the store is not touched before
  });
});

describe('with handlers and their rows in the table', () => {
  const violation = (message: string): Answer => ({ status: 400, text: JSON.stringify({ error: 40002, message }) });

  it('everything compiles, nothing undeclared does, and the server is restarted with the same token', async () => {
    writeUndeclared(copy);
    writeHandlers(copy);
    // The port stays the same; mocks may answer for another moment.
    await eventually(async () => expect((await fetch(`${baseUrl}/season`)).headers.get('Mock')).toBeNull());
    await stillServes();
  });

  it('int64 is exact in bodies, paths, queries, headers and answers', async () => {
    for (const id of ['9007199254740993', '9223372036854775807', '-9223372036854775808']) {
      const allotment = `{"id":${id},"name":"Kew","revision":1}`;
      expect(await ask('POST /allotments', `{"id":${id},"name":"Kew"}`)).toEqual({ status: 201, text: allotment });
      expect(await ask(`GET /allotments/${id}`)).toEqual(ok(allotment));
      expect(await ask(`GET /allotments?id=1&id=${id}`)).toEqual(ok(`[${allotment}]`));
    }
    const last = '[{"id":9223372036854775807,"name":"Kew","revision":1}]';
    expect(await ask('GET /allotments?after=9007199254740993')).toEqual(ok(last));
    expect(await ask('GET /allotments/9007199254740992')).toMatchObject({ status: 404 });
    const revision = { 'X-Revision': '9007199254740993' };
    expect(await ask('PATCH /allotments/9007199254740993', '{"soil":"loam"}', revision)).toEqual({
      status: 409,
      text: '{"error":40902,"message":"allotment 9007199254740993 has revision 1 by now, and not 9007199254740993"}',
    });
    const listed = await fetch(`${baseUrl}/allotments`, { headers: { Authorization: `Bearer ${token}` } });
    expect(listed.headers.get('X-Last-Id')).toBe('9223372036854775807');
  });

  it.each([
    [
      'GET /allotments/9223372036854775808',
      '/path/allotmentId: expected int64 (an integer from -9223372036854775808 to 9223372036854775807), got 9223372036854775808',
    ],
    ['GET /allotments/Kew', '/path/allotmentId: expected integer, got "Kew"'],
    ['GET /allotments?limit=101', '/query/limit: expected a number <= 100, got 101'],
    ['GET /allotments?id=1&id=x', '/query/id/1: expected integer, got "x"'],
    ['PATCH /allotments/1', '/header/X-Revision: expected a value, got nothing'],
  ])('parameters are checked: %s', async (request, message) => {
    expect(await ask(request, request.startsWith('PATCH') ? '{"name":"Kew"}' : undefined)).toEqual(violation(message));
  });

  it('every kind of operation and answer is served', async () => {
    await ask('POST /allotments', '{"id":7,"name":"Kew"}');
    const changed = ok('{"id":7,"name":"Kew Palace","revision":2,"soil":null}');
    const change = '{"name":"Kew Palace","soil":null}';
    expect(await ask('PATCH /allotments/7', change, { 'X-Revision': '1' })).toEqual(changed);
    expect(await ask('PATCH /allotments/7', '{}', { 'X-Revision': '2' })).toMatchObject({ status: 400 });
    const note = '{"text":"!","author":9007199254740993}';
    expect(await ask('PUT /allotments/7/note', note)).toEqual(ok(note));
    expect(await ask('PUT /allotments/7/note', 'plain', { 'Content-Type': 'text/plain' })).toEqual(ok('plain'));
    expect(await ask('PUT /allotments/7/note')).toEqual({ status: 204, text: '' });
    expect(await ask('PUT /allotments/7/note', '<p>', { 'Content-Type': 'text/html' })).toMatchObject({ status: 415 });
    expect(await ask('DELETE /allotments/7')).toEqual({ status: 204, text: '' });
    const none = '{"error":40402,"message":"there is no allotment 7"}';
    expect(await ask('GET /allotments/7')).toEqual({ status: 404, text: none });
    expect(await ask('GET /gardens/9007199254740993')).toEqual(
      ok('{"id":9007199254740993,"name":"Garden 9007199254740993"}'),
    );
    const season = ok('{"season":"spring","second":9223372036854775807}');
    expect(await ask('GET /season', undefined, { Authorization: '' })).toEqual(season);
    expect(await ask('GET /allotments', undefined, { Authorization: '' })).toMatchObject({ status: 401 });
    expect(await ask('POST /season')).toMatchObject({ status: 405 });
  });

  it(`the conformance suite covers the new operations without changes (CONFORMANCE_SEED=${seed})`, async () => {
    const ours = readContract(join(project, 'openapi.yaml')).operations;
    const contract = readContract(join(copy.folder, 'openapi.yaml'));
    expect(contract.operations).toHaveLength(ours.length + addedOperations.length);
    const target = { url: baseUrl, credentials: { token } };
    expect(report(await checkConformance(contract, target, { seed, write: true }))).toBe('');
  });
});

describe('the development server, finally', () => {
  it('continues to serve where the new program does not start', async () => {
    copy.replace('src/service.ts', 'project.contract', "'nowhere.yaml'");
    await dev.wrote(/nowhere\.yaml[^]*The server does not start[^]*previous server keeps running/);
    await stillServes();
  });

  it('ends with all processes that it has started', async () => {
    dev.child.kill('SIGINT');
    dev.child.kill('SIGINT');
    expect(await dev.ended).toMatchObject({ code: 0 });
    await expect(stillServes()).rejects.toThrow('fetch failed');
  });
});
