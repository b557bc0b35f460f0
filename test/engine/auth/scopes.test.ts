/** Scopes that operations name: a credential that lacks one is known, and may not do this. */
import { hasScopes } from '../../../src/engine/auth/authenticate';
import { bearer } from '../../../src/engine/auth/bearer';
import { makeToken, tokens } from '../../../src/engine/auth/tokens';
import { undeclaredStatuses } from '../../../src/engine/rules/error-rules';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { canRead } from '../../../src/engine/contract/media-type';
import { contractOf } from '../../support/contracts';
import { expectError } from '../../support/errors';
import { notingService } from '../../support/noting-service';

const operation = (id: string, security: string): string =>
  `  /${id}: { get: { operationId: ${id}, security: ${security}, responses: { '204': { description: Done. } } } }`;

const contractWith = (...operations: string[]): string => `
paths:
${operations.join('\n')}
components:
  securitySchemes: { staff: { type: http, scheme: bearer }, guests: { type: http, scheme: bearer } }
`;

const doors = contractWith(
  operation('look', '[{ staff: [] }]'),
  operation('tidy', "[{ staff: ['shelves:tidy'] }]"),
  operation('clear', "[{ staff: ['shelves:tidy', 'shelves:clear'] }]"),
  operation('borrow', "[{ staff: ['shelves:clear'] }, { guests: [] }]"),
  operation('sell', "[{ staff: ['shelves:sell'] }, { staff: ['shelves:clear'] }]"),
  operation('burn', "[{ staff: ['shelves:clear'], guests: ['fire'] }]"),
);

type Id = 'look' | 'tidy' | 'clear' | 'borrow' | 'sell' | 'burn';

const people = {
  nobody: makeToken('nobody'),
  tidier: makeToken('tidier', undefined, 'shelves:tidy'),
  clearer: makeToken('clearer', '2999-12-31', 'shelves:tidy,shelves:clear'),
  owner: makeToken('owner', undefined, '*'),
};
/** Known as a guest, and to the staff as somebody without scopes. */
const guest = makeToken('guest');
type Person = keyof typeof people | 'guest';
const tokenOf = (person: Person): string => (person === 'guest' ? guest : people[person]).token;

const staff = Object.values(people).map(({ line }) => line);
const noting = notingService(doors, undefined, {
  verifiers: {
    staff: bearer({ tokens: tokens([...staff, guest.line].join('\n'), 'the test'), realm: 'Shelves' }),
    guests: bearer({ tokens: tokens(guest.line, 'the test'), realm: 'Shelves' }),
  },
});
const send = (id: Id, token?: string) =>
  noting.get(`/${id}`, token === undefined ? {} : { Authorization: `Bearer ${token}` });

it.each<[Person, Id]>([
  ['nobody', 'look'],
  ['tidier', 'tidy'],
  ['clearer', 'tidy'],
  ['clearer', 'clear'],
  ['owner', 'clear'],
  ['guest', 'borrow'],
  ['clearer', 'borrow'],
  ['clearer', 'sell'],
])('%s may %s', async (person, id) => {
  expect(await send(id, tokenOf(person))).toMatchObject({ status: 204, body: '' });
  expect(noting.seen?.operation).toBe(id);
});

it.each<[Person, Id, scopes: string]>([
  ['nobody', 'tidy', 'shelves:tidy'],
  ['tidier', 'clear', 'shelves:tidy shelves:clear'],
  ['tidier', 'borrow', 'shelves:clear'],
  ['tidier', 'sell', 'shelves:sell'],
  ['guest', 'burn', 'shelves:clear'],
])('%s may not %s', async (person, id, scopes) => {
  const answer = await send(id, tokenOf(person));
  expectError(answer, 40301, `expected a credential with the scopes ${scopes}`);
  // RFC 6750 section 3.1
  const challenge = `Bearer realm="Shelves", error="insufficient_scope", scope="${scopes}"`;
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(noting.seen).toBeUndefined();
});

it.each<[what: string, id: Id, token: string | undefined, code: number, message: string]>([
  ['without a token', 'tidy', undefined, 40101, 'expected a bearer token in the Authorization header'],
  ['with a token that is not accepted', 'tidy', 'x', 40102, 'expected an accepted bearer token'],
  ['who is not known to all that is asked for', 'burn', people.owner.token, 40102, 'expected an accepted bearer token'],
])('somebody %s is not told of scopes', async (_what, id, token, code, message) => {
  expectError(await send(id, token), code, message);
  expect(noting.seen).toBeUndefined();
});

it('a star that an issuer grants is a scope like any other', () => {
  expect(hasScopes({ name: 'Ada', scopes: ['*'] }, ['*'])).toBe(true);
  expect(hasScopes({ name: 'Ada', scopes: ['*'] }, ['shelves:tidy'])).toBe(false);
});

const verifiers = { staff: { scheme: 'http bearer' }, guests: { scheme: 'http bearer' } };

describe('at the start', () => {
  it('403 is one of the statuses of operations that name scopes, and of no others', () => {
    const operations = [operation('look', '[{ staff: [] }]'), operation('tidy', '[{}, { staff: [tidy] }]')];
    const file = contractOf(contractWith(...operations));
    const loaded = loadContract(file, { handlers: ['look', 'tidy'], verifiers, canRead });
    expect(undeclaredStatuses(loaded)).toEqual([
      'openapi.yaml:5:76 (look) 400, 401, 408, 417, 431, 500, 503, 505 can be answered by the server, and are not declared',
      'openapi.yaml:6:84 (tidy) 400, 401, 403, 408, 417, 431, 500, 503, 505 can be answered by the server, and are not declared',
    ]);
  });
});
