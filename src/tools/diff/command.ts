/** Lists the changes of `openapi.yaml` that break clients or add something, and the version number that they require. */
import { join } from 'node:path';
import { readArguments } from '../../engine';
import { namedBase } from './base';
import { changesBetween } from './changes';
import { mainBase } from './main-base';
import { type Impact, IMPACTS, verdictOn } from './verdict';
import { readContract } from '../project/read-contract';
import { root } from '../project/run-command';
import { typed } from '../project/typed';

const usage = `${typed('diff', 'BASE | --main [--first]')}
Compares openapi.yaml with BASE, a git revision or a file. With --main, with the commit where this has left its base branch (that of
GITHUB_BASE_REF or CI_MERGE_REQUEST_TARGET_BRANCH_NAME, or else the default branch of origin, main or master); on that branch itself,
with the contract before its last change. Exits 1 if clients break, or something is new, and info.version does not say so.
Where CI is set, it also exits 1 if there is nothing to compare with; --first allows it to the first commit that has an openapi.yaml.`;

const HEADINGS: Readonly<Record<Impact, string>> = {
  major: 'Breaks clients',
  minor: 'Adds',
  patch: 'Other changes',
};

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    options: { main: { type: 'boolean' }, first: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
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
  if ('why' in base) {
    const isFailure = isCi(process.env) && !(base.isFirst && values.first);
    (isFailure ? console.error : console.log)(base.why);
    return isFailure ? 1 : 0;
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

/** True in CI, where nobody would read that nothing was compared. */
function isCi({ CI = '' }: NodeJS.ProcessEnv): boolean {
  return !['', '0', 'false'].includes(CI);
}
