/** Numbers as requests and answers write them, handlers have them, and the rules of a contract compare them. */
import Ajv2020 from 'ajv/dist/2020';
import { ExactNumber } from '../../../src/engine/json/number';
import { exactKeywords } from '../../../src/engine/schema/exact-number';
import { Steps } from '../../../src/engine/schema/steps';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

const INT64 = 'int64 (an integer from -9223372036854775808 to 9223372036854775807)';
const INT32 = 'int32 (an integer from -2147483648 to 2147483647)';
const SAFE = 'an integer from -9007199254740991 to 9007199254740991';
const MAX = 9223372036854775807n;

/** What the handler answers, where it does not send back what it got. */
let answer: unknown;
beforeEach(() => (answer = undefined));
const noting = notingService(
  `
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
          headers:
            X-Revision: { schema: { type: integer, format: int64 } }
            x-exact: { schema: { type: integer, format: int64 } }
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
        card: { type: number, format: int64 }
        either: { oneOf: [{ type: integer, format: int64 }, { type: string }] }
        measure: { anyOf: [{ type: integer, format: int64 }, { type: number, minimum: 1 }] }
        owner: { $ref: '#/components/schemas/NamedAndNumbered' }
        gardens: { type: array, items: { $ref: '#/components/schemas/Garden' } }
        pair: { type: array, prefixItems: [{ type: string }, { type: integer, format: int64 }], items: false, minItems: 2 }
        counts: { type: object, additionalProperties: { type: integer, format: int64 } }
        numbered: { type: object, patternProperties: { '^n': { type: integer, format: int64 } } }
        conditional: { if: { type: integer }, then: { type: integer, format: int64 } }
        settings: { type: object, properties: { size: { type: integer, format: int64, default: 7 } } }
        int32: { type: integer, format: int32 }
        integer: { type: integer }
`,
  ({ header, body }) => {
    const revision: unknown = Reflect.get(header, 'X-Revision');
    const headers = revision === undefined ? undefined : { 'X-Revision': revision, 'x-exact': revision };
    return { status: 200, ...(headers && { headers }), body: answer ?? body };
  },
);

