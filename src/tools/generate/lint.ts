/**
 * Checks the contract with redocly, for the start and the rules of `redocly.yaml`, and reports the problems in our
 * format.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readArguments } from '../../engine';
import { Folders, problemLines } from '../../engine/reading';
import { judgeOwn } from '../project/read-contract';
import { lintRules } from '../project/own-package';
import { root, runRedocly } from '../project/run-command';

/** The parts of redocly's report that are used. */
interface Report {
  problems: Finding[];
}

interface Finding {
  ruleId: string;
  severity: string;
  message: string;
  suggest: string[];
  location: { source: { ref: string }; start?: { line: number; col: number } }[];
}

/** Rules whose findings cause others: a misspelled key also leaves references that lead nowhere, and so on. */
const CAUSES = ['struct', 'no-unresolved-refs'];

/**
 * The violations of rules and the warnings, a line for each mistake with its places. Errors that may follow
 * from another are left out while that is there. References may lead into the allowed folders, too.
 */
export async function lint(
  allowed: readonly string[] = [],
  contract = join(root, 'openapi.yaml'),
): Promise<{ problems: string[]; warnings: string[] }> {
  const args = ['lint', '--format', 'json', '--max-problems', '10000', contract];
  const { stdout, output } = await runRedocly(args, new Folders(contract, allowed).folders, lintRules());
  if (!stdout.startsWith('{')) return { problems: [output], warnings: [] };
  const found = (JSON.parse(stdout) as Report).problems;
  const errors = found.filter(({ severity }) => severity === 'error');
  const cause = CAUSES.find((rule) => errors.some(({ ruleId }) => ruleId === rule));
  const told = errors.filter(({ ruleId }) => cause === undefined || ruleId === cause);
  const lines = linesOf(told, contract);
  const rest = errors.length - told.length;
  if (rest > 0) lines.push(`${rest} more may follow from this, and appear once it is corrected`);
  return {
    problems: lines,
    warnings: linesOf(
      found.filter(({ severity }) => severity !== 'error'),
      contract,
    ),
  };
}

function linesOf(findings: readonly Finding[], contract: string): string[] {
  const nameOf = (ref = ''): string => relative(dirname(contract), resolve(root, ref)).replaceAll('\\', '/');
  const places = findings.map(
    ({ location: [at] }) => `${nameOf(at?.source.ref)}:${at?.start?.line ?? 1}:${at?.start?.col ?? 1}`,
  );
  return problemLines(
    findings.map((finding, index) => [[index], textOf(finding)]),
    ([index]) => places[Number(index)] ?? '',
  );
}

function textOf({ ruleId, message, suggest: [meant], location: [at] }: Finding): string {
  const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`;
  // Redocly does not say which reference it is.
  const line = ruleId === 'no-unresolved-refs' && at?.start ? `: ${lineOf(at.source.ref, at.start.line)}` : '';
  return `${message}${line}${hint} (${ruleId})`;
}

function lineOf(file: string, line: number): string {
  return readFileSync(resolve(root, file), 'utf8').split('\n')[line - 1]?.trim() ?? '';
}

const usage = `lint [--strict] [--allow-folder FOLDER]
Holds openapi.yaml to what the start asks of it and to the rules of redocly.yaml: exits 1 with what is wrong, a line for each mistake;
with --strict for warnings of either as well.`;

export async function run(args: string[]): Promise<number> {
  const options = {
    strict: { type: 'boolean' },
    'allow-folder': { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = readArguments({ args, options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { refusals, warnings: ofStart } = await judgeOwn();
  const { problems, warnings: ofRules } =
    refusals.length > 0 ? { problems: refusals, warnings: [] } : await lint(values['allow-folder']);
  const warnings = [...ofStart, ...ofRules];
  for (const line of problems) console.error(line);
  for (const line of warnings) console.log(`warning: ${line}`);
  return problems.length > 0 || (values.strict === true && warnings.length > 0) ? 1 : 0;
}
