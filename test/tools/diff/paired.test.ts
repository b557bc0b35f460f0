/** Schemas of two contracts that are about the same value of a request. */
import { type Contract, type Document, operationsOf, type Schema } from '../../../src/engine/reading';
import { pairedInRequests } from '../../../src/tools/diff/paired';

const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** A contract whose operation takes the first of these schemas. */
function contractOf(schemas: Record<string, Schema>): Contract {
  const [first = ''] = Object.keys(schemas);
  const post = {
    requestBody: { content: { 'application/json': { schema: refer(first) } } },
    responses: { '204': { description: 'Taken.' } },
  };
  const document: Document = {
    ...{ openapi: '3.1.0', info: { title: 'Chains', version: '1' } },
    paths: { '/chains': { post } },
    components: { schemas },
  };
  return { document, operations: operationsOf(document), place: () => '' };
}

it('are paired once each, however long the chain is in which they refer to each other', () => {
  const chain = (name: string): Record<string, Schema> =>
    Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [
        `${name}${at}`,
        { properties: { next: refer(`${name}${(at + 1) % 20_000}`), again: refer(`${name}${(at + 1) % 20_000}`) } },
      ]),
    );
  const [base, revised] = [contractOf(chain('Old')), contractOf(chain('New'))];
  const pairs = [...pairedInRequests(base, revised)];
  expect(pairs).toHaveLength(20_000);
  expect(pairs[1]).toEqual([base.document.components?.schemas?.Old1, revised.document.components?.schemas?.New1]);
});
