/** A contract that allows larger bodies than its server reads. */
import { readContract } from '../../../src/tools/conformance/contract';
import { checkConformance, runsFor } from '../../../src/tools/conformance/suite';
import { contractOf, handlersOf } from '../../support/contracts';
import { startService } from '../../support/service';

const file = contractOf(`
openapi: 3.1.0
info: { title: Letters, version: 1.0.0 }
paths:
  /letters:
    post:
      operationId: send
      requestBody:
        required: true
        content: { application/json: { schema: { type: array, minItems: 1, maxItems: 50, items: { type: string, minLength: 2000, maxLength: 9000 } } } }
      responses: { '204': { description: Sent. }, '400': { description: Refused. } }
`);

async function problems(bodyBytesMax?: number): Promise<string[]> {
  const service = await startService({
    contract: file,
    handlers: handlersOf({ send: () => ({ status: 204 }) }),
    bodyBytesMax: 40_000,
  });
  const target = { url: service.baseUrl, credentials: {} };
  const runs = { ...runsFor(20), valid: 20 };
  const verdict = await checkConformance(readContract(file), target, { seed: 1, runs, write: true, bodyBytesMax });
  await service.close();
  return verdict.findings.map(({ problem }) => problem);
}

it('is found, by a request that is shrunk a bounded number of times', async () => {
  expect(await problems()).toEqual(['answers 413 to a valid request, expected it to be accepted']);
});

it('is held to what its server reads if that is known', async () => {
  expect(await problems(40_000)).toEqual([]);
});
