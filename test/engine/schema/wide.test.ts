/** Schemas of as many properties as are served, and of more definitions and constants. */
import { notingService } from '../../support/noting-service';

const members = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => member(index)).join(', ');
const inner = `{ type: object, properties: { ${members(500, (n) => `p${n}: { type: integer, format: int64 }`)} } }`;

const noting = notingService(`
paths:
  /a: { post: { operationId: a, responses: { '204': { description: Done. } }, requestBody: { required: true, content: { application/json: { schema: {
    type: object, additionalProperties: false, $defs: { ${members(2_000, (n) => `D${n}: { type: string }`)} },
    properties: { ${members(498, (n) => `p${n}: { type: [string, 'null'], maxLength: 5 }`)},
      kind: { enum: [${members(2_000, (n) => `k${n}`)}] }, inner: ${inner} } } } } } } }
`);

it('are validated', async () => {
  const sent = '{"p497":"last","kind":"k1999","inner":{"p499":9223372036854775807}}';
  expect(await noting.send('/a', sent)).toMatchObject({ status: 204 });
  expect(noting.seen?.body).toEqual({ p497: 'last', kind: 'k1999', inner: { p499: 9223372036854775807n } });
  const { status, body } = await noting.send('/a', '{"p497":"too long","inner":{"p499":0.5}}');
  expect([status, JSON.parse(body)]).toEqual([
    400,
    { error: 40002, message: expect.stringMatching('/body/p497: .*/body/inner/p499: ') as unknown },
  ]);
});

it('find a value among those of a long enumeration at once, rather than compare it with each', async () => {
  const has = jest.spyOn(Set.prototype, 'has');
  const answer = await noting.send('/a', '{"kind":"k1234"}');
  const looked = has.mock.calls.filter(([value]) => value === 'k1234').length;
  has.mockRestore();
  expect([answer.status, looked]).toEqual([204, 1]);
  expect(await noting.send('/a', '{"kind":"k2000"}')).toMatchObject({
    status: 400,
    body: expect.stringContaining('/body/kind: expected one of ') as unknown,
  });
});
