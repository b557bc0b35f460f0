/** Only the contract is served: all requests go through the same stages, and the contract's examples are answered as declared. */
import { pino } from 'pino';
import { createApp } from '../../src/engine/app';
import { bearer } from '../../src/engine/auth/bearer';
import { loadContract } from '../../src/engine/rules/load-contract';
import { handlersOn } from '../../src/handlers';
import { ourContract, startOurService } from '../plants/support/our-service';
import { canRead } from '../../src/engine/http/media-type';

const verifiers = { bearerAuth: bearer({ tokens: { verify: () => null }, realm: 'x' }) };
const handlers = handlersOn({
  add: () => Promise.resolve(),
  page: () => Promise.resolve([]),
  find: () => Promise.resolve(new Map()),
});
const contract = loadContract(ourContract, { handlers: Object.keys(handlers), verifiers, canRead });

it('has one route for all requests, with all stages in their order', async () => {
  const log = pino({ level: 'silent' });
  const options = {
    contract,
    handlers,
    verifiers,
    basePath: '',
    bodyBytesMax: 1,
    enforceAnswers: true,
    log,
  };
  const app = await createApp(options);
  const routes = app.router.stack.map(({ name, route }) =>
    route ? `${route.path}: ${route.stack.map((stage) => stage.name).join(', ')}` : name,
  );
  expect(routes).toEqual([
    '/^/: observeRequests, logRequest, refuseMalformed, allowOrigin, serveNoDocumentation, match, ' +
      'authenticateRequest, readRequestBody, validate, dispatchRequest',
    'namePathsInError',
    'writeError',
  ]);
});

it("answers the contract's own examples with what it declares", async () => {
  const service = await startOurService();
  try {
    for (const { method, path, requestBody } of contract.operations) {
      for (const [mediaType, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
        for (const { value } of Object.values(examples)) {
          await fetch(`http://127.0.0.1:${service.port}${path}`, {
            method,
            headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': mediaType },
            body: typeof value === 'string' ? value : JSON.stringify(value),
          });
        }
      }
    }
    expect(service.logged.flatMap(({ err }) => err ?? [])).toEqual([]);
  } finally {
    await service.close();
  }
});
