import type { IncomingMessage } from 'node:http';
import { ErrorCode } from '../../../src/engine/errors/error-codes';
import { ApiError } from '../../../src/engine/errors/api-error';
import { createAuthenticate, type Verifiers } from '../../../src/engine/auth/authenticate';
import type { Principal } from '../../../src/engine/contract/handler-types';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

/** Decides on the header of a colour: `key` fits, `broken` breaks it, `invalid` is refused as wrong, anything else as missing. */
function decide(colour: string, { headers }: IncomingMessage): Principal {
  if (headers[colour] === 'key') return { name: colour };
  if (headers[colour] === 'broken') throw new Error('secret');

  if (headers[colour] === 'router') throw 'router';

  if (headers[colour] === 'nothing') throw undefined;
  const code = headers[colour] === 'invalid' ? ErrorCode.TokenInvalid : ErrorCode.TokenMissing;
  throw new ApiError(code, `expected the ${colour} key`);
}

/** Red decides later, blue and white at once. */
const verifiers: Verifiers = {
  red: { scheme: 'apiKey in header', verify: async (req) => decide('red', req) },
  blue: { scheme: 'apiKey in header', verify: (req) => decide('blue', req) },
  white: { scheme: 'http bearer', verify: (req) => decide('white', req) },
};

/** An operation for each combination of two keys that a contract can ask for. */
const noting = notingService(
  `
security: [{ red: [] }]
paths:
  /red: { get: { operationId: red, responses: { '204': { description: Open. } } } }
  /blue: { get: { operationId: blue, security: [{ blue: [] }], responses: { '204': { description: Open. } } } }
  /either: { get: { operationId: either, security: [{ red: [] }, { blue: [] }], responses: { '204': { description: Open. } } } }
  /both: { get: { operationId: both, security: [{ red: [], blue: [] }], responses: { '204': { description: Open. } } } }
  /maybe: { get: { operationId: maybe, security: [{ red: [] }, {}], responses: { '204': { description: Open. } } } }
  /perhaps: { get: { operationId: perhaps, security: [{}, { red: [] }, { blue: [] }], responses: { '204': { description: Open. } } } }
  /pair: { get: { operationId: pair, security: [{ red: [], blue: [] }, {}], responses: { '204': { description: Open. } } } }
  /reader: { get: { operationId: reader, security: [{ red: [] }, { white: [] }, {}], responses: { '204': { description: Open. } } } }
  /anyone: { get: { operationId: anyone, security: [{}], responses: { '204': { description: Open. } } } }
  /open: { get: { operationId: open, security: [], responses: { '204': { description: Open. } } } }
components:
  securitySchemes:
    red: { type: apiKey, in: header, name: red }
    blue: { type: apiKey, in: header, name: blue }
    white: { type: http, scheme: bearer }
`,
  undefined,
  { verifiers },
);
const knock = (operation: string, keys: Record<string, string>) => noting.get(`/${operation}`, keys);

describe('the security of an operation', () => {
  it.each<[operation: string, keys: Record<string, string>, who: string | undefined]>([
    ['red', { red: 'key' }, 'red'],
    ['blue', { blue: 'key' }, 'blue'],
    ['either', { red: 'key' }, 'red'],
    ['either', { blue: 'key' }, 'blue'],
    ['either', { red: 'key', blue: 'broken' }, 'red'],
    ['both', { red: 'key', blue: 'key' }, 'blue'],
    ['maybe', { red: 'key' }, 'red'],
    ['maybe', { red: 'wrong' }, undefined],
    ['maybe', {}, undefined],
    ['perhaps', { red: 'key' }, 'red'],
    ['perhaps', { red: 'invalid', blue: 'key' }, 'blue'],
    ['perhaps', {}, undefined],
    ['pair', { red: 'key', blue: 'key' }, 'blue'],
    ['pair', { Authorization: 'Basic dTpw' }, undefined],
    ['pair', {}, undefined],
    ['reader', { red: 'key', Authorization: 'Basic dTpw' }, 'red'],
    ['reader', {}, undefined],
    ['anyone', { red: 'broken' }, undefined],
    ['open', {}, undefined],
    ['open', { red: 'broken' }, undefined],
  ])('%s is satisfied by %j', async (operation, keys, who) => {
    expect(await knock(operation, keys)).toMatchObject({ status: 204, body: '' });
    expect([noting.seen?.operation, noting.seen?.principal?.name]).toEqual([operation, who]);
  });

  it.each<[operation: string, keys: Record<string, string>, message: string]>([
    ['red', {}, 'expected the red key'],
    ['red', { blue: 'key' }, 'expected the red key'],
    ['blue', { red: 'key' }, 'expected the blue key'],
    ['either', {}, 'expected the red key'],
    ['either', { red: 'wrong', blue: 'wrong' }, 'expected the red key'],
    ['both', { red: 'key' }, 'expected the blue key'],
    ['both', { blue: 'key' }, 'expected the red key'],
    ['pair', { red: 'key' }, 'expected the blue key'],
    ['pair', { blue: 'key' }, 'expected the red key'],
    ['pair', { blue: 'invalid' }, 'expected the red key'],
    ['reader', { Authorization: 'Basic dTpw' }, 'expected the red key'],
    ['reader', { Authorization: 'token' }, 'expected the red key'],
  ])('%s is not satisfied by %j', async (operation, keys, message) => {
    expectError(await knock(operation, keys), 40101, message);
    expect(noting.seen).toBeUndefined();
  });

  it.each(['maybe', 'perhaps'])('%s refuses a wrong credential where none is needed', async (operation) => {
    expectError(await knock(operation, { red: 'invalid' }), 40102, 'expected the red key');
    expect(noting.seen).toBeUndefined();
  });

  it.each<[operation: string, keys: Record<string, string>]>([
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
    ['perhaps', { red: 'broken' }],
    ['pair', { blue: 'broken' }],
  ])('%s lets nobody in by another way when a verifier breaks: %j', async (operation, keys) => {
    expectError(await knock(operation, keys), 50001, 'internal error');
    expect(noting.seen).toBeUndefined();
  });
});

it('is not made for a scheme that has no verifier', () => {
  expect(() => createAuthenticate({}, [{ red: [] }])).toThrow('security scheme red has no verifier');
});
