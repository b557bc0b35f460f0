/** Ids of requests in the answers that a contract declares with them, as those of banks do. */
import request from 'supertest';
import { ApiError } from '../../../src/engine/errors/api-error';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { contractOf } from '../../support/contracts';
import { startServer, type TestServer } from '../../support/service';

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const ANY_UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/) as unknown;

const TEXT = `
paths:
  /accounts:
    get:
      operationId: listAccounts
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '204': { description: All., headers: { X-Request-ID: { required: true, schema: { type: string, format: uuid } } } }
        '400':
          description: Wrong.
          headers:
            x-fapi-interaction-id: { required: true, schema: { type: string } }
            X-Correlation-Id: { required: true, schema: { $ref: '#/components/schemas/Number' } }
            X-Session-Id: { required: true, schema: { type: string, format: uuid } }
            X-Trace-Id: { schema: { type: string } }
            Grid: { required: true, schema: { type: string } }
            Retry-At: { required: true, schema: { type: string } }
components:
  schemas: { Number: { type: string, pattern: '^c-[0-9]+$' } }
`;
const contract = contractOf(TEXT);
const withoutOwn = TEXT.replace('X-Request-ID: { required: true, ', 'X-Other: { ');

let server: TestServer['server'];
beforeAll(async () => {
  ({ server } = await startServer(contract, { listAccounts: () => ({ status: 204 }) }));
});

const refused = (headers: Record<string, string>) => request(server).get('/accounts?limit=x').set(headers);

it.each([
  ['the id of the request', {}, undefined],
  ['the id that came', { 'x-fapi-interaction-id': 'web-7' }, 'web-7'],
  ['the id of the request for one that is none', { 'x-fapi-interaction-id': 'a b' }, undefined],
])('an error that requires another id has %s', async (_what, sent, id) => {
  const { status, headers } = await refused(sent);
  const { 'x-request-id': own, 'x-fapi-interaction-id': other } = headers;
  expect([status, own, other]).toEqual([400, ANY_UUID, id ?? own]);
});

it('an error has a new id where that of the request does not fit', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const plain = await startServer(contractOf(withoutOwn), { listAccounts: () => ({ status: 204 }) });
  const { headers } = await request(plain.server).get('/accounts?limit=x').set({ traceparent });
  expect([headers['x-request-id'], headers['x-session-id']]).toEqual([traceparent.slice(3, 35), ANY_UUID]);
});

it('an error has no id that its schema refuses, and none that is not required', async () => {
  const { headers } = await refused({ 'X-Correlation-Id': 'x', 'X-Trace-Id': 'web-1' });
  expect([headers['x-correlation-id'], headers['x-trace-id'], headers.grid]).toEqual([undefined, undefined, undefined]);
  expect((await refused({ 'X-Correlation-Id': 'c-1' })).headers['x-correlation-id']).toBe('c-1');
});

it.each([
  [UUID, UUID],
  ['web-1', ANY_UUID],
])('a request that is called %s has an id that its contract allows', async (sent, id) => {
  for (const answer of [request(server).get('/accounts'), request(server).get('/nowhere')])
    expect((await answer.set('X-Request-ID', sent)).headers['x-request-id']).toEqual(id);
});

it('the start tells of headers that errors require, and the server does not have', () => {
  const { warnings } = loadContract(contract, { handlers: ['listAccounts'], verifiers: {}, canRead: () => true });
  const without = (name: string): string =>
    `400 of the server itself is without the required ${name}: expected it not to be required`;
  expect(warnings.filter((line) => line.includes('required'))).toEqual([
    expect.stringContaining(without('X-Correlation-Id')),
    expect.stringContaining(without('Grid')),
    expect.stringContaining(without('Retry-At')),
  ]);
});

it('the start tells of headers of errors that the server has with another value', () => {
  const file = contractOf(`
paths:
  /accounts:
    get:
      operationId: listAccounts
      responses:
        '204': { description: None., headers: { Cache-Control: { schema: { const: no-cache } } } }
        '400': { description: Wrong., headers: { cache-control: { schema: { const: no-cache } }, X-Content-Type-Options: { schema: { enum: [nosniff] } } } }
`);
  const { warnings } = loadContract(file, { handlers: ['listAccounts'], verifiers: {}, canRead: () => true });
  expect(warnings.filter((line) => line.includes('fit'))).toEqual([
    expect.stringContaining('400 of the server itself has `cache-control: no-store`, which does not fit'),
  ]);
});

it('the start tells of no header that the server has, and of ids that no UUID fits', () => {
  const required = '{ required: true, schema: { type: string } }';
  const file = contractOf(`
paths:
  /accounts:
    post:
      operationId: addAccount
      requestBody: { content: { application/json: {} } }
      responses:
        '204': { description: Added. }
        '400': { description: Wrong., headers: { X-Request-Id: { schema: { type: integer } } } }
        '415': { description: Another type., headers: { Accept: ${required} } }
        '503': { description: Later., headers: { Retry-After: ${required} } }
        default: { description: Any other., headers: { Retry-After: ${required} } }
`);
  const { warnings } = loadContract(file, { handlers: ['addAccount'], verifiers: {}, canRead: () => true });
  expect(warnings.filter((line) => /required|UUID/.test(line))).toEqual([
    expect.stringContaining('X-Request-Id is the id of the request in each answer, a UUID, which does not fit'),
    expect.stringMatching(/^\S+ \(addAccount\) [\d, ]+ of the server itself is without the required Retry-After/),
  ]);
});

it('an error of a handler keeps the id that the handler gives it', async () => {
  const own = await startServer(contract, {
    listAccounts: () => {
      throw new ApiError(400_71, 'no', { headers: { 'x-fapi-interaction-id': 'mine' } });
    },
  });
  expect((await request(own.server).get('/accounts')).headers['x-fapi-interaction-id']).toBe('mine');
});
