/** An operation whose handler is not written yet: all that comes before the handler, and then 501 as the contract has its errors. */
import request from 'supertest';
import { stringify } from 'yaml';
import type { ErrorShape } from '../../../src/engine/errors/error-body';
import { notWritten, unwrittenIn } from '../../../src/engine/errors/not-written';
import { contractOf } from '../../support/contracts';
import { startServer, type TestServer } from '../../support/service';

/** A contract of one operation with a parameter, whose errors are of this schema. */
function serve(schema: object, statuses: string[], errorBody?: ErrorShape): Promise<TestServer> {
  const error = { description: 'No.', content: { 'application/json': { schema } } };
  const responses = { 200: { description: 'All.' }, ...Object.fromEntries(statuses.map((each) => [each, error])) };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
  const file = contractOf(
    stringify({
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1.0.0' },
      paths: { '/notes': { get: { operationId: 'getNotes', parameters: [limit], responses } } },
    }),
  );
  return startServer(file, { getNotes: notWritten('getNotes') }, { errorBody });
}

const fields = (properties: object): object => ({ type: 'object', required: Object.keys(properties), properties });
const plain = fields({ error: { type: 'integer' }, message: { type: 'string' } });

it('is validated, answered with 501 even if that is not declared, and told as a warning alone', async () => {
  const { server, logged } = await serve(plain, ['4XX', '500', '503', '505']);
  expect((await request(server).get('/notes?limit=many')).status).toBe(400);
  const { status, body } = await request(server).get('/notes');
  expect([status, body]).toEqual([501, { error: 50101, message: 'getNotes is not written yet' }]);
  const told = logged.filter(({ level }) => Number(level) > 30);
  expect(told).toMatchObject([{ level: 40, error: 50101, msg: 'getNotes is not written yet' }]);
});

it('has the code of another error of the server if the contract lists its codes without it', async () => {
  const codes = [40001, 40002, 40003, 40801, 41701, 43101, 50001, 50301, 50302, 50501];
  const schema = fields({ code: { type: 'integer', enum: codes }, message: { type: 'string' } });
  const errorBody: ErrorShape = { mediaType: 'application/json', body: ({ code, message }) => ({ code, message }) };
  const { server } = await serve(schema, ['4XX', '5XX'], errorBody);
  const { status, body } = await request(server).get('/notes');
  expect([status, body]).toEqual([501, { code: 50001, message: 'getNotes is not written yet' }]);
});

it('is told from one that is written', () => {
  expect(unwrittenIn({ a: notWritten('a'), b: async () => ({ status: 204 }) })).toEqual(['a']);
});
