/** Helpers for the tests of a service: start it on a free port, and check it against its contract. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineVariables, makeToken, readVariables, settingsOf } from '../../engine';
import { readContract } from '../conformance/contract';
import { report, untriedLines } from '../conformance/report/report';
import { checkConformance, runsFor } from '../conformance/suite';
import { nothingKnown } from '../conformance/verdict';

/** The `start` that `src/main.ts` of a project exports, with only the parameters and results that are used here. */
type Start = (
  env: NodeJS.ProcessEnv,
  outputs: { print: (text: string) => void; logTo: { write(line: string): void } },
) => Promise<{ baseUrl: string; close(): Promise<void> }>;

/** A service that tests send requests to. */
export interface TestService {
  /** The URL with the path at which the contract is served. */
  baseUrl: string;
  /** Accepted behind `Bearer`, as an API key, and as the password of the user. */
  token: string;
  user: string;
  /** The limit beyond which bodies get 413: `BODY_BYTES_MAX=... npm test` sets it here, too. */
  bodyBytesMax: number;
  /** The log, parsed. */
  logged: Record<string, unknown>[];
  close(): Promise<void>;
}

/**
 * Starts a service on a free port, with a token that it accepts for everything; `trialVariables` keep it within a folder.
 *
 * @example
 * const service = await startService(start, trialVariables);
 */
export async function startService(
  start: Start,
  trialVariables: (folder: string) => NodeJS.ProcessEnv,
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  const user = 'tester';
  const { token, line } = makeToken(user, undefined, '*');
  const tokens = join(folder, 'tokens');
  writeFileSync(tokens, line, { mode: 0o600 });
  const logged: TestService['logged'] = [];
  const { BODY_BYTES_MAX } = process.env;
  const env = { BODY_BYTES_MAX, AUTH_TOKENS_FILE: tokens, PORT: '0', LOG_LEVEL: 'warn', ...trialVariables(folder) };
  const write = (text: string): void => void logged.push(JSON.parse(text) as Record<string, unknown>);
  const service = await start(env, { print: () => undefined, logTo: { write } });
  return {
    baseUrl: service.baseUrl,
    token,
    user,
    bodyBytesMax: readVariables(engineVariables, env, settingsOf).bodyBytesMax,
    logged,
    async close() {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Holds a service to its contract, writes included: `findings` is empty if it keeps to it and accepts something, and `notes` says what was
 * not tried. The requests are random; the environment variable `CONFORMANCE_SEED` repeats a run.
 *
 * @example
 * const { findings } = await holdToContract('openapi.yaml', service);
 */
export async function holdToContract(
  contractFile: string,
  { baseUrl: url, token, user, bodyBytesMax }: TestService,
  { unwritten = [] }: { unwritten?: readonly string[] } = {},
): Promise<{ findings: string; notes: string }> {
  const contract = readContract(contractFile);
  const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
  const keys = Object.fromEntries(schemes.map((name) => [name, token]));
  // Send as many requests as take some seconds: the fewer the operations, the more each gets.
  const runs = runsFor(Math.min(200, Math.max(20, 5_000 / contract.operations.length)));
  const seed = Number(process.env.CONFORMANCE_SEED || randomInt(2 ** 31));
  const isUnwritten = unwritten.length > 0;
  const verdict = await checkConformance(
    contract,
    { url, credentials: { token, user: `${user}:${token}`, keys } },
    { seed, runs, write: true, unwritten: isUnwritten, bodyBytesMax },
  );
  const lines = [
    ...(isUnwritten ? [`not written yet: ${verdict.unwritten.join(', ')}`] : []),
    ...untriedLines(verdict.untried).map((line) => `not tried: ${line}`),
  ];
  // A contract of which nothing can be tried passes, with notes.
  const nothing = verdict.operations.length === 0 ? undefined : nothingKnown(verdict);
  const found = nothing ?? report(verdict);
  return {
    findings: found === '' ? '' : `${found}\nCONFORMANCE_SEED=${seed} repeats it`,
    notes: lines.map((line) => `${line}\n`).join(''),
  };
}
