/**
 * The guided tour: a copy of the project is given a larger contract, and is led from there, by the generator, the compiler
 * and the server's refusal, to a service that keeps to it. Each test goes on where the one before has left off.
 */
import { makeToken } from '../../src/auth/tokens';
import { gardenOperations, growContract, writeHandlers, writeUndeclared } from './garden';
import { type Ended, ProjectCopy } from './project-copy';

const copy = new ProjectCopy(['conformance']);
const { token, line } = makeToken('visitor');
copy.write('tokens', line);
const serviceEnv = { PORT: '0', LOG_LEVEL: 'warn', AUTH_TOKENS_FILE: 'tokens', DATABASE_URL: 'sqlite:store/plants.db' };

jest.setTimeout(120_000);

afterAll(() => copy.discard());

interface Answer {
  status: number;
  text: string;
}

describe('with the contract alone', () => {
  let compiled: Promise<Ended>;
  let served: Promise<Ended>;

  it('the types are generated', async () => {
    growContract(copy);
    expect(await copy.run(['tsx', 'scripts/generate.ts'])).toMatchObject({ code: 0 });
    compiled = copy.run(['tsc', '--noEmit', '--project', 'src']);
    served = copy.run(['tsx', 'src/main.ts'], serviceEnv);
  });

  it('the compiler names every missing handler, what it takes and what it gives', async () => {
    const { code, output } = await compiled;
    expect(code).toBe(2);
    for (const id of gardenOperations) expect(output).toContain(`Property '${id}' is missing in type`);
    const garden = '{ id: bigint; name: string; } & { revision: bigint; soil?: string | null; }';
    for (const [id, takes, gives] of [
      ['listGardens', '{ query: { limit?: number; after?: bigint; id?: bigint[]; }; }', `{ 200: (${garden})[]; }`],
      ['getGarden', '{ path: { gardenId: bigint; }; }', `{ 200: ${garden}; }`],
      ['deleteGarden', '{ path: { gardenId: bigint; }; }', '{ 204: undefined; }'],
      ['createGarden', '{ body: { id: bigint; name: string; }; }', `{ 201: ${garden}; }`],
    ]) {
      expect(output).toContain(`required in type '{ ${id}: Handler<${takes}, ${gives}, "${id}">; }'`);
    }
    expect(output).toMatch(/updateGarden: Handler<{.* path: { gardenId: bigint; }; header: { "X-Revision": bigint; };/);
    expect(output).toContain('src/operations.ts(');
  });

  it('the server refuses to start, and names every missing handler with its place in the contract', async () => {
    const { code, output } = await served;
    expect(code).toBe(1);
    const lines = copy.read('openapi.yaml').split('\n');
    for (const id of gardenOperations) {
      const at = lines.findIndex((text) => text.includes(`operationId: ${id}`)) + 1;
      expect(output).toMatch(
        new RegExp(`openapi\\.yaml:${at}:\\d+ operation ${id} has no handler: .*src/operations\\.ts`),
      );
    }
  });
});

describe('with handlers and their rows in the table', () => {
  let compiled: Promise<Ended>;
  let conforming: Promise<Ended>;
  let service: ReturnType<ProjectCopy['start']>;
  let baseUrl = '';

  beforeAll(async () => {
    writeHandlers(copy);
    writeUndeclared(copy);
    service = copy.start(['tsx', 'src/main.ts'], serviceEnv);
    compiled = copy.run(['tsc', '--noEmit', '--project', 'src']);
    baseUrl = (await service.wrote(/ at (http:\S+)\n/))[1] ?? '';
    conforming = copy.run(['jest', 'test/conformance/conformance']);
  });

  /** Asks the service, and gives the answer's status and its body as it was written. */
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
  const violation = (message: string): Answer => ({ status: 400, text: JSON.stringify({ error: 40002, message }) });

  it('int64 is exact in bodies, paths, queries, headers and answers', async () => {
    for (const id of ['9007199254740993', '9223372036854775807', '-9223372036854775808']) {
      expect(await ask('POST /gardens', `{"id":${id},"name":"Kew"}`)).toEqual({
        status: 201,
        text: `{"id":${id},"name":"Kew","revision":1}`,
      });
      expect(await ask(`GET /gardens/${id}`)).toEqual({ status: 200, text: `{"id":${id},"name":"Kew","revision":1}` });
      expect(await ask(`GET /gardens?id=1&id=${id}`)).toEqual({
        status: 200,
        text: `[{"id":${id},"name":"Kew","revision":1}]`,
      });
    }
    expect(await ask('GET /gardens/9007199254740992')).toMatchObject({ status: 404 });
    expect(await ask('GET /gardens?after=9007199254740993')).toEqual({
      status: 200,
      text: '[{"id":9223372036854775807,"name":"Kew","revision":1}]',
    });
    expect(
      await ask('PATCH /gardens/9007199254740993', '{"soil":"loam"}', { 'X-Revision': '9007199254740993' }),
    ).toEqual({
      status: 409,
      text: '{"error":40902,"message":"garden 9007199254740993 has revision 1 by now, and not 9007199254740993"}',
    });
    const listed = await fetch(`${baseUrl}/gardens`, { headers: { Authorization: `Bearer ${token}` } });
    expect(listed.headers.get('X-Last-Id')).toBe('9223372036854775807');
  });

  it('parameters are checked', async () => {
    expect(await ask('GET /gardens/9223372036854775808')).toEqual(
      violation('/params/gardenId: expected int64, got number'),
    );
    expect(await ask('GET /gardens/Kew')).toEqual(violation('/params/gardenId: expected integer, got string'));
    expect(await ask('GET /gardens?limit=101')).toEqual(
      violation('/query/limit: expected a number <= 100, got number'),
    );
    expect(await ask('GET /gardens?id=1&id=x')).toEqual(violation('/query/id/1: expected integer, got string'));
    expect(await ask('GET /gardens?before=1')).toEqual(
      violation('/query/before: expected no parameter of this name, or one in another form, got string'),
    );
    expect(await ask('PATCH /gardens/1', '{"name":"Kew"}')).toEqual(
      violation('/headers/x-revision: expected a value, got nothing'),
    );
  });

  it('every kind of operation and answer is served', async () => {
    expect(await ask('POST /plants', '{"id":1,"name":"Ficus"}')).toEqual({ status: 200, text: '{"name":"Ficus"}' });
    await ask('POST /gardens', '{"id":7,"name":"Kew"}');
    const changed = '{"id":7,"name":"Kew Gardens","revision":2,"soil":null}';
    expect(await ask('PATCH /gardens/7', '{"name":"Kew Gardens","soil":null}', { 'X-Revision': '1' })).toEqual({
      status: 200,
      text: changed,
    });
    expect(await ask('PATCH /gardens/7', '{}', { 'X-Revision': '2' })).toMatchObject({ status: 400 });
    expect(await ask('PUT /gardens/7/note', '{"text":"!","author":9007199254740993}')).toEqual({
      status: 200,
      text: '{"text":"!","author":9007199254740993}',
    });
    expect(await ask('PUT /gardens/7/note', 'plain', { 'Content-Type': 'text/plain' })).toEqual({
      status: 200,
      text: 'plain',
    });
    expect(await ask('PUT /gardens/7/note')).toEqual({ status: 204, text: '' });
    expect(await ask('PUT /gardens/7/note', '<p>', { 'Content-Type': 'text/html' })).toMatchObject({ status: 415 });
    expect(await ask('DELETE /gardens/7')).toEqual({ status: 204, text: '' });
    expect(await ask('GET /gardens/7')).toEqual({
      status: 404,
      text: '{"error":40402,"message":"there is no garden 7"}',
    });
    const season = '{"season":"spring","second":9223372036854775807}';
    expect(await ask('GET /season', undefined, { Authorization: '' })).toEqual({ status: 200, text: season });
    expect(await ask('GET /gardens', undefined, { Authorization: '' })).toMatchObject({ status: 401 });
    expect(await ask('POST /season')).toMatchObject({ status: 405 });
  });

  it('everything compiles, and nothing that the contract does not declare does', async () => {
    expect(await compiled).toEqual({ code: 0, output: '' });
  });

  it('the conformance suite covers the new operations by itself', async () => {
    expect(await conforming).toMatchObject({ code: 0 });
  });
});
