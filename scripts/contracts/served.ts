/**
 * Which of the contracts in a folder the engine serves, as a table in Markdown: each operation has a handler, and each security
 * scheme a verifier.
 *
 *   npx tsx scripts/contracts/served.ts FOLDER           the table
 *   npx tsx scripts/contracts/served.ts FOLDER --all     and below it all that is refused or told
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '../../src/engine/contract/document';
import { readYaml } from '../../src/engine/contract/source';
import { messageOf } from '../../src/engine/http/api-error';
import { judgeContract, readContract } from '../read-contract';

function rowOf(file: string) {
  const row = { version: '', operations: 0, refusals: [] as readonly string[], warnings: [] as readonly string[] };
  try {
    row.version = (readYaml(file).value as Document).openapi;
    row.operations = readContract(file).operations.length;
    return { ...row, ...judgeContract(file) };
  } catch (error) {
    return { ...row, refusals: [messageOf(error)] };
  }
}

const [folder = '.', all] = process.argv.slice(2);
const served = { all: 0, yes: 0 };
const details: string[] = [];
/** The place before a refusal, which its file's name makes long. */
const PLACE = /^(?:the contract is not fit to be served:\n\s*)?(?:\S+:\d+:\d+ )?/;
console.log('| contract | version | operations | seconds of CPU | told | |\n|---|---|---|---|---|---|');
for (const name of readdirSync(folder).filter((each) => /\.(?:json|ya?ml)$/.test(each))) {
  const started = process.cpuUsage();
  const { version, operations, refusals, warnings } = rowOf(join(folder, name));
  const { user, system } = process.cpuUsage(started);
  const [first] = refusals;
  const result =
    first === undefined
      ? 'served'
      : `refused, ${refusals.length}: ${first.replace(PLACE, '').slice(0, 120).replaceAll('|', '/')}`;
  console.log(
    `| ${name.replaceAll('+', '/')} | ${version} | ${operations} | ${((user + system) / 1e6).toFixed(1)} | ${warnings.length} | ${result} |`,
  );
  details.push(
    `\n${name}`,
    ...refusals.map((line) => `  refused ${line}`),
    ...warnings.map((line) => `  told    ${line}`),
  );
  served.all++;
  if (first === undefined) served.yes++;
}
console.log(`\n${served.yes} of ${served.all} are served.`);
if (all === '--all') console.log(details.join('\n'));
