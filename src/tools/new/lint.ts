/** `redocly.yaml` of a new project: our rules, of which those that its contract breaks already are told, and fail nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { root, runRedocly } from '../project/run-command';

/** Writes it; resolves to the rules that the contract breaks, each with the number of its places. */
export async function writeLintRules(project: string): Promise<[rule: string, places: number][]> {
  const ours = join(root, 'redocly.yaml');
  const contract = join(project, 'openapi.yaml');
  const options = ['--config', ours, '--format', 'summary', '--max-problems', '1000000'];
  const { output } = await runRedocly(['lint', contract, ...options], [project]);
  const broken = [...output.matchAll(/^error\s+(\S+): (\d+)$/gm)].map(([, rule = '', places]): [string, number] => [
    rule,
    Number(places),
  ]);
  const rules = parseDocument(readFileSync(ours, 'utf8'));
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
