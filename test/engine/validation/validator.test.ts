/** What decides on requests: the same the second time, and of defaults what a value lacks that is valid without them. */
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { startService, type TestService } from '../../support/service';

const contract = contractOf(`
openapi: 3.1.0
info: { title: Gardens, version: 1.0.0 }
paths:
  /beds:
    post:
      operationId: addBed
      requestBody:
        required: true
        content:
          application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Rows' }, { $ref: '#/components/schemas/Bed' }] } }
      responses: { '204': { description: It is there. } }
  /counts:
    post:
      operationId: count
      requestBody: &count { required: true, content: { application/json: { schema: { type: integer, format: int64 } } } }
      responses: { '204': { description: It is counted. } }
  /counts/{bed}:
    post:
      operationId: countIn
      parameters: [{ name: bed, in: path, required: true, schema: { type: string } }]
      requestBody: *count
      responses: { '204': { description: It is counted. } }
components:
  schemas:
    Rows: { type: object, required: [rows], properties: { rows: { $ref: '#/components/schemas/Count' } } }
    Bed:
      type: object
      required: [name]
      properties: { name: { type: string }, rows: { $ref: '#/components/schemas/Count', default: 1 } }
    Count: { type: integer, items: { $ref: '#/components/schemas/Count' } }
`);

let bodies: unknown[] = [];
let service: TestService;
beforeAll(async () => {
  const keep = ({ body }: AnyRequest) => {
    bodies.push(body);
    return { status: 204 };
  };
  service = await startService({
    contract,
    verifiers: {},
    handlers: handlersOf({ addBed: keep, count: keep, countIn: keep }),
  });
});
beforeEach(() => (bodies = []));
afterAll(() => service.close());

async function send(path: string, body: string) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { method: 'POST', headers, body });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
}

it('refuses a body each time that is valid only with the defaults of a branch that it does not fit', async () => {
  for (const _time of ['first', 'second', 'third'])
    expectError(await send('/beds', '{}'), 40002, '/body/rows: expected a value, got nothing');
  expect(bodies).toEqual([]);
});

it.each(['/counts', '/counts/7'])(
  'gives the handler of %s a body that is an int64 itself exactly, each time',
  async (path) => {
    for (const body of ['9223372036854775807', '9007199254740993', '5'])
      expect(await send(path, body)).toMatchObject({ status: 204, body: '' });
    expect(bodies).toEqual([9223372036854775807n, 9007199254740993n, 5n]);
  },
);
