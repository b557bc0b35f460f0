/** The contract's own examples are answered as it declares. */
import { readContract } from '../../scripts/read-contract';
import { operationsOf } from '../../src/engine/contract/operations';
import { ourContract, startOurService } from '../plants/support/our-service';

it("answers the contract's own examples with what it declares", async () => {
  const service = await startOurService();
  try {
    for (const { method, path, requestBody } of operationsOf(readContract(ourContract).document)) {
      for (const [mediaType, { examples = {} }] of Object.entries(requestBody?.content ?? {})) {
        for (const { value } of Object.values(examples)) {
          await fetch(`http://127.0.0.1:${service.port}${path}`, {
            method,
            headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': mediaType },
            body: typeof value === 'string' ? value : JSON.stringify(value),
          });
        }
      }
    }
    expect(service.logged.flatMap(({ err }) => err ?? [])).toEqual([]);
  } finally {
    await service.close();
  }
});
