/**
 * Holds mocks of contracts to them: the conformance suite against the real engine with handlers that answer what the contract declares.
 * Parts of a contract with problems are left out.
 *
 *   npx tsx scripts/contracts/conformance.ts CONTRACT|FOLDER... [--all]
 */
import { readContract } from '../../src/tools/conformance/contract';
import { describe, untriedLines, warningLines } from '../../src/tools/conformance/report/report';
import { checkConformance, runsFor } from '../../src/tools/conformance/suite';
import { exitWith, messageOf } from '../../src/engine';
import { startMock } from '../../src/tools/mock/start';
import { quietOutputs, quietSettings } from '../quiet';
import { printTable, type Row } from './table';

const SECRET = 'the-token-of-the-mock';
const SEED = 1;
const REQUESTS = 60;

async function rowOf(file: string): Promise<Row> {
  const options = { seed: SEED, lenient: true, token: SECRET };
  try {
    const { baseUrl, close } = await startMock(file, options, quietSettings, quietOutputs, () => undefined);
    try {
      return await check(file, baseUrl);
    } finally {
      await close();
    }
  } catch (error) {
    return { cells: [0, 0, 'not served', ''], details: [messageOf(error)] };
  }
}

async function check(file: string, baseUrl: string): Promise<Row> {
  const contract = readContract(file);
  const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
  const target = {
    url: new URL(baseUrl).pathname === '/' ? new URL(baseUrl).href : baseUrl,
    credentials: {
      token: SECRET,
      user: `mock:${SECRET}`,
      keys: Object.fromEntries(schemes.map((name) => [name, SECRET])),
    },
  };
  const verdict = await checkConformance(contract, target, { seed: SEED, runs: runsFor(REQUESTS), write: true });
  const { findings, requests, operations, untried } = verdict;
  return {
    cells: [operations.length, requests, findings.length, untried.length],
    details: [
      ...findings.map((finding) => describe(finding, target.url, [])),
      ...warningLines(verdict.warnings),
      ...untriedLines(untried).map((line) => `not tried: ${line}`),
    ],
  };
}

exitWith(async () => {
  await printTable(['operations', 'requests', 'findings', 'not tried'], rowOf);
  return 0;
});
