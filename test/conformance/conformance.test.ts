/** The running server against its contract, whatever that says: no operation is named here, and none has to be. */
import { contractFile, startService, type TestService } from '../support/service';
import { Suite } from './checks';
import { readContract } from './contract';
import { report } from './report';
import { seedOfRun } from './seed';

/** A contract may have many operations, and the machine much else to do. */
const TIME_MAX_MS = 120_000;

const seed = seedOfRun();
process.stderr.write(`conformance: CONFORMANCE_SEED=${seed}\n`);

describe(`openapi.yaml, with CONFORMANCE_SEED=${seed}`, () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it(
    'is what the server does',
    async () => {
      const found = await new Suite(readContract(contractFile)).findings(service, seed);
      if (found.length > 0) throw new Error(report(found, seed));
    },
    TIME_MAX_MS,
  );
});