describe('a parameter', () => {
  const find = (target: string, headers = {}) => {
    answer = {};
    return noting.get(target, headers);
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
    expect(noting.seen).toMatchObject({ path, query, header: {} });
    expect(Object.keys(noting.seen?.query ?? {})).toEqual(Object.keys(query));
  });

  it.each<[target: string, message: string]>([
    ['/gardens/9223372036854775808', `/path/id: expected ${INT64}, got 9223372036854775808`],
    ['/gardens/-9223372036854775809', `/path/id: expected ${INT64}, got -9223372036854775809`],
    ['/gardens/1e1000000000', `/path/id: expected ${INT64}, got 1e1000000000`],
    ['/gardens/1.5', '/path/id: expected integer, got 1.5'],
    ['/gardens/1.0000000000000000001', '/path/id: expected integer, got 1.0000000000000000001'],
    ['/gardens/0x10', '/path/id: expected integer, got "0x10"'],
    ['/gardens/%205', '/path/id: expected integer, got " 5"'],
    ['/gardens/+5', '/path/id: expected integer, got "+5"'],
    ['/gardens/05', '/path/id: expected integer, got "05"'],
    ['/gardens/5n', '/path/id: expected integer, got "5n"'],
    ['/gardens/Infinity', '/path/id: expected integer, got "Infinity"'],
    ['/gardens/%D9%A3', '/path/id: expected integer, got "٣"'],
    ['/gardens/true', '/path/id: expected integer, got "true"'],
    ['/gardens/null', '/path/id: expected integer, got "null"'],
    ['/gardens/1%2F2', '/path/id: expected integer, got "1/2"'],
    ['/gardens/1?after=9223372036854775808', `/query/after: expected ${INT64}, got 9223372036854775808`],
    ['/gardens/1?after=', '/query/after: expected integer, got ""'],
    ['/gardens/1?after', '/query/after: expected integer, got ""'],
    ['/gardens/1?after=1&after=2', '/query/after: expected a parameter once, got it twice'],
    ['/gardens/1?after[]=1', '/query/after%5B%5D: expected no parameter of this name, got one'],
    ['/gardens/1?ids=1&ids=x', '/query/ids/1: expected integer, got "x"'],
    ['/gardens/1?ids=1&ids=9223372036854775808', `/query/ids/1: expected ${INT64}, got 9223372036854775808`],
    ['/gardens/1?some=1,,2', '/query/some/1: expected integer, got ""'],
    ['/gardens/1?some=1,9223372036854775808', `/query/some/1: expected ${INT64}, got 9223372036854775808`],
    ['/gardens/1?limit=0', '/query/limit: expected a number >= 1, got 0'],
    ['/gardens/1?limit=2147483648', `/query/limit: expected ${INT32}, got 2147483648`],
    ['/gardens/1?limit=1e400', `/query/limit: expected ${INT32}, got 1e400`],
    ['/gardens/1?page=9007199254740993', `/query/page: expected ${SAFE}, got 9007199254740993`],
    ['/gardens/1?area=0x10', '/query/area: expected number, got "0x10"'],
    ['/gardens/1?area=1e400', '/query/area: expected number, got 1e400'],
    ['/gardens/1?other=1', '/query/other: expected no parameter of this name, got one'],
  ])('of %s is refused', async (target, message) => {
    expectError(await find(target), 40002, message);
    expect(noting.seen).toBeUndefined();
  });

  it('in a list of thousands is not lost', async () => {
    const list = Array.from({ length: 3_000 }, (_, index) => BigInt(index % 10));
    const target = `/gardens/1?${list.map((id) => `ids=${id}`).join('&')}`.slice(0, 16_000);
    expect(await find(target)).toMatchObject({ status: 200 });
    const { ids } = noting.seen?.query as { ids: bigint[] };
    expect(ids).toEqual(list.slice(0, ids.length));
    expect(ids.length).toBeGreaterThan(2_500);
  });

  it('that is not declared is found behind thousands that are', async () => {
    const target = `/gardens/1?${'ids=1&'.repeat(2_000)}other=1`;
    const message = '/query/other: expected no parameter of this name, got one';
    expectError(await find(target), 40002, message);
  });

  it.each<[text: string, revision: bigint]>([
    ['9223372036854775807', MAX],
    ['-9223372036854775808', -MAX - 1n],
    ['9.007199254740993e15', 9007199254740993n],
  ])('in a header is seen, and answered, as it was written: %s', async (text, revision) => {
    const found = await find('/gardens/1', { 'x-revision': text });
    const headers = { 'x-revision': String(revision), 'x-exact': String(revision) };
    expect(found).toMatchObject({ status: 200, headers });
    expect(noting.seen?.header).toEqual({ 'X-Revision': revision });
  });

  it.each([
    ['9223372036854775808', `/header/X-Revision: expected ${INT64}, got 9223372036854775808`],
    ['1.5', '/header/X-Revision: expected integer, got 1.5'],
    ['', '/header/X-Revision: expected integer, got ""'],
    ['1, 2', '/header/X-Revision: expected integer, got "1, 2"'],
  ])('in a header is refused: %p', async (text, message) => {
    expectError(await find('/gardens/1', { 'X-Revision': text }), 40002, message);
    expect(noting.seen).toBeUndefined();
  });
});

