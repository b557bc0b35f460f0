/** The suite can fail: faults of every kind are planted in a server, and each is found for what it is. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { contractFile, type ServiceOptions, startService, type TestService } from '../support/service';
import { Suite } from './checks';
import { readContract } from './contract';
import { openDoors, undeclaredService } from './faults-of-access';
import { type Edit, type Fault, faultsOfAnswers } from './faults-of-answers';
import { leniences, severities } from './faults-of-requests';
import { startMiddle } from './middle';
import type { Target } from './probe';

/** Every kind of request comes up, which is what a fault is found by. */
const RUNS = { valid: 5, edge: 1, invalid: 1, stranger: 1, undeclared: 1, smaller: 2 };
const SEED = 1;

const folder = mkdtempSync(join(tmpdir(), 'contracts-'));
let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

it('finds nothing where nothing is wrong', async () => {
  expect(await foundBehind({ fault: 'none', middle: (request, forward) => forward(request), found: [] })).toEqual([]);
});

describe.each<[server: string, at: string, faults: Fault[]]>([
  ['that answers', 'POST /plants', faultsOfAnswers],
  ['that lets pass', 'POST /plants', leniences],
  ['that refuses', 'POST /plants', severities],
  ['that lets in', 'POST /plants', openDoors],
  ['that answers', '/plants', undeclaredService],
])('finds a server %s', (_server, at, faults) => {
  it.each(faults)('$fault', async (fault) => {
    expect(await foundBehind(fault)).toEqual(fault.found.map((problem) => `${at} ${problem}`));
  });
});

describe('finds a service', () => {
  it.each<{ fault: string; options?: ServiceOptions; served?: Edit[]; expected: string[] }>([
    {
      fault: 'whose handler fails',
      options: { handlers: () => ({ createPlant: () => Promise.reject(new Error('broken')) }) },
      expected: ['POST /plants answers 500'],
    },
    {
      fault: 'whose verifier knows everybody',
      options: {
        verifiers: { bearerAuth: { scheme: 'http bearer', verify: () => Promise.resolve({ name: 'anybody' }) } },
      },
      expected: [
        'POST /plants lets in a request without Authorization, expected 401',
        'POST /plants lets in an invalid request without Authorization, expected 401',
        'POST /plants lets in a request with its token in the query, expected 401',
        'POST /plants lets in a request with a scheme without a token, expected 401',
        'POST /plants lets in a request with a token without a scheme, expected 401',
        'POST /plants lets in a request with another scheme, expected 401',
        'POST /plants lets in a request with an accepted token and more, expected 401',
        'POST /plants lets in a request with a piece of an accepted token, expected 401',
        'POST /plants lets in a request with an unknown token, expected 401',
      ],
    },
    {
      fault: 'that has another contract, in which names are long',
      served: [[['components', 'schemas', 'Plant', 'properties', 'name', 'minLength'], 1000]],
      expected: ['POST /plants answers 400 to a valid request, expected it to be accepted'],
    },
  ])('$fault', async ({ options = {}, served, expected }) => {
    const faulty = await startService(served ? { ...options, contract: edited(served) } : options);
    try {
      expect(await foundOf(faulty)).toEqual(expected);
    } finally {
      await faulty.close();
    }
  });
});

async function foundBehind({ middle, edits }: Fault): Promise<string[]> {
  const faulty = await startMiddle(service, middle);
  try {
    return await foundOf(faulty, edits);
  } finally {
    await faulty.close();
  }
}

async function foundOf(target: Target, edits?: readonly Edit[]): Promise<string[]> {
  const suite = edits ? new Suite(readContract(edited(edits))) : (ours ??= new Suite(readContract(contractFile)));
  return (await suite.findings(target, SEED, RUNS)).map(({ where, problem }) => `${where} ${problem}`);
}

let ours: Suite | undefined;

/** A copy of the contract, with these changes. */
function edited(edits: readonly Edit[]): string {
  const document = parseDocument(readFileSync(contractFile, 'utf8'));
  for (const [path, value] of edits) document.setIn(path, value);
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, String(document));
  return file;
}
