/** Lists the changes of `openapi.yaml` that break clients or add something, and the version number that they require. */
import { join } from 'node:path';
import { isCI } from 'ci-info';
import { readArguments } from '../../engine';
import { type Contract, oneLine } from '../../engine/reading';
import { type Base, namedBase } from './base';
import { type Change, changesBetween } from './changes';
import { mainBases } from './main-base';
import { type Impact, IMPACTS, verdictOn } from './verdict';
import { readContract } from '../project/read-contract';
import { root } from '../project/run-command';
import { typed } from '../project/typed';
import { deliver, reportOptions, reportUsage, textOutput } from '../report/deliver';
import { type Group, placeIn, type Problem } from '../report/report';

const usage = `${typed('diff', 'BASE | --main [--first] [OPTIONS]')}
Compares openapi.yaml with BASE, a git revision or a file. With --main, with the commit where this has left its base branch (that of
GITHUB_BASE_REF, CI_MERGE_REQUEST_TARGET_BRANCH_NAME or the like of Azure, Bitbucket and Jenkins, or else the default branch), and with
CI_MERGE_REQUEST_DIFF_BASE_SHA; on that branch itself, with the contract before the push (GITHUB_EVENT_PATH, CI_COMMIT_BEFORE_SHA), the
first that had its version, and the first and the last one of the version before; a merge must not break what it has merged, either. A
contract that was moved is the same contract.
Exits 1 if clients break, or something is new, and info.version does not say so. In CI it also exits 1 if there is nothing to compare
with; --first allows it to the first commit that has an openapi.yaml.

${reportUsage}
A break is shown by a request that BASE takes and openapi.yaml refuses, or by an answer that it allows and BASE does not, where one can be made.`;

const HEADINGS: Readonly<Record<Impact, string>> = {
  major: 'Breaks clients',
  minor: 'Adds',
  patch: 'Other changes',
};

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments({
    args,
    options: {
      main: { type: 'boolean' },
      first: { type: 'boolean' },
      ...reportOptions,
      help: { type: 'boolean', short: 'h' },
    },
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
  const say = textOutput(values);
  // Before the base: in a folder without a contract, nothing is compared either.
  const contract = readContract(join(root, 'openapi.yaml'));
  const bases = name === undefined ? await mainBases() : [await namedBase(name)];
  if ('why' in bases) {
    const { why, isFirst } = bases;
    // Nobody in CI would read that nothing was compared.
    const isFailed = isCI && !(isFirst && values.first);
    (isFailed ? console.error : say)(why);
    const groups: Group[] = isFailed ? [] : [{ name: 'diff', problems: [], skipped: why }];
    deliver({ name: 'diff', isFailed, verdict: why, groups }, values);
    return isFailed ? 1 : 0;
  }
  const { changes, ok, text } = await comparison(bases, contract);
  for (const impact of IMPACTS) {
    const lines = changes.flatMap((each) => (each.impact === impact ? [linesOf(each)] : []));
    if (lines.length > 0) say(`${HEADINGS[impact]}:\n${lines.join('')}`);
  }
  const version = `${contract.place(['info', 'version'])} ${text}`;
  if (ok) say(text);
  else console.error(version);
  const wrong: Problem = { level: 'error', message: text, place: placeIn(version) };
  const groups = [...(ok ? [] : [{ name: 'version', problems: [wrong] }]), ...groupsOf(changes)];
  deliver({ name: 'diff', isFailed: !ok, verdict: text, groups }, values);
  return ok ? 0 : 1;
}

interface Comparison {
  changes: readonly Change[];
  ok: boolean;
  text: string;
}

/** The comparison with the first base that calls for another version, or else with the last. */
async function comparison([base, ...more]: readonly Base[], contract: Contract): Promise<Comparison> {
  if (!base) throw new Error('expected a base to compare with, got none');
  const changes = await changesBetween(base.contract, contract);
  const impacts = changes.map(({ impact }) => impact).filter((impact) => !base.isMerged || impact === 'major');
  const verdict = verdictOn(impacts, {
    base: base.name,
    before: base.contract.document.info.version,
    now: contract.document.info.version,
  });
  return verdict.ok && more.length > 0 ? comparison(more, contract) : { changes, ...verdict };
}

function linesOf({ text, place, proof }: Change): string {
  return [
    `  ${oneLine(text)}`,
    `    ${place}`,
    ...(proof?.split('\n') ?? []).map((line) => `    ${line}`.trimEnd()),
    '',
  ].join('\n');
}

function groupsOf(changes: readonly Change[]): Group[] {
  return IMPACTS.flatMap((impact) => {
    const problems = changes
      .filter((each) => each.impact === impact)
      .map(({ text, place, proof }): Problem => ({
        level: impact === 'major' ? 'warning' : 'note',
        message: oneLine(text),
        // A place in the base is none in this change.
        place: place.startsWith('openapi.yaml:') ? placeIn(place) : undefined,
        details: proof,
      }));
    return problems.length === 0 ? [] : [{ name: HEADINGS[impact], problems }];
  });
}
