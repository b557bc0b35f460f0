/** `redocly.yaml` of a new project: our rules, of which those that its contract breaks already are told, and fail nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ownLintRules } from '../project/own-package';
import { runRedocly } from '../project/run-command';

/** Writes it; resolves to the rules that the contract breaks, each with the number of its places. */
export async function writeLintRules(project: string): Promise<[rule: string, places: number][]> {
  const contract = join(project, 'openapi.yaml');
  const args = ['lint', contract, '--format', 'summary', '--max-problems', '1000000'];
  const { output } = await runRedocly(args, [project], ownLintRules);
  const broken = [...output.matchAll(/^error\s+(\S+): (\d+)$/gm)].map(([, rule = '', places]): [string, number] => [
    rule,
    Number(places),
  ]);
  const rules = parseDocument(readFileSync(ownLintRules, 'utf8'));
  for (const [rule] of broken) {
    const severity = rules.hasIn(['rules', rule, 'severity']) ? ['rules', rule, 'severity'] : ['rules', rule];
    rules.setIn(severity, 'warn');
  }
  const note =
    '\n# The rules that are `warn` the contract broke when the project was made. `npm run check -- --strict` has them fail.';
  writeFileSync(
    join(project, 'redocly.yaml'),
    rules.toString({ lineWidth: 0 }).replace('\n', `${broken.length > 0 ? note : ''}\n`),
  );
  return broken;
}
