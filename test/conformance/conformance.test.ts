/** The program against openapi.yaml, whatever is served; no operation is named here. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToken } from '../../src/engine/auth/tokens';
import { ErrorCode } from '../../src/engine/errors/error-codes';
import type { Answer } from '../../src/tools/conformance/client';
import type { Running } from '../../src/engine/serve';
import { start } from '../../src/main';
import { projectOf } from '../../src/engine';
import { recordAnswer } from '../support/record-answers';
import { readContract } from '../../src/tools/conformance/contract';
import { report } from '../../src/tools/conformance/report/report';
import { seedOfRun } from '../support/seed';
import { checkConformance } from '../../src/tools/conformance/suite';
import { temporaryFolder } from '../support/temporary-folder';

const seed = seedOfRun();
process.stderr.write(`conformance: CONFORMANCE_SEED=${seed}\n`);

const { token, line } = makeToken('tester', undefined, '*');
let service: Running;
beforeAll(async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tokens'), line, { mode: 0o600 });
  const env = {
    AUTH_TOKENS_FILE: join(folder, 'tokens'),
    DATABASE_URL: process.env.CONFORMANCE_STORE ?? `sqlite:${join(folder, 'plants.db')}`,
    LOG_LEVEL: 'debug',
    PORT: '0',
  };
  const write = (text: string): void => recordAnswer(JSON.parse(text) as Record<string, unknown>);
  service = await start(env, { print: () => undefined, logTo: { write } });
});
afterAll(() => service.close());

it(`the server keeps to openapi.yaml, with CONFORMANCE_SEED=${seed}`, async () => {
  const contract = readContract(projectOf(__dirname).contract);
  const verdict = await checkConformance(
    contract,
    { url: service.baseUrl, credentials: { token } },
    { seed, write: true },
  );
  // What the contract leaves open is decided here, too; but a handler may refuse what no schema can say.
  const warnings = verdict.warnings.filter(({ answer }) => !isOfHandler(answer));
  expect(report({ ...verdict, findings: [...verdict.findings, ...warnings] })).toBe('');
  expect(verdict.untried).toEqual([]);
});

/** Whether an answer is a refusal of a handler's own, by its code. */
function isOfHandler(answer: Answer | undefined): boolean {
  if (!answer || answer.status < 400) return false;
  const { error } = JSON.parse(answer.body) as { error?: number };
  return !Object.values<number | undefined>(ErrorCode).includes(error);
}
