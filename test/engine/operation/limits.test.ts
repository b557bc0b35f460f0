/** Limits that a service sets for single operations. */
import { loadContract } from '../../../src/engine/rules/load-contract';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask, plantRequest, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const binary = '{ schema: { type: string, format: binary, maxLength: 30 } }';
const operation = (id: string): string =>
  `post: { operationId: ${id}, requestBody: { required: true, content: { application/json: {}, image/png: ${binary} } }, responses: { '204': { description: Taken } } }`;
const contract = contractOf(`
openapi: 3.1.0
info: { title: Photos, version: 1.0.0 }
paths:
  /usual: { ${operation('usual')} }
  /large: { ${operation('large')} }
  /small: { ${operation('small')} }
  /quick: { ${operation('quick')} }
`);
const REQUEST_MS = 100;

let service: TestService;
beforeAll(async () => {
  const taken = (): { status: number } => ({ status: 204 });
  service = await startService({
    contract,
    handlers: handlersOf({ usual: taken, large: taken, small: taken, quick: taken }),
    bodyBytesMax: 20,
    operationLimits: { large: { bytes: 40, seconds: 600 }, small: { bytes: 10 }, quick: { seconds: 0.05 } },
    limits: { headersMs: REQUEST_MS, requestMs: REQUEST_MS },
  });
});

const request = (path: string, body: string, type = 'application/json'): Buffer =>
  plantRequest(service, { line: `POST /${path} HTTP/1.1`, body, headers: { 'Content-Type': type } });

it.each([
  ['usual', 20, 'application/json'],
  ['large', 40, 'application/json'],
  ['small', 10, 'application/json'],
  ['large', 30, 'image/png'], // as the contract says
  ['usual', 20, 'image/png'],
])('a body of %s may have %i bytes of %s', async (path, bytes, type) => {
  expect(await ask(service.port, request(path, '1'.padEnd(bytes), type))).toMatchObject({ status: 204 });
  const answer = await ask(service.port, request(path, '1'.padEnd(bytes + 1), type));
  expectError(answer, 41301, `expected a body of at most ${bytes} bytes`);
});

const LATE = [40801, 'the request did not arrive in time'] as const;

it('a body may take as long as its operation says, while others are late', async () => {
  const all = request('large', '1234');
  const patient = (await RawConnection.open(service.port)).send(all.subarray(0, -1));
  const other = (await RawConnection.open(service.port)).send(request('usual', '1234').subarray(0, -1));
  expectError(await other.answer(), ...LATE);
  expect(await patient.send(all.subarray(-1)).answer()).toMatchObject({ status: 204 });
  patient.destroy();
});

it('a body that takes longer than its operation says is refused', async () => {
  const connection = await RawConnection.open(service.port);
  expectError(await connection.send(request('quick', '1234').subarray(0, -1)).answer(), ...LATE);
  expect(await connection.closed()).toBe('');
});

it('limits of no operation, and values that are no limits, are refused at the start', () => {
  const limits = { larg: { bytes: 1 }, small: { bytes: 1.5, seconds: 1e9 }, quick: { seconds: 0 } };
  const handlers = ['usual', 'large', 'small', 'quick'];
  const load = (): object => loadContract(contract, { handlers, verifiers: {}, canRead: () => true, limits });
  expect(load).toThrow(
    [
      'limits.larg has no operation in the contract: expected large',
      'limits.small.bytes: expected a whole number from 1, got 1.5',
      'limits.small.seconds: expected a number to 2147483, got 1000000000',
      'limits.quick.seconds: expected a number to 2147483, got 0',
    ]
      .map((text) => `  openapi.yaml:4:1 ${text}`)
      .join('\n'),
  );
});
