/** Lists what a change of `openapi.yaml` breaks for clients and what is new, and the version number that it calls for. */
import { join } from 'node:path';
import { readArguments } from '../../engine';
import { mainBase, namedBase } from './base';
import { changesBetween } from './changes';
import { type Impact, IMPACTS, verdictOn } from './verdict';
import { readContract } from '../project/read-contract';
import { root } from '../project/run-command';

const usage = `npm run contract:diff -- BASE | --main
Compares openapi.yaml with BASE, a git revision or a file, or with origin/main or else main; if the contract is the same there, with
what it was before its last change. Exits 1 if clients break, or something is new, and info.version does not say so.`;

const HEADINGS: Readonly<Record<Impact, string>> = {
  major: 'Breaks clients',
  minor: 'Adds',
  patch: 'Other changes',
};

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
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
  const contract = readContract(join(root, 'openapi.yaml'));
  const changes = await changesBetween(base.contract, contract);
  for (const impact of IMPACTS) {
    const lines = changes.flatMap((each) => (each.impact === impact ? [`  ${each.text}\n    ${each.place}\n`] : []));
    if (lines.length > 0) console.log(`${HEADINGS[impact]}:\n${lines.join('')}`);
  }
  const { ok, text } = verdictOn(
    changes.map(({ impact }) => impact),
    { base: base.name, before: base.contract.document.info.version, now: contract.document.info.version },
  );
  if (ok) console.log(text);
  else console.error(`${contract.place(['info', 'version'])} ${text}`);
  return ok ? 0 : 1;
}
