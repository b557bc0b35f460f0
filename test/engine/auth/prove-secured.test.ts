import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { proveSecured } from '../../../src/engine/auth/prove-secured';
import { loadContract } from '../../../src/engine/rules/load-contract';
import type { Contract } from '../../../src/engine/contract/operations';
import { contractOf, handlersOf } from '../../support/contracts';
import { type ServiceOptions, startService } from '../../support/service';

/** Two doors with a lock, one that may be open, and one that is; and two that no request reaches. */
const contractFile = contractOf(`openapi: 3.2.0
info: { title: Doors, version: 1.0.0 }
security: [{ lock: [] }]
paths:
  '/Türen #1 of 100%/{number}':
    parameters: [{ name: number, in: path, required: true, schema: { type: integer } }]
    get: { operationId: front, responses: { '200': { description: Open. } } }
    post: { operationId: back, responses: { '200': { description: Open. } } }
  /windows: { get: { operationId: window, security: [{ lock: [] }, {}], responses: { '200': { description: Open. } } } }
  /walls:
    additionalOperations:
      CONNECT: { operationId: tunnel, responses: { '200': { description: Open. } } }
      BREAK: { operationId: breach, responses: { '200': { description: Open. } } }
  /chimneys: { get: { operationId: chimney, security: [], responses: { '200': { description: Open. } } } }
components:
  securitySchemes:
    lock: { type: http, scheme: bearer }
`);

const asked: string[] = [];
const handlers = Object.fromEntries(
  ['front', 'back', 'window', 'chimney', 'tunnel', 'breach'].map((id) => [
    id,
    () => {
      asked.push(id);
      return { status: 200 };
    },
  ]),
);

const lock = (verify: () => Promise<{ name: string }>) => ({ lock: { scheme: 'http bearer', verify } });
const open = lock(() => Promise.resolve({ name: 'anybody' }));

let contract: Contract;
beforeAll(() => {
  contract = loadContract(contractFile, { handlers: Object.keys(handlers), verifiers: open, canRead: () => true });
});

/** The app of these doors. */
async function serve(options: ServiceOptions): Promise<Express> {
  asked.length = 0;
  return (await startService({ contract: contractFile, handlers: handlersOf(handlers), ...options })).app;
}

describe('proveSecured', () => {
  it('finds nothing where every locked door is locked, and tries no other', async () => {
    const app = await serve({ basePath: '/v1' });
    await expect(proveSecured(app, contract, '/v1')).resolves.toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('names every door that is open, and where the contract says that it is locked', async () => {
    const app = await serve({ verifiers: open });
    await expect(proveSecured(app, contract, '')).rejects.toThrow(
      new Error(
        [
          'expected 401 without a token from every secured operation:',
          '  openapi.yaml:7:10 front answered 200',
          '  openapi.yaml:8:11 back answered 200',
        ].join('\n'),
      ),
    );
    expect(asked.sort()).toEqual(['back', 'front']);
  });

  it('takes a door that is broken or not there for no locked one', async () => {
    const broken = lock(() => Promise.reject(new Error('broken')));
    const app = await serve({ verifiers: broken });
    await expect(proveSecured(app, contract, '')).rejects.toThrow(/front answered 500\n.*back answered 500$/);
    await expect(proveSecured(app, contract, '/v2')).rejects.toThrow(/front answered 404\n.*back answered 404$/);
  });

  it('rejects where no answer comes', async () => {
    const silent: RequestListener = ({ socket }) => socket.destroy();
    await expect(proveSecured(silent, contract, '')).rejects.toThrow(
      new Error('GET /Türen #1 of 100%/{number} got no answer'),
    );
  });
});
