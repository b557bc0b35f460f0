/** Limits that a service sets for single operations. */
import type { Upload } from '../../../src/engine/contract/handler-types';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { type AnyRequest, contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { eventually } from '../../support/eventually';
import { ask, plantRequest, RawConnection } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

const binary = '{ schema: { type: string, format: binary, maxLength: 30 } }';
const items = '{ schema: { type: array, maxItems: 3, items: {} } }';
const LENGTH_MAX = 100_000;
const operation = (id: string): string =>
  `post: { operationId: ${id}, requestBody: { required: true, content: { application/json: {}, image/png: ${binary}, application/jsonl: ${items} } }, responses: { '204': { description: Taken } } }`;
const contract = contractOf(`
paths:
  /usual: { ${operation('usual')} }
  /large: { ${operation('large')} }
  /small: { ${operation('small')} }
  /quick: { ${operation('quick')} }
  /slow: { ${operation('slow')} }
  /read: { post: { operationId: read, requestBody: { content: { image/png: { schema: { type: string, format: binary, maxLength: ${LENGTH_MAX} } } } }, responses: { '204': { description: Read } } } }
`);
const REQUEST_MS = 500; // far longer than a busy machine needs for headers

/** For each of the next calls of a handler: until when it does not read. */
const waits: Promise<unknown>[] = [];

let service: TestService;
beforeAll(async () => {
  const taken = (): { status: number } => ({ status: 204 });
  const read = async ({ body }: AnyRequest): Promise<{ status: number }> => {
    await waits.shift();
    await (body as Upload).bytes();
    return taken();
  };
  service = await startService({
    contract,
    handlers: handlersOf({ usual: taken, large: taken, small: taken, quick: taken, slow: taken, read }),
    bodyBytesMax: 20,
    operationLimits: {
      large: { bytes: 40, seconds: 600 },
      small: { bytes: 10 },
      quick: { seconds: 0.05 },
      slow: { seconds: 600, bytesPerSecondMin: 0 },
    },
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
  ['usual', 30, 'image/png'], // not held in memory: as the contract says
  ['usual', 3 * (20 + 1), 'application/jsonl'], // as many items, each with a line feed
  ['small', 10, 'application/jsonl'],
])('a body of %s may have %i bytes of %s', async (path, bytes, type) => {
  expect(await ask(service.port, request(path, '1'.padEnd(bytes), type))).toMatchObject({ status: 204 });
  const answer = await ask(service.port, request(path, '1'.padEnd(bytes + 1), type));
  expectError(answer, 41301, `expected a body of at most ${bytes} bytes`);
});

const LATE = [40801, 'the request did not arrive in time'] as const;

it.each([
  ['usual', 'that may not'],
  ['large', 'below its least rate'],
])('a body may take as long as its operation says, while one of %s %s is late', async (path) => {
  const all = request('slow', '1234');
  const patient = (await RawConnection.open(service.port)).send(all.subarray(0, -1));
  const other = (await RawConnection.open(service.port)).send(request(path, '1234').subarray(0, -1));
  expectError(await other.answer(), ...LATE);
  expect(await patient.send(all.subarray(-1)).answer()).toMatchObject({ status: 204 });
  patient.destroy();
});

it('a body that takes longer than its operation says is refused', async () => {
  const connection = await RawConnection.open(service.port);
  expectError(await connection.send(request('quick', '1234').subarray(0, -1)).answer(), ...LATE);
  expect(await connection.closed()).toBe('');
});

it('a body that is not held in memory may take longer as long as it comes at 1,000 bytes a second, or its handler is not ready', async () => {
  const send = async (body: string): Promise<RawConnection> =>
    (await RawConnection.open(service.port)).send(request('read', `${body}\n`, 'image/png').subarray(0, -1));
  let ready: (value?: unknown) => void = () => undefined;
  waits.push(new Promise((resolve) => (ready = resolve)));
  const unready = await send('');
  await eventually(() => expect(waits).toEqual([]));
  const fast = await send('x'.repeat(LENGTH_MAX - 1));
  expectError(await (await send('x')).answer(), ...LATE);
  ready();
  for (const connection of [unready, fast]) {
    expect(await connection.send('\n').answer()).toMatchObject({ status: 204 });
    connection.destroy();
  }
});

it('limits of no operation, and values that are no limits, are refused at the start', () => {
  const quick = { seconds: 0, bytesPerSecondMin: -1 };
  const limits = { larg: { bytes: 1 }, small: { bytes: 1.5, seconds: 1e9 }, quick };
  const handlers = ['usual', 'large', 'small', 'quick', 'slow', 'read'];
  const load = (): object => loadContract(contract, { handlers, verifiers: {}, canRead: () => true, limits });
  expect(load).toThrow(
    [
      'limits.larg has no operation in the contract: expected large',
      'limits.small.bytes: expected a whole number from 1, got 1.5',
      'limits.small.seconds: expected a number to 2147483, got 1000000000',
      'limits.quick.seconds: expected a number to 2147483, got 0',
      'limits.quick.bytesPerSecondMin: expected a number from 0, got -1',
    ]
      .map((text) => `  openapi.yaml:4:1 ${text}`)
      .join('\n'),
  );
});
