/**
 * Which of the contracts in a folder the engine serves, as a table in Markdown: each operation has a handler, and each security
 * scheme a verifier.
 *
 *   npx tsx scripts/served-contracts.ts FOLDER           the table
 *   npx tsx scripts/served-contracts.ts FOLDER --all     and below it all that is refused or told
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readServed } from '../src/engine/contract/bundle';
import { type Document, schemeKind } from '../src/engine/contract/document';
import { operationsOf } from '../src/engine/contract/operations';
import { ContractProblems, readYaml } from '../src/engine/contract/source';
import { messageOf } from '../src/engine/http/api-error';
import { canRead } from '../src/engine/http/media-type';
import { loadContract } from '../src/engine/rules/load-contract';

interface Row {
  version: string;
  operations: number;
  refusals: readonly string[];
  warnings: readonly string[];
}

function rowOf(file: string): Row {
  const row: Row = { version: '', operations: 0, refusals: [], warnings: [] };
  try {
    row.version = (readYaml(file).value as Document).openapi;
    const document = readServed(file).value as Document;
    const handlers = operationsOf(document).map(({ id }) => id);
    row.operations = handlers.length;
    const schemes = Object.entries(document.components?.securitySchemes ?? {});
    const verifiers = Object.fromEntries(schemes.map(([name, scheme]) => [name, { scheme: schemeKind(scheme) }]));
    row.warnings = loadContract(file, { handlers, verifiers, canRead }).warnings;
  } catch (error) {
    row.refusals = error instanceof ContractProblems ? error.problems : [messageOf(error)];
  }
  return row;
}

const [folder = '.', all] = process.argv.slice(2);
const served = { all: 0, yes: 0 };
const details: string[] = [];
console.log('| contract | version | operations | seconds of CPU | told | |\n|---|---|---|---|---|---|');
for (const name of readdirSync(folder).filter((each) => /\.(?:json|ya?ml)$/.test(each))) {
  const started = process.cpuUsage();
  const { version, operations, refusals, warnings } = rowOf(join(folder, name));
  const { user, system } = process.cpuUsage(started);
  const [first] = refusals;
  const result =
    first === undefined ? 'served' : `refused, ${refusals.length}: ${first.slice(0, 160).replaceAll('|', '/')}`;
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
