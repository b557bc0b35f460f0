/** Operations of a service that have no handler yet: development mocks them, and says so; a start refuses. */
import request from 'supertest';
import { notWritten } from '../../../src/engine/errors/not-written';
import { mockMissing } from '../../../src/tools/mock/mocking';
import { contractOf } from '../../support/contracts';
import { serveEngine } from '../../support/engine/application';

const contract = contractOf(`
paths:
  /written: { get: { operationId: written, responses: { '200': { description: Done., content: { application/json: { example: 1 } } } } } }
  /later: { get: { operationId: later, responses: { '200': { description: To do., content: { application/json: { example: 4 } } } } } }
  /missing: { get: { operationId: missing, responses: { '200': { description: To do., content: { application/json: { example: 2 } } } } } }
`);
const service = {
  contract,
  handlers: { written: () => Promise.resolve({ status: 200, body: 3 }), later: notWritten('later') },
};

it('answers them with examples and Mock: true, and tells it at the start', async () => {
  const logged: string[] = [];
  const env = { PORT: '0', LOG_LEVEL: 'warn' };
  const running = await serveEngine(env, { logTo: { write: (line) => void logged.push(line) } }, mockMissing(service));
  try {
    const [written, missing] = [
      await request(running.baseUrl).get('/written'),
      await request(running.baseUrl).get('/missing'),
    ];
    expect([written.body, written.headers.mock, missing.body, missing.headers.mock]).toEqual([3, undefined, 2, 'true']);
    const later = await request(running.baseUrl).get('/later');
    expect([later.body, later.headers.mock]).toEqual([4, 'true']);
    expect(logged.join('')).toContain(
      'no handler yet, answered with examples of the contract and `Mock: true`: later, missing',
    );
  } finally {
    await running.close();
  }
});

it('refuses to start without mocks for them', async () => {
  await expect(serveEngine({ PORT: '0', LOG_LEVEL: 'silent' }, {}, service)).rejects.toThrow(
    'operation missing has no handler',
  );
});