describe('a body', () => {
  const create = (body: string) => noting.send('/gardens', body);

  it.each<[body: string, seen: object]>([
    ['{"id":9223372036854775807}', { id: MAX }],
    ['{"positive":9223372036854775807}', { positive: MAX }],
    ['{"safe":9007199254740991}', { safe: 9007199254740991n }],
    ['{"any":-9223372036854775808}', { any: -MAX - 1n }],
    ['{"maybe":null}', { maybe: null }],
    ['{"card":9007199254740993}', { card: 9007199254740993n }],
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
    expect(noting.seen?.body).toEqual(expected);
  });

  it.each<[name: string, text: string, number: number | bigint]>([
    ['int32', '-2147483648', -2147483648],
    ['int32', '1.0', 1],
    ['int32', '2.147483647e9', 2147483647],
    ['integer', '9007199254740991', 9007199254740991],
    ['integer', '-9.007199254740991e15', -9007199254740991],
    ['id', '-9223372036854775808', -MAX - 1n],
    ['id', '-9007199254740993', -9007199254740993n],
    ['id', '1.0', 1n],
    ['id', '1e3', 1000n],
    ['id', '-1E+3', -1000n],
    ['id', '20e-1', 2n],
    ['id', '0.07E2', 7n],
    ['id', '-9.223372036854775807e18', -MAX],
    ['id', '92233720368547758070e-1', MAX],
    ['id', '0.000000000000000009007199254740995e33', 9007199254740995n],
    ['id', '-0', 0n],
    ['id', '0e999999999', 0n],
    ['id', '0.0000000000000000000', 0n],
  ])('with the %s %s has the number %s', async (name, text, number) => {
    expect(await create(`{"${name}":${text}}`)).toMatchObject({ status: 200, body: `{"${name}":${number}}` });
    expect(noting.seen?.body).toEqual({ [name]: number });
  });

  it.each(['1e400', '-1e400', '1e1000000000', '9223372036854775808', '1.0000000000000000001', '1e-400'])(
    'may have the number %s where the contract names no property',
    async (number) => {
      answer = {};
      expect(await create(`{"id":8,"price":${number},"ids":{"id":[${number}]}}`)).toMatchObject({ status: 200 });
      expect(noting.seen?.body).toMatchObject({ id: 8n });
    },
  );

  it('is answered with a number beyond all doubles as it was sent', async () => {
    expect(await create('{"id":8,"price":-1e400}')).toMatchObject({ status: 200, body: '{"id":8,"price":-1e400}' });
  });

  it('is given the default of an int64 as an int64', async () => {
    expect(await create('{"settings":{}}')).toMatchObject({ status: 200, body: '{"settings":{"size":7}}' });
    expect(noting.seen?.body).toEqual({ settings: { size: 7n } });
  });

  it.each<[body: string, message: string]>([
    ['{"positive":0}', '/body/positive: expected a number >= 1, got 0'],
    ['{"positive":-9223372036854775808}', '/body/positive: expected a number >= 1, got -9223372036854775808'],
    ['{"safe":9007199254740992}', '/body/safe: expected a number <= 9007199254740991, got 9007199254740992'],
    ['{"safe":-9007199254740993}', '/body/safe: expected a number >= -9007199254740991, got -9007199254740993'],
    ['{"any":9223372036854775808}', '/body/any: expected a number <= 9223372036854775807, got 9223372036854775808'],
    ['{"card":1.5}', `/body/card: expected ${INT64}, got 1.5`],
    ['{"maybe":1.5}', '/body/maybe: expected integer or null, got 1.5'],
    ['{"either":1.5}', '/body/either: expected integer or string, got 1.5'],
    ['{"measure":0.5}', '/body/measure: expected integer or a number >= 1, got 0.5'],
    ['{"owner":{"id":"1"}}', '/body/owner/id: expected integer, got "1"'],
    ['{"owner":{"name":1}}', '/body/owner/name: expected string, got 1'],
    ['{"owner":{"id":9223372036854775808}}', `/body/owner/id: expected ${INT64}, got 9223372036854775808`],
    ['{"id":9.223372036854775808e18}', `/body/id: expected ${INT64}, got 9.223372036854775808e18`],
    ['{"id":-9223372036854775809}', `/body/id: expected ${INT64}, got -9223372036854775809`],
    ['{"id":1e400}', `/body/id: expected ${INT64}, got 1e400`],
    ['{"id":-1e1000000000}', `/body/id: expected ${INT64}, got -1e1000000000`],
    ['{"id":1e-1000000000}', '/body/id: expected integer, got 1e-1000000000'],
    ['{"id":1.0000000000000000001}', '/body/id: expected integer, got 1.0000000000000000001'],
    ['{"id":9223372036854775807.5}', '/body/id: expected integer, got 9223372036854775807.5'],
    ['{"id":true}', '/body/id: expected integer, got true'],
    ['{"id":null}', '/body/id: expected integer, got null'],
    ['{"id":[1]}', '/body/id: expected integer, got array'],
    ['{"id":{"id":1}}', '/body/id: expected integer, got object'],
    ['{"gardens":[{"id":1.5}]}', '/body/gardens/0/id: expected integer, got 1.5'],
    ['{"pair":["a",9223372036854775808]}', `/body/pair/1: expected ${INT64}, got 9223372036854775808`],
    ['{"int32":2147483648}', `/body/int32: expected ${INT32}, got 2147483648`],
    ['{"int32":-2147483649}', `/body/int32: expected ${INT32}, got -2147483649`],
    ['{"int32":1e1000000000}', `/body/int32: expected ${INT32}, got 1e1000000000`],
    ['{"int32":2147483647.5}', '/body/int32: expected integer, got 2147483647.5'],
    ['{"int32":1.0000000000000000001}', '/body/int32: expected integer, got 1.0000000000000000001'],
    ['{"integer":9007199254740991.5}', '/body/integer: expected integer, got 9007199254740991.5'],
    ['{"integer":9007199254740992}', `/body/integer: expected ${SAFE}, got 9007199254740992`],
    ['{"integer":1e300}', `/body/integer: expected ${SAFE}, got 1e300`],
    ['{"pair":["a",1,2]}', '/body/pair: expected what the contract says, got array'],
    ['{"counts":{"a/b~":1.5}}', '/body/counts/a~1b~0: expected integer, got 1.5'],
    ['{"counts":{"\\u0000<script>🌵":1.5}}', '/body/counts/%00%3Cscript%3E%F0%9F%8C%B5: expected integer, got 1.5'],
    ['{"numbered":{"n":1e400}}', `/body/numbered/n: expected ${INT64}, got 1e400`],
  ])('%s is refused', async (body, message) => {
    expectError(await create(body), 40002, message);
    expect(noting.seen).toBeUndefined();
  });

  it.each([
    ['an integer', '9'.repeat(100_000), INT64],
    ['a fraction', `0.${'0'.repeat(100_000)}1`, 'integer'],
    ['an exponent', `1e${'9'.repeat(100_000)}`, INT64],
    ['a negative exponent', `1e-${'9'.repeat(100_000)}`, 'integer'],
  ])('with %s of 100,000 digits is refused', async (_what, text, expected) => {
    const message = `/body/id: expected ${expected}, got ${text.slice(0, 40)}...`;
    expectError(await create(`{"id":${text}}`), 40002, message);
    expect(noting.seen).toBeUndefined();
  });

  it('with an integer of 100,000 zeros behind its point has the integer', async () => {
    expect(await create(`{"id":7.${'0'.repeat(100_000)}}`)).toMatchObject({ status: 200, body: '{"id":7}' });
  });
});

