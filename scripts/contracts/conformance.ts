/**
 * Holds mocks of the contracts in a folder, or of single ones, to them, as a table in Markdown: the conformance suite against the
 * real engine with handlers that answer what the contract declares. What it concerns is left out of a contract with problems.
 *
 *   npx tsx scripts/contracts/conformance.ts PLACE...         the table
 *   npx tsx scripts/contracts/conformance.ts PLACE... --all   and below it what was found, told and not tried
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readContract } from '../../src/engine/conformance/contract';
import { describe, told, untriedLines } from '../../src/engine/conformance/report/report';
import { checkConformance, runsFor } from '../../src/engine/conformance/suite';
import { messageOf } from '../../src/engine/http/api-error';
import { startMock } from '../../src/engine/mock/start';
import { engineVariables, settingsOf } from '../../src/engine/settings';
import { readVariables } from '../../src/engine/variables';

const SECRET = 'the-token-of-the-mock';
const SEED = 1;
const REQUESTS = 60;
const settings = readVariables(engineVariables, { PORT: '0', LOG_LEVEL: 'silent' }, settingsOf);

async function check(file: string): Promise<{ row: string; details: string[] }> {
  const outputs = { print: () => undefined, logTo: { write: () => undefined } };
  const options = { seed: SEED, lenient: true, token: SECRET };
  try {
    const { baseUrl, close } = await startMock(file, options, settings, outputs, () => undefined);
    try {
      const contract = readContract(file);
      const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
      const keys = Object.fromEntries(schemes.map((name) => [name, SECRET]));
      const target = {
        url: new URL(baseUrl).pathname === '/' ? new URL(baseUrl).href : baseUrl,
        credentials: { token: SECRET, user: `mock:${SECRET}`, keys },
      };
      const verdict = await checkConformance(contract, target, { seed: SEED, runs: runsFor(REQUESTS), write: true });
      const { findings, requests, operations, untried } = verdict;
      return {
        row: `${operations.length} | ${requests} | ${findings.length} | ${untried.length} |`,
        details: [
          ...findings.map((finding) => describe(finding, target.url, [])),
          ...told(verdict.told),
          ...untriedLines(untried).map((line) => `not tried: ${line}`),
        ],
      };
    } finally {
      await close();
    }
  } catch (error) {
    return { row: '0 | 0 | not served | |', details: [messageOf(error)] };
  }
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const files = args
    .filter((arg) => arg !== '--all')
    .flatMap((place) => (statSync(place).isDirectory() ? readdirSync(place).map((name) => join(place, name)) : place))
    .filter((file) => /\.(?:json|ya?ml)$/.test(file));
  const all: string[] = [];
  console.log('| contract | operations | requests | findings | not tried |\n|---|---|---|---|---|');
  for (const file of files) {
    const name = basename(file).replaceAll('+', '/');
    const { row, details } = await check(file);
    console.log(`| ${name} | ${row}`);
    all.push(`\n${name}`, ...details.map((detail) => `  ${detail.replaceAll('\n', '\n  ')}`));
  }
  if (args.includes('--all')) console.log(all.join('\n'));
}

void main();
