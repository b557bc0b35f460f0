/** The running server against openapi.yaml; no operation is named here. */
import { ourContract, type OurService, startOurService } from '../support/our-service';
import { readContract } from './contract';
import { report } from './report';
import { seedOfRun } from './seed';
import { findDeviations } from './suite';

/** A contract may have many operations. */
jest.setTimeout(120_000);

const seed = seedOfRun();
process.stderr.write(`conformance: CONFORMANCE_SEED=${seed}\n`);

let service: OurService;
beforeAll(async () => {
  service = await startOurService();
});
afterAll(() => service.close());

it(`the server keeps to openapi.yaml, with CONFORMANCE_SEED=${seed}`, async () => {
  const findings = await findDeviations(readContract(ourContract), service, seed);
  if (findings.length > 0) throw new Error(report(findings, seed));
});
