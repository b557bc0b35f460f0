/**
 * Lists what a change of `openapi.yaml` breaks for clients and what is new, and the version number that it calls for. Fails
 * where something breaks and the major version is the old one, or something is new and the minor version is.
 *
 *   npm run contract:diff -- BASE     against a git revision, or a file
 *   npm run contract:diff -- --main   against the main branch (origin/main, or else main), where there is one; on that branch
 *                                     itself against what it had before the contract's last change
 */
import '../src/node-version';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { servedFile } from '../src/engine/contract/bundle';
import { type Base, mainBase, namedBase } from './contract-diff/base';
import { type Change, changesBetween } from './contract-diff/changes';
import { type Impact, IMPACTS, verdictOn } from './contract-diff/verdict';
import { exitWith } from '../src/engine/commands/exit-with';
import { readContract } from './read-contract';
import { root } from './run-command';

const usage = `npm run contract:diff -- BASE | --main
Compares openapi.yaml with BASE, a git revision or a file, or with the main branch.
Exits 1 where clients break, or something is new, and info.version does not say so.`;

const HEADINGS: Readonly<Record<Impact, string>> = {
  major: 'Breaks clients',
  minor: 'Adds',
  patch: 'Other changes',
};

async function compare(base: Base): Promise<number> {
  const contract = readContract(join(root, 'openapi.yaml'));
  const revised = servedFile(join(root, 'openapi.yaml'));
  const changes = await changesBetween(base.file, base.place, revised);
  for (const impact of IMPACTS) print(impact, changes);
  const { ok, text } = verdictOn(
    changes.map(({ impact }) => impact),
    { base: base.name, before: readContract(base.file).document.info.version, now: contract.document.info.version },
  );
  if (ok) console.log(text);
  else console.error(`${contract.place(['info', 'version'])} ${text}`);
  return ok ? 0 : 1;
}

function print(impact: Impact, all: readonly Change[]): void {
  const changes = all.filter((change) => change.impact === impact);
  if (changes.length === 0) return;
  console.log(`${HEADINGS[impact]}:`);
  for (const { text, place } of changes) console.log(`  ${text}\n    ${place}`);
  console.log();
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { main: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [name, ...rest] = positionals;
  if ((name === undefined) !== (values.main === true) || rest.length > 0) {
    console.error(`expected one BASE, or --main, got ${JSON.stringify(positionals)}\n${usage}`);
    return 1;
  }
  const base = name === undefined ? await mainBase() : await namedBase(name);
  if (!base) {
    console.log('nothing to compare with: there is no main branch here with an earlier openapi.yaml');
    return 0;
  }
  try {
    return await compare(base);
  } finally {
    base.discard();
  }
}

exitWith(main);
