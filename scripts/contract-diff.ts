/**
 * What a change of `openapi.yaml` means for its clients: what breaks, what is new, and what version number that calls for.
 * Fails where something breaks and the major version is the old one; a break that is meant is said by the version number.
 *
 *   npm run contract:diff -- BASE     against a git revision, or a file
 *   npm run contract:diff -- --main   against the main branch (origin/main, or else main), where there is one
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Base, mainBase, namedBase } from './contract-diff/base';
import { type Change, changesBetween } from './contract-diff/changes';
import { verdict } from './contract-diff/verdict';
import type { Impact } from './contract-diff/version';
import { exitWith } from './exit-with';
import { readContract } from './read-contract';
import { root } from './run-command';

const usage = `npm run contract:diff -- BASE | --main
Compares openapi.yaml with BASE, a git revision or a file, or with the main branch.
Exits 1 where clients break and info.version does not say so.`;

const HEADINGS: Readonly<Record<Impact, string>> = {
  major: 'Breaks clients',
  minor: 'Is new',
  patch: 'Other changes',
};

async function compare(base: Base): Promise<number> {
  const revised = join(root, 'openapi.yaml');
  const contract = readContract(revised);
  const changes = await changesBetween(base.file, base.place, revised);
  for (const impact of ['major', 'minor', 'patch'] as const) print(impact, changes);
  const { isFit, text } = verdict(changes, {
    base: base.name,
    before: readContract(base.file).document.info.version,
    now: contract.document.info.version,
  });
  if (isFit) console.log(text);
  else console.error(`${contract.place(['info', 'version'])} ${text}`);
  return isFit ? 0 : 1;
}

function print(impact: Impact, changes: readonly Change[]): void {
  const those = changes.filter((change) => change.impact === impact);
  if (those.length === 0) return;
  console.log(`${HEADINGS[impact]}:`);
  for (const { text, place } of those) console.log(`  ${text}\n    ${place}`);
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
    console.log('nothing to compare with: there is no main branch here with an openapi.yaml');
    return 0;
  }
  try {
    return await compare(base);
  } finally {
    base.discard();
  }
}

exitWith(main);