describe('an answer', () => {
  const get = () => noting.get('/gardens/1');

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
    [{ id: MAX + 1n }, `/id: expected ${INT64}`],
    [{ id: -MAX - 2n }, `/id: expected ${INT64}`],
    [{ positive: 0n }, '/positive: expected a number >= 1'],
    [{ safe: 9007199254740992n }, '/safe: expected a number <= 9007199254740991'],
    [{ id: '1' }, '/id: expected integer'],
    [{ id: 1.5 }, '/id: expected integer'],
    [{ id: Number.NaN }, '/id: expected integer'],
  ])('%p is not sent', async (given, problem) => {
    noting.service.logged.length = 0;
    answer = given;
    expectError(await get(), 50001, 'internal error');
    expect(JSON.stringify(noting.service.logged)).toContain(problem);
  });
});

describe('rules for numbers that a double cannot hold', () => {
  let given: unknown;
  beforeEach(() => (given = undefined));
  const rules = notingService(
    `
paths:
  /rules:
    post:
      operationId: check
      parameters:
        - { name: flag, in: query, schema: { oneOf: [{ type: integer, format: int64 }, { type: boolean }] } }
        - { name: count, in: query, schema: { oneOf: [{ type: integer }, { type: boolean }, { type: 'null' }] } }
        - { name: both, in: query, schema: { allOf: [{ $ref: '#/components/schemas/Id' }, { type: number, minimum: 9007199254740993 }] } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Rules' } } } }
      responses:
        '200': { description: The same., content: { application/json: { schema: { $ref: '#/components/schemas/Rules' } } } }
components:
  schemas:
    Id: { type: integer, format: int64 }
    Rules:
      type: object
      properties:
        bounded: { type: integer, format: int64, minimum: -9007199254740993, maximum: 9007199254740993 }
        open: { type: integer, format: int64, exclusiveMinimum: 9007199254740992, exclusiveMaximum: 9007199254740994 }
        listed: { type: integer, format: int64, enum: [1, 9007199254740993] }
        fixed: { const: 9007199254740993 }
        nested: { enum: [{ id: 9007199254740993 }] }
        third: { type: integer, format: int64, multipleOf: 3 }
        cents: { type: number, multipleOf: 0.01 }
        ids: { type: array, uniqueItems: true, items: { type: integer, format: int64 } }
        anything: { type: array, uniqueItems: true }
        first: { anyOf: [{ type: number }, { type: integer, format: int64 }] }
        number: { type: number }
        numberAndId: { allOf: [{ type: number }, { $ref: '#/components/schemas/Id' }] }
`,
    ({ body }) => ({ status: 200, body: given ?? body }),
  );
  const check = (text: string, target = '/rules') => rules.send(target, text);

  it.each<[body: string, seen: object]>([
    ['{"bounded":9007199254740993}', { bounded: 9007199254740993n }],
    ['{"bounded":-9007199254740993}', { bounded: -9007199254740993n }],
    ['{"open":9007199254740993}', { open: 9007199254740993n }],
    ['{"listed":9007199254740993}', { listed: 9007199254740993n }],
    ['{"listed":1.0}', { listed: 1n }],
    ['{"third":9007199254740993}', { third: 9007199254740993n }],
    ['{"third":-9}', { third: -9n }],
    ['{"third":0}', { third: 0n }],
    ['{"cents":1.1}', { cents: 1.1 }],
    ['{"cents":4.35}', { cents: 4.35 }],
    ['{"ids":[9007199254740992,9007199254740993,1]}', { ids: [9007199254740992n, 9007199254740993n, 1n] }],
    ['{"anything":[1,"1",[1],{"a":1},true,null]}', { anything: [1, '1', [1], { a: 1 }, true, null] }],
    ['{"first":9007199254740993}', { first: 9007199254740993n }],
    ['{"first":0.5}', { first: 0.5 }],
    ['{"number":1e308}', { number: 1e308 }],
    ['{"numberAndId":9007199254740993}', { numberAndId: 9007199254740993n }],
  ])('%s is accepted', async (text, expected) => {
    expect(await check(text)).toMatchObject({ status: 200 });
    expect(rules.seen?.body).toEqual(expected);
  });

  it.each<[body: string, seen: object]>([
    ['{"number":9007199254740993}', { number: 9007199254740992 }],
    ['{"number":4503599627370496.5}', { number: 4503599627370496 }],
    ['{"unnamed":9007199254740993}', { unnamed: 9007199254740992 }],
    ['{"fixed":9007199254740993}', { fixed: 9007199254740992 }],
    ['{"nested":{"id":9007199254740993}}', { nested: { id: 9007199254740992 } }],
  ])('%s is given to the handler as the nearest double: the contract does not say int64', async (text, expected) => {
    given = {};
    expect(await check(text)).toMatchObject({ status: 200 });
    expect(rules.seen?.body).toEqual(expected);
  });

  const faults: [body: string, place: string, broken: string][] = [
    ['{"bounded":9007199254740994}', 'bounded', 'a number <= 9007199254740993, got 9007199254740994'],
    ['{"bounded":-9007199254740994}', 'bounded', 'a number >= -9007199254740993, got -9007199254740994'],
    ['{"open":9007199254740992}', 'open', 'a number > 9007199254740992, got 9007199254740992'],
    ['{"open":9007199254740994}', 'open', 'a number < 9007199254740994, got 9007199254740994'],
    ['{"listed":9007199254740992}', 'listed', 'one of 1, 9007199254740993, got 9007199254740992'],
    ['{"fixed":9007199254740992}', 'fixed', '9007199254740993, got 9007199254740992'],
    ['{"third":9007199254740994}', 'third', 'a multiple of 3, got 9007199254740994'],
    ['{"cents":1.005}', 'cents', 'a multiple of 0.01, got 1.005'],
    ['{"ids":[9007199254740993,9007199254740993]}', 'ids', 'no two items to be equal, got array'],
    ['{"ids":[1,1.0]}', 'ids', 'no two items to be equal, got array'],
    ['{"anything":[{"a":1,"b":2},{"b":2e0,"a":1}]}', 'anything', 'no two items to be equal, got array'],
    ['{"number":1e400}', 'number', 'number, got 1e400'],
  ];

  it.each(faults)('%s is refused', async (text, place, broken) => {
    expectError(await check(text), 40002, `/body/${place}: expected ${broken}`);
    expect(rules.seen).toBeUndefined();
  });

  it.each<[answer: object, problem: string]>([
    [{ bounded: 9007199254740994n }, '/bounded: expected a number <= 9007199254740993'],
    [{ open: 9007199254740992n }, '/open: expected a number > 9007199254740992'],
    [{ listed: 9007199254740992n }, '/listed: expected one of 1, 9007199254740993'],
    [{ third: 9007199254740994n }, '/third: expected a multiple of 3'],
    [{ ids: [1n, 1n] }, '/ids: expected no two items to be equal'],
  ])('%p is not answered', async (answer, problem) => {
    rules.service.logged.length = 0;
    given = answer;
    expectError(await check('{}'), 50001, 'internal error');
    expect(JSON.stringify(rules.service.logged)).toContain(problem);
  });

  it.each<[target: string, seen: object]>([
    ['/rules?flag=true', { flag: true }],
    ['/rules?flag=false', { flag: false }],
    ['/rules?flag=1', { flag: 1n }],
    ['/rules?flag=9007199254740993', { flag: 9007199254740993n }],
    ['/rules?count=1', { count: 1 }],
    ['/rules?count=0', { count: 0 }],
    ['/rules?count=true', { count: true }],
    ['/rules?count=', { count: null }],
    ['/rules?both=9007199254740993', { both: 9007199254740993n }],
  ])('the parameter of %s is read as the one type that it can be', async (target, expected) => {
    expect(await check('{}', target)).toMatchObject({ status: 200 });
    expect(rules.seen?.query).toEqual(expected);
  });

  it.each([
    ['/rules?flag=yes', '/query/flag: expected integer or boolean, got "yes"'],
    ['/rules?count=1.5', '/query/count: expected integer or boolean or null, got 1.5'],
    ['/rules?both=9007199254740992', '/query/both: expected a number >= 9007199254740993, got 9007199254740992'],
  ])('the parameter of %s is refused', async (target, message) => {
    expectError(await check('{}', target), 40002, message);
  });
});

it('a rule is asked once of a value, also where it makes an error', () => {
  const steps = new Steps();
  const take = jest.spyOn(steps, 'take');
  const validate = new Ajv2020({ strict: false, keywords: exactKeywords(steps) }).compile({
    'x-exact': { maximum: 5 },
  });
  const long = new ExactNumber('9'.repeat(1_000));
  steps.begin(long);
  expect(validate(long)).toBe(false);
  expect(validate.errors).toMatchObject([{ message: 'must be <= 5', params: { rule: 'maximum' } }]);
  expect(take).toHaveBeenCalledTimes(1);
});
