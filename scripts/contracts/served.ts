/**
 * Which contracts the engine serves, as a table in Markdown: each operation has a handler, and each security scheme a verifier.
 * A contract of several files is bundled before, as `npm run generate` does it.
 *
 *   npx tsx scripts/contracts/served.ts CONTRACT|FOLDER...           the table
 *   npx tsx scripts/contracts/served.ts CONTRACT|FOLDER... --all     and below it all that is refused or told
 */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Document } from '../../src/engine/contract/document';
import { readYaml } from '../../src/engine/contract/read-yaml';
import { sourcesOf } from '../../src/engine/contract/sources';
import { messageOf } from '../../src/engine/http/api-error';
import { bundleText } from '../generate/bundle';
import { judgeContract, readContract } from '../read-contract';

const scratch = mkdtempSync(join(tmpdir(), 'served-'));

async function rowOf(file: string) {
  const row = { version: '', operations: 0, refusals: [] as readonly string[], warnings: [] as readonly string[] };
  try {
    const document = readYaml(file).value as Document;
    row.version = document.openapi;
    // Of files that are not there nothing can be bundled.
    const served = sourcesOf(file).size > 1 ? join(scratch, basename(file)) : file;
    if (served !== file) writeFileSync(served, await bundleText(file));
    row.operations = readContract(served).operations.length;
    return { ...row, ...judgeContract(served) };
  } catch (error) {
    return { ...row, refusals: [messageOf(error)] };
  }
}

/** The place before a refusal, which its file's name makes long. */
const PLACE = /^(?:the contract is not fit to be served:\n\s*)?(?:\S+:\d+:\d+ )?/;

function contractsIn(place: string): string[] {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return [place];
  const names = readdirSync(place).filter((each) => /\.(?:json|ya?ml)$/.test(each));
  return names.map((name) => join(place, name));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
  const files = positionals.flatMap(contractsIn);
  const details: string[] = [];
  let count = 0;
  console.log('| contract | version | operations | seconds of CPU | told | |\n|---|---|---|---|---|---|');
  for (const file of files) {
    const started = process.cpuUsage();
    const { version, operations, refusals, warnings } = await rowOf(file);
    const { user, system } = process.cpuUsage(started);
    const [first] = refusals;
    const said = (first ?? '').replace(PLACE, '').slice(0, 120).replaceAll(/[|\n]/g, ' ');
    const result = first === undefined ? 'served' : `refused, ${refusals.length}: ${said}`;
    const seconds = ((user + system) / 1e6).toFixed(1);
    // A document of a folder is named after its repository and path, with `+` in between.
    const name = (basename(file).includes('+') ? basename(file) : file).replaceAll('+', '/');
    console.log(`| ${name} | ${version} | ${operations} | ${seconds} | ${warnings.length} | ${result} |`);
    const lines = [...refusals.map((line) => `  refused ${line}`), ...warnings.map((line) => `  told    ${line}`)];
    details.push(`\n${name}`, ...lines);
    if (first === undefined) count++;
  }
  console.log(`\n${count} of ${files.length} are served.`);
  if (values.all) console.log(details.join('\n'));
}

void main().finally(() => rmSync(scratch, { recursive: true }));
