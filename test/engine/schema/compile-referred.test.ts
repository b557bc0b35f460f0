/** Schemas that refer to one another in a long row, as those of large contracts do. */
import { notingService } from '../../support/noting-service';

const LEVELS = 400;

const branch = (next: number): string => `{ oneOf: [{ type: integer }, { $ref: '#/components/schemas/Node${next}' }] }`;
const node = (index: number, next: number): string =>
  `    Node${index}: { type: object, properties: { next: ${branch(next)} }, additionalProperties: false }`;
const body = (index: number): string =>
  `requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Node${index}' } } } }`;

const noting = notingService(`
paths:
  /rows: { post: { operationId: addRow, ${body(0)}, responses: { '204': { description: Added. } } } }
  /circles: { post: { operationId: addCircle, ${body(LEVELS)}, responses: { '204': { description: Added. } } } }
components:
  schemas:
${Array.from({ length: LEVELS - 1 }, (_, index) => node(index, index + 1)).join('\n')}
    Node${LEVELS - 1}: { type: string }
${Array.from({ length: LEVELS }, (_, index) => node(LEVELS + index, LEVELS + ((index + 1) % LEVELS))).join('\n')}
`);

it.each(['/rows', '/circles'])('validates a body of %s', async (path) => {
  expect(await noting.send(path, '{"next":{"next":{"next":5}}}')).toMatchObject({ status: 204, body: '' });
  const { status, body: refusal } = await noting.send(path, '{"next":{"next":{"other":5}}}');
  expect([status, JSON.parse(refusal)]).toEqual([
    400,
    { error: 40002, message: expect.stringContaining('/body/next/next') as unknown },
  ]);
});
