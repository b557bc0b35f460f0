import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask, plantRequest } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

/** How ids are refused: for what they are, or for being beyond int64. */
const INT64 = 'int64 (an integer from -9223372036854775808 to 9223372036854775807)';

describe('POST /plants', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['-1E+3', -1000n],
    ['20e-1', 2n],
    ['-0', 0n],
    ['-9.223372036854775807e18', -9223372036854775807n],
    ['0.000000000000000009007199254740995e33', 9007199254740995n],
  ])('keeps the id %s exactly', async (text, id) => {
    const name = `Ficus ${text}`;
    const answer = await service.create(`{"id":${text},"name":"${name}"}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(`{"name":"${name}"}`);
    expect(service.rows().filter((row) => row.name === name)).toEqual([{ id, name, tag: null }]);
  });

  it.each([
    ['9.223372036854775807e18', '9223372036854775807'],
    ['92233720368547758070e-1', '9223372036854775807'],
    ['7.0', '7'],
    ['70e-1', '7'],
    ['0.07E2', '7'],
  ])('takes the id %s for %s', async (text, plain) => {
    await repeats(text, plain);
  });

  it('takes an id with 100,000 zeros behind the point for what it is', async () => {
    await repeats(`7.${'0'.repeat(100_000)}`, '7');
  });

  async function repeats(text: string, plain: string): Promise<void> {
    const name = `Ficus ${plain}`;
    await service.create(`{"id":${plain},"name":"${name}"}`);
    const rows = service.rows();
    expect(rows).toContainEqual({ id: BigInt(plain), name, tag: null });
    const answer = await service.create(`{"id":${text},"name":"${name}"}`);
    expect(answer.status).toBe(200);
    expect(service.rows()).toEqual(rows);
  }

  it.each<[text: string, expected: string, got?: string]>([
    ['9223372036854775808', INT64],
    ['-9223372036854775809', INT64],
    ['9.223372036854775808e18', INT64],
    ['1e300', INT64],
    ['1e400', INT64],
    ['-1e400', INT64],
    ['1e1000000000', INT64],
    ['-1e1000000000', INT64],
    ['1e-1000000000', 'integer'],
    ['1.5', 'integer'],
    ['1.0000000000000000001', 'integer'],
    ['9007199254740993.5', 'integer'],
    ['9223372036854775807.5', 'integer'],
    ['"5"', 'integer'],
    ['"9223372036854775807"', 'integer'],
    ['true', 'integer'],
    ['null', 'integer'],
    ['[1]', 'integer', 'array'],
    ['{"id":1}', 'integer', 'object'],
  ])('refuses the id %s, and stores nothing', async (text, expected, got = text) => {
    await refuses(text, `/body/id: expected ${expected}, got ${got}`);
  });

  it.each([
    ['an integer of 100,000 digits', '9'.repeat(100_000), INT64],
    ['a fraction of 100,000 digits', `0.${'0'.repeat(100_000)}1`, 'integer'],
    ['an exponent of 100,000 digits', `1e${'9'.repeat(100_000)}`, INT64],
    ['a negative exponent of 100,000 digits', `1e-${'9'.repeat(100_000)}`, 'integer'],
  ])('refuses %s as an id, and stores nothing', async (_what, text, expected) => {
    await refuses(text, `/body/id: expected ${expected}, got ${text.slice(0, 40)}...`);
  });

  async function refuses(id: string, message: string): Promise<void> {
    const rows = service.rows();
    const answer = await service.create(`{"id":${id},"name":"Ficus"}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: 40002, message });
    expect(service.rows()).toEqual(rows);
  }

  it.each(['1e400', '-1e400', '1e1000000000', '9223372036854775808', '1.0000000000000000001', '1e-400'])(
    'takes the number %s where the contract names no property',
    async (number) => {
      const answer = await service.create(`{"id":8,"name":"Ficus","price":${number},"ids":{"id":[${number}]}}`);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe('{"name":"Ficus"}');
      expect(service.rows()).toContainEqual({ id: 8n, name: 'Ficus', tag: null });
    },
  );
});

const INT32 = 'int32 (an integer from -2147483648 to 2147483647)';

describe('a body of other numbers', () => {
  const contract = contractOf(`
openapi: 3.1.0
info: { title: Numbers, version: 1.0.0 }
paths:
  /plants:
    post:
      operationId: echo
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Numbers' } } } }
      responses:
        '200': { description: What came., content: { application/json: { schema: { $ref: '#/components/schemas/Numbers' } } } }
components:
  schemas:
    Numbers:
      type: object
      properties:
        int32: { type: integer, format: int32 }
        integer: { type: integer }
        number: { type: number }
`);
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      contract,
      verifiers: {},
      handlers: handlersOf({ echo: ({ body }) => ({ status: 200, body }) }),
    });
  });
  afterAll(() => service.close());

  it.each([
    ['int32', '2147483647', '2147483647'],
    ['int32', '-2147483648', '-2147483648'],
    ['int32', '1.0', '1'],
    ['int32', '1e3', '1000'],
    ['int32', '2.147483647e9', '2147483647'],
    ['integer', '9007199254740991', '9007199254740991'],
    ['integer', '-9.007199254740991e15', '-9007199254740991'],
    ['number', '1.5', '1.5'],
    ['number', '1e308', '1e+308'],
  ])('with the %s %s is taken', async (name, text, echoed) => {
    const answer = await ask(service.port, plantRequest(service, { body: `{"${name}":${text}}` }));
    expect(answer).toMatchObject({ status: 200, body: `{"${name}":${echoed}}` });
  });

  it.each([
    ['int32', '2147483648', INT32],
    ['int32', '-2147483649', INT32],
    ['int32', '9223372036854775807', INT32],
    ['int32', '1e300', INT32],
    ['int32', '1e400', INT32],
    ['int32', '1e1000000000', INT32],
    ['int32', '1.5', 'integer'],
    ['int32', '2147483647.5', 'integer'],
    ['int32', '1.0000000000000000001', 'integer'],
    ['integer', '9007199254740991.5', 'integer'],
    ['number', '1e400', 'number'],
  ])('with the %s %s is refused', async (name, text, expected) => {
    const answer = await ask(service.port, plantRequest(service, { body: `{"${name}":${text}}` }));
    const message = `/body/${name}: expected ${expected}, got ${text}`;
    expectError(answer, 40002, message);
  });

  it.each(['9007199254740992', '-9007199254740993', '1e300'])(
    'with the integer %s is refused, which a handler would get rounded',
    async (text) => {
      const answer = await ask(service.port, plantRequest(service, { body: `{"integer":${text}}` }));
      const message = `/body/integer: expected an integer from -9007199254740991 to 9007199254740991, got ${text}`;
      expectError(answer, 40002, message);
    },
  );
});
