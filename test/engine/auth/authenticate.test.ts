import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ErrorCode } from '../../../src/engine/http/error-codes';
import { ApiError } from '../../../src/engine/http/api-error';
import { createAuthenticate, type Verifiers } from '../../../src/engine/auth/authenticate';
import type { Principal } from '../../../src/engine/contract/handler-types';
import { contractOf, handlersOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { ask } from '../../support/raw';
import { startService, type TestService } from '../../support/service';

/** An operation for each combination of two keys that a contract can ask for. */
const contract = contractOf(`
openapi: 3.1.0
info: { title: Doors, version: 1.0.0 }
security: [{ red: [] }]
paths:
  /red: { get: { operationId: red, responses: { '204': { description: Open. } } } }
  /blue: { get: { operationId: blue, security: [{ blue: [] }], responses: { '204': { description: Open. } } } }
  /either: { get: { operationId: either, security: [{ red: [] }, { blue: [] }], responses: { '204': { description: Open. } } } }
  /both: { get: { operationId: both, security: [{ red: [], blue: [] }], responses: { '204': { description: Open. } } } }
  /maybe: { get: { operationId: maybe, security: [{ red: [] }, {}], responses: { '204': { description: Open. } } } }
  /anyone: { get: { operationId: anyone, security: [{}], responses: { '204': { description: Open. } } } }
  /open: { get: { operationId: open, security: [], responses: { '204': { description: Open. } } } }
components:
  securitySchemes:
    red: { type: apiKey, in: header, name: red }
    blue: { type: apiKey, in: header, name: blue }
`);

/** Who was let in, by operation; null for somebody unknown. */
const letIn: [operation: string, who: string | null][] = [];

/** Decides on the header of a colour: `key` fits, `broken` breaks it, anything else is refused. */
function decide(colour: string, { headers }: IncomingMessage): Principal {
  if (headers[colour] === 'key') return { name: colour };
  if (headers[colour] === 'broken') throw new Error('secret');

  if (headers[colour] === 'router') throw 'router';

  if (headers[colour] === 'nothing') throw undefined;
  throw new ApiError(ErrorCode.TokenMissing, `expected the ${colour} key`);
}

/** Red decides later, blue at once. */
const verifiers: Verifiers = {
  red: { scheme: 'apiKey in header', verify: async (req) => decide('red', req) },
  blue: { scheme: 'apiKey in header', verify: (req) => decide('blue', req) },
};

let service: TestService;
beforeAll(async () => {
  const open = (operation: string) => (request: object) => {
    const { principal } = request as { principal?: Principal };
    letIn.push([operation, principal?.name ?? null]);
    return { status: 204 };
  };
  const ids = ['red', 'blue', 'either', 'both', 'maybe', 'anyone', 'open'];
  service = await startService({
    contract,
    verifiers,
    handlers: handlersOf(Object.fromEntries(ids.map((id) => [id, open(id)]))),
  });
});
afterAll(() => service.close());

const knock = (operation: string, keys: object) =>
  ask(
    service.port,
    [
      `GET /${operation} HTTP/1.1`,
      'Host: x',
      ...Object.entries(keys).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
    'GET',
  );

describe('the security of an operation', () => {
  it.each<[operation: string, keys: object, who: string | null]>([
    ['red', { red: 'key' }, 'red'],
    ['blue', { blue: 'key' }, 'blue'],
    ['either', { red: 'key' }, 'red'],
    ['either', { blue: 'key' }, 'blue'],
    ['either', { red: 'key', blue: 'broken' }, 'red'],
    ['both', { red: 'key', blue: 'key' }, 'blue'],
    ['maybe', { red: 'key' }, 'red'],
    ['maybe', { red: 'wrong' }, null],
    ['maybe', {}, null],
    ['anyone', { red: 'broken' }, null],
    ['open', {}, null],
    ['open', { red: 'broken' }, null],
  ])('%s is satisfied by %j', async (operation, keys, who) => {
    letIn.length = 0;
    expect(await knock(operation, keys)).toMatchObject({ status: 204, body: '' });
    expect(letIn).toEqual([[operation, who]]);
  });

  it.each<[operation: string, keys: object, message: string]>([
    ['red', {}, 'expected the red key'],
    ['red', { blue: 'key' }, 'expected the red key'],
    ['blue', { red: 'key' }, 'expected the blue key'],
    ['either', {}, 'expected the red key'],
    ['either', { red: 'wrong', blue: 'wrong' }, 'expected the red key'],
    ['both', { red: 'key' }, 'expected the blue key'],
    ['both', { blue: 'key' }, 'expected the red key'],
  ])('%s is not satisfied by %j', async (operation, keys, message) => {
    letIn.length = 0;
    expectError(await knock(operation, keys), 40101, message);
    expect(letIn).toEqual([]);
  });

  it.each<[operation: string, keys: object]>([
    ['red', { red: 'broken' }],
    ['red', { red: 'router' }],
    ['red', { red: 'nothing' }],
    ['blue', { blue: 'broken' }],
    ['blue', { blue: 'router' }],
    ['blue', { blue: 'nothing' }],
    ['either', { red: 'broken', blue: 'key' }],
    ['either', { red: 'wrong', blue: 'broken' }],
    ['both', { red: 'key', blue: 'broken' }],
    ['maybe', { red: 'broken' }],
  ])('%s lets nobody in by another way when a verifier breaks: %j', async (operation, keys) => {
    letIn.length = 0;
    expectError(await knock(operation, keys), 50001, 'internal error');
    expect(letIn).toEqual([]);
  });
});

it('lets nobody in by a scheme that has no verifier', async () => {
  const decide = createAuthenticate({});
  await expect(decide({ security: [{ red: [] }] }, new IncomingMessage(new Socket()))).rejects.toThrow(
    'security scheme red has no verifier',
  );
});
