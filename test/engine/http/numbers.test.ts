/** Ids of 64 bits, from the bytes of a request to the store; other numbers are in schema/exact-number.test.ts. */
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
  const create = (body: string) => ask(service.port, plantRequest(service, { body }));

  it.each([
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['-1E+3', -1000n],
    ['20e-1', 2n],
    ['-9.223372036854775807e18', -9223372036854775807n],
    ['0.000000000000000009007199254740995e33', 9007199254740995n],
  ])('keeps the id %s exactly', async (text, id) => {
    const name = `Ficus ${text}`;
    const answer = await create(`{"id":${text},"name":"${name}"}`);
    expect(answer).toMatchObject({ status: 200, body: `{"name":"${name}"}` });
    expect(service.rows().filter((row) => row.name === name)).toEqual([{ id, name, tag: null }]);
  });

  it.each([
    ['92233720368547758070e-1', '9223372036854775807'],
    ['0.07E2', '7'],
    ['-0', '0'],
    ['0e999999999', '0'],
    ['0.0000000000000000000', '0'],
    [`7.${'0'.repeat(100_000)}`, '7'],
  ])('takes an id in another spelling for what it is (%#)', async (text, plain) => {
    const name = `Ficus ${plain}`;
    await create(`{"id":${plain},"name":"${name}"}`);
    const rows = service.rows();
    expect(rows).toContainEqual({ id: BigInt(plain), name, tag: null });
    expect((await create(`{"id":${text},"name":"${name}"}`)).status).toBe(200);
    expect(service.rows()).toEqual(rows);
  });

  it.each<[text: string, expected: string, got?: string]>([
    ['9223372036854775808', INT64],
    ['-9223372036854775809', INT64],
    ['9.223372036854775808e18', INT64],
    ['1e400', INT64],
    ['-1e1000000000', INT64],
    ['1e-1000000000', 'integer'],
    ['1.5', 'integer'],
    ['1.0000000000000000001', 'integer'],
    ['9223372036854775807.5', 'integer'],
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
    expectError(await create(`{"id":${id},"name":"Ficus"}`), 40002, message);
    expect(service.rows()).toEqual(rows);
  }

  it.each(['1e400', '-1e400', '1e1000000000', '9223372036854775808', '1.0000000000000000001', '1e-400'])(
    'takes the number %s where the contract names no property',
    async (number) => {
      const answer = await create(`{"id":8,"name":"Ficus","price":${number},"ids":{"id":[${number}]}}`);
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Ficus"}' });
      expect(service.rows()).toContainEqual({ id: 8n, name: 'Ficus', tag: null });
    },
  );
});
