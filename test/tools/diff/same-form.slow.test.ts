/** Contracts are compared in one form: the same contract written in another way breaks nobody, and a break is one wherever it is written. */
import { changesBetween } from '../../../src/tools/diff/changes';
import { IMPACTS } from '../../../src/tools/diff/verdict';
import { readContract } from '../../../src/tools/project/read-contract';
import { contractOf } from '../../support/contracts';

/** The greatest impact of the changes between two contracts; undefined if nothing has changed. */
async function impactOf(before: string, now: string): Promise<string | undefined> {
  const changes = await changesBetween(readContract(contractOf(before)), readContract(contractOf(now)));
  return IMPACTS.find((each) => changes.some(({ impact }) => impact === each));
}

const DONE = "responses: { '204': { description: Done. } }";

/** A contract whose operation has an item beside its answer, as YAML, or whose path has. */
const operation = (more: string, ofPath = '', components = ''): string => `
paths: { /notes: { ${ofPath} post: { operationId: addNote, ${more} ${/\bresponses:/.test(more) ? '' : DONE} } } }
components: { ${components} }
`;
const parameters = (...each: string[]): string => `parameters: [${each.join(', ')}],`;
const limit = (maximum: number, more = ''): string =>
  `{ name: limit, in: query, schema: { type: integer, maximum: ${maximum} } ${more} }`;
const callback = (schema: string): string =>
  `callbacks: { Read: { '{$request.query.at}': { post: { requestBody: { content: { application/json: { schema: ${schema} } } }, ${DONE} } } } }`;
const READ = "callbacks: { read: { $ref: '#/components/callbacks/Read' } },";
const BY = '{ name: by, in: query, schema: {} }';

it.each([
  [
    'a callback of components that sends another type',
    operation(READ, '', callback('{ type: integer }')),
    operation(READ, '', callback('{ type: string }')),
  ],
  [
    'an operation that takes less than its path declares',
    operation('', parameters(limit(9))),
    operation(parameters(limit(5)), parameters(limit(9))),
  ],
  ['a parameter of a path that takes less', operation('', parameters(limit(9))), operation('', parameters(limit(5)))],
])('%s breaks clients', async (_what, before, now) => {
  expect(await impactOf(before, now)).toBe('major');
});

it.each([
  ['a parameter in its operation', operation('', parameters(limit(9))), operation(parameters(limit(9)))],
  [
    'a parameter in components',
    operation(parameters(limit(9))),
    operation(parameters("{ $ref: '#/components/parameters/Limit' }"), '', `parameters: { Limit: ${limit(9)} }`),
  ],
  [
    'a parameter of a path that its operation has already',
    operation(parameters(limit(9)), parameters(limit(5))),
    operation(parameters(limit(9))),
  ],
])('%s is no break', async (_what, before, now) => {
  expect([undefined, 'patch']).toContain(await impactOf(before, now));
});

it('a parameter that is new is told from one that is described now', async () => {
  const now = operation(parameters(BY.replace('by', 'to'), BY.replace('{}', '{ description: The one who wrote it. }')));
  expect(await impactOf(operation(parameters(BY)), now)).toBe('minor');
});
