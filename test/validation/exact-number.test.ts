import { type AnyRequest, contractOf, handlersOf } from '../support/contracts';
import { expectError } from '../support/errors';
import { ask, plantRequest } from '../support/raw';
import { startService, type TestService } from '../support/service';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Gardens, version: 1.0.0 }
paths:
  /gardens/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
    get:
      operationId: findGarden
      parameters:
        - { name: after, in: query, schema: { type: integer, format: int64 } }
        - { name: ids, in: query, schema: { type: array, items: { $ref: '#/components/schemas/Id' } } }
        - { name: some, in: query, explode: false, schema: { type: array, items: { type: integer, format: int64 } } }
        - { name: piped, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer, format: int64 } } }
        - { name: spaced, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: integer, format: int64 } } }
        - { name: limit, in: query, schema: { type: integer, format: int32, minimum: 1 } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: area, in: query, schema: { type: number } }
        - { name: name, in: query, schema: { type: string } }
        - { name: X-Revision, in: header, schema: { type: integer, format: int64 } }
      responses:
        '200':
          description: Found.
          headers: { X-Revision: { schema: { type: integer, format: int64 } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Garden' } } }
  /gardens:
    post:
      operationId: createGarden
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Garden' } } } }
      responses:
        '200': { description: Created., content: { application/json: { schema: { $ref: '#/components/schemas/Garden' } } } }
components:
  schemas:
    Id: { type: integer, format: int64 }
    Named: { type: object, properties: { name: { type: string } } }
    NamedAndNumbered: { $ref: '#/components/schemas/Named', properties: { id: { $ref: '#/components/schemas/Id' } } }
    Garden:
      type: object
      properties:
        id: { $ref: '#/components/schemas/Id' }
        positive: { type: integer, format: int64, minimum: 1 }
        safe: { type: integer, format: int64, minimum: -9007199254740991, maximum: 9007199254740991 }
        any: { type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807 }
        maybe: { type: [integer, 'null'], format: int64 }
        either: { oneOf: [{ type: integer, format: int64 }, { type: string }] }
        measure: { anyOf: [{ type: integer, format: int64 }, { type: number, minimum: 1 }] }
        owner: { $ref: '#/components/schemas/NamedAndNumbered' }
        gardens: { type: array, items: { $ref: '#/components/schemas/Garden' } }
        pair: { type: array, prefixItems: [{ type: string }, { type: integer, format: int64 }], items: false, minItems: 2 }
        counts: { type: object, additionalProperties: { type: integer, format: int64 } }
        numbered: { type: object, patternProperties: { '^n': { type: integer, format: int64 } } }
        conditional: { if: { type: integer }, then: { type: integer, format: int64 } }
        settings: { type: object, properties: { size: { type: integer, format: int64, default: 7 } } }
`);

let seen: AnyRequest | undefined;
/** What the handler answers, where it does not send back what it got. */
let answer: unknown;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    contract,
    verifiers: {},
    handlers: handlersOf({
      findGarden(request) {
        seen = request;
        const revision: unknown = Reflect.get(request.header, 'X-Revision');
        return {
          status: 200,
          ...(revision === undefined ? {} : { headers: { 'X-Revision': revision } }),
          body: answer,
        };
      },
      createGarden(request) {
        seen = request;
        return { status: 200, body: answer ?? request.body };
      },
    }),
  });
});
afterAll(() => service.close());
beforeEach(() => {
  seen = undefined;
  answer = undefined;
});

const MAX = 9223372036854775807n;

describe('a parameter', () => {
  const find = (target: string, headers = {}) => {
    answer = {};
    return ask(service.port, plantRequest(service, { line: `GET ${target} HTTP/1.1`, headers }), 'GET');
  };

  it.each<[target: string, path: object, query: object]>([
    ['/gardens/9223372036854775807', { id: MAX }, {}],
    ['/gardens/-9223372036854775808', { id: -MAX - 1n }, {}],
    ['/gardens/9.223372036854775807e18', { id: MAX }, {}],
    ['/gardens/1.0', { id: 1n }, {}],
    ['/gardens/1e3', { id: 1000n }, {}],
    ['/gardens/-0', { id: 0n }, {}],
    ['/gardens/%31', { id: 1n }, {}],
    ['/gardens/1?after=9223372036854775807', { id: 1n }, { after: MAX }],
    ['/gardens/1?after=9007199254740993', { id: 1n }, { after: 9007199254740993n }],
    ['/gardens/1?%61fter=1', { id: 1n }, { after: 1n }],
    ['/gardens/1?ids=9223372036854775807', { id: 1n }, { ids: [MAX] }],
    ['/gardens/1?ids=9223372036854775807&ids=9007199254740993', { id: 1n }, { ids: [MAX, 9007199254740993n] }],
    ['/gardens/1?some=9223372036854775807,9007199254740993', { id: 1n }, { some: [MAX, 9007199254740993n] }],
    ['/gardens/1?piped=9223372036854775807|1', { id: 1n }, { piped: [MAX, 1n] }],
    ['/gardens/1?spaced=9223372036854775807%201', { id: 1n }, { spaced: [MAX, 1n] }],
    ['/gardens/1?limit=1e3', { id: 1n }, { limit: 1000 }],
    ['/gardens/1?page=9007199254740991', { id: 1n }, { page: 9007199254740991 }],
    ['/gardens/1?area=1.5', { id: 1n }, { area: 1.5 }],
    ['/gardens/1?name=9007199254740993', { id: 1n }, { name: '9007199254740993' }],
    ['/gardens/1?name=%F0%9F%8C%B5%26', { id: 1n }, { name: '🌵&' }],
  ])('of %s is seen as it was written', async (target, path, query) => {
    expect(await find(target)).toMatchObject({ status: 200 });
    expect(seen).toMatchObject({ path, query, header: {} });
    expect(Object.keys(seen?.query ?? {})).toEqual(Object.keys(query));
  });

  it.each<[target: string, message: string]>([
    ['/gardens/9223372036854775808', '/params/id: expected int64, got number'],
    ['/gardens/-9223372036854775809', '/params/id: expected int64, got number'],
    ['/gardens/1e1000000000', '/params/id: expected int64, got number'],
    ['/gardens/1.5', '/params/id: expected integer, got string'],
    ['/gardens/1.0000000000000000001', '/params/id: expected integer, got string'],
    ['/gardens/0x10', '/params/id: expected integer, got string'],
    ['/gardens/%205', '/params/id: expected integer, got string'],
    ['/gardens/+5', '/params/id: expected integer, got string'],
    ['/gardens/05', '/params/id: expected integer, got string'],
    ['/gardens/5n', '/params/id: expected integer, got string'],
    ['/gardens/Infinity', '/params/id: expected integer, got string'],
    ['/gardens/%D9%A3', '/params/id: expected integer, got string'],
    ['/gardens/true', '/params/id: expected integer, got string'],
    ['/gardens/null', '/params/id: expected integer, got string'],
    ['/gardens/1%2F2', '/params/id: expected integer, got string'],
    ['/gardens/1?after=9223372036854775808', '/query/after: expected int64, got number'],
    ['/gardens/1?after=', '/query/after: expected integer, got string'],
    ['/gardens/1?after', '/query/after: expected integer, got string'],
    ['/gardens/1?after=1&after=2', '/query/after: expected integer, got array'],
    ['/gardens/1?after[]=1', '/query/after%5B%5D: expected no parameter of this name, got one'],
    ['/gardens/1?ids=1&ids=x', '/query/ids/1: expected integer, got string'],
    ['/gardens/1?ids=1&ids=9223372036854775808', '/query/ids/1: expected int64, got number'],
    ['/gardens/1?some=1,,2', '/query/some/1: expected integer, got string'],
    ['/gardens/1?some=1,9223372036854775808', '/query/some/1: expected int64, got number'],
    ['/gardens/1?limit=0', '/query/limit: expected a number >= 1, got number'],
    ['/gardens/1?limit=2147483648', '/query/limit: expected int32, got number'],
    ['/gardens/1?limit=1e400', '/query/limit: expected integer, got string'],
    ['/gardens/1?page=9007199254740993', '/query/page: expected integer, got string'],
    ['/gardens/1?area=0x10', '/query/area: expected number, got string'],
    ['/gardens/1?area=1e400', '/query/area: expected number, got string'],
    ['/gardens/1?other=1', '/query/other: expected no parameter of this name, or one in another form, got string'],
  ])('of %s is refused', async (target, message) => {
    expectError(await find(target), 40002, message);
    expect(seen).toBeUndefined();
  });

  it('in a list of thousands is not lost', async () => {
    const list = Array.from({ length: 3_000 }, (_, index) => BigInt(index % 10));
    expect(
      await find(
        `/gardens/1?${list
          .map((id) => `ids=${id}`)
          .join('&')
          .slice(0)}`.slice(0, 16_000),
      ),
    ).toMatchObject({ status: 200 });
    const { ids } = seen?.query as { ids: bigint[] };
    expect(ids).toEqual(list.slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(2_500);
  });

  it('that is not declared is found behind thousands that are', async () => {
    const target = `/gardens/1?${'ids=1&'.repeat(2_000)}other=1`;
    const message = '/query/other: expected no parameter of this name, or one in another form, got string';
    expectError(await find(target), 40002, message);
  });

  it.each<[text: string, revision: bigint]>([
    ['9223372036854775807', MAX],
    ['-9223372036854775808', -MAX - 1n],
    ['9.007199254740993e15', 9007199254740993n],
  ])('in a header is seen, and answered, as it was written: %s', async (text, revision) => {
    const found = await find('/gardens/1', { 'x-revision': text });
    expect(found).toMatchObject({ status: 200, headers: { 'x-revision': String(revision) } });
    expect(seen?.header).toEqual({ 'X-Revision': revision });
  });

  it.each([
    ['9223372036854775808', '/headers/x-revision: expected int64, got number'],
    ['1.5', '/headers/x-revision: expected integer, got string'],
    ['', '/headers/x-revision: expected integer, got string'],
    ['1, 2', '/headers/x-revision: expected integer, got string'],
  ])('in a header is refused: %p', async (text, message) => {
    expectError(await find('/gardens/1', { 'X-Revision': text }), 40002, message);
    expect(seen).toBeUndefined();
  });
});

describe('a body', () => {
  const create = (body: string) => ask(service.port, plantRequest(service, { line: 'POST /gardens HTTP/1.1', body }));

  it.each<[body: string, seen: object]>([
    ['{"id":9223372036854775807}', { id: MAX }],
    ['{"positive":9223372036854775807}', { positive: MAX }],
    ['{"safe":9007199254740991}', { safe: 9007199254740991n }],
    ['{"any":-9223372036854775808}', { any: -MAX - 1n }],
    ['{"maybe":null}', { maybe: null }],
    ['{"maybe":9007199254740993}', { maybe: 9007199254740993n }],
    ['{"either":"9007199254740993"}', { either: '9007199254740993' }],
    ['{"either":9007199254740993}', { either: 9007199254740993n }],
    ['{"measure":9007199254740993}', { measure: 9007199254740993n }],
    ['{"measure":1.5}', { measure: 1.5 }],
    ['{"owner":{"id":9007199254740993,"name":"Ada"}}', { owner: { id: 9007199254740993n, name: 'Ada' } }],
    [
      '{"gardens":[{"gardens":[{"id":9007199254740993}]},{"id":1}]}',
      { gardens: [{ gardens: [{ id: 9007199254740993n }] }, { id: 1n }] },
    ],
    ['{"pair":["a",9007199254740993]}', { pair: ['a', 9007199254740993n] }],
    ['{"counts":{"a":9007199254740993,"b":1}}', { counts: { a: 9007199254740993n, b: 1n } }],
    ['{"numbered":{"n1":9007199254740993,"other":1}}', { numbered: { n1: 9007199254740993n, other: 1 } }],
    ['{"conditional":9007199254740993}', { conditional: 9007199254740993n }],
  ])('%s is seen, and answered, as it was written', async (body, expected) => {
    expect(await create(body)).toMatchObject({ status: 200, body });
    expect(seen?.body).toEqual(expected);
  });

  it('is given the default of an int64 as an int64', async () => {
    expect(await create('{"settings":{}}')).toMatchObject({ status: 200, body: '{"settings":{"size":7}}' });
    expect(seen?.body).toEqual({ settings: { size: 7n } });
  });

  it.each<[body: string, message: string]>([
    ['{"positive":0}', '/body/positive: expected a number >= 1, got number'],
    ['{"positive":-9223372036854775808}', '/body/positive: expected a number >= 1, got number'],
    ['{"safe":9007199254740992}', '/body/safe: expected a number <= 9007199254740991, got number'],
    ['{"safe":-9007199254740993}', '/body/safe: expected a number >= -9007199254740991, got number'],
    ['{"any":9223372036854775808}', '/body/any: expected int64, got number'],
    ['{"maybe":1.5}', '/body/maybe: expected integer,null, got number'],
    ['{"either":1.5}', '/body/either: expected integer, got number'],
    ['{"measure":0.5}', '/body/measure: expected integer, got number'],
    ['{"owner":{"id":"1"}}', '/body/owner/id: expected integer, got string'],
    ['{"owner":{"name":1}}', '/body/owner/name: expected string, got number'],
    ['{"owner":{"id":9223372036854775808}}', '/body/owner/id: expected int64, got number'],
    ['{"gardens":[{"id":1.5}]}', '/body/gardens/0/id: expected integer, got number'],
    ['{"pair":["a",9223372036854775808]}', '/body/pair/1: expected int64, got number'],
    ['{"pair":["a",1,2]}', '/body/pair: expected what the contract says, got array'],
    ['{"counts":{"a/b~":1.5}}', '/body/counts/a~1b~0: expected integer, got number'],
    ['{"counts":{"\\u0000<script>🌵":1.5}}', '/body/counts/%00%3Cscript%3E%F0%9F%8C%B5: expected integer, got number'],
    ['{"numbered":{"n":1e400}}', '/body/numbered/n: expected int64, got number'],
  ])('%s is refused', async (body, message) => {
    expectError(await create(body), 40002, message);
    expect(seen).toBeUndefined();
  });
});

describe('an answer', () => {
  const get = () => ask(service.port, plantRequest(service, { line: 'GET /gardens/1 HTTP/1.1' }), 'GET');

  it.each<[given: object, text: string]>([
    [{ id: MAX }, '{"id":9223372036854775807}'],
    [{ id: -MAX - 1n }, '{"id":-9223372036854775808}'],
    [{ gardens: [{ id: 9007199254740993n }] }, '{"gardens":[{"id":9007199254740993}]}'],
    [{ measure: 1.5 }, '{"measure":1.5}'],
    [{ safe: 5 }, '{"safe":5}'],
  ])('%p is written exactly', async (given, text) => {
    answer = given;
    expect(await get()).toMatchObject({ status: 200, body: text });
  });

  it.each<[given: object, problem: string]>([
    [{ id: MAX + 1n }, '/id must match format \\"int64\\"'],
    [{ id: -MAX - 2n }, '/id must match format \\"int64\\"'],
    [{ positive: 0n }, '/positive must be >= 1'],
    [{ safe: 9007199254740992n }, '/safe must be <= 9007199254740991'],
    [{ id: '1' }, '/id must be integer'],
    [{ id: 1.5 }, '/id must be integer'],
    [{ id: Number.NaN }, '/id must be integer'],
  ])('%p is not sent', async (given, problem) => {
    service.logged.length = 0;
    answer = given;
    expectError(await get(), 50001, 'internal error');
    expect(JSON.stringify(service.logged)).toContain(problem);
  });
});
