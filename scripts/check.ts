/**
 * Everything that CI checks. A contract that cannot be served, or types that are not generated from it, end the check with
 * that one reason; all other steps run side by side, and every failure is reported at the end, with how to fix it.
 *
 *   npm run check
 *   npm run check -- --only types,docs
 */
import '../src/node-version';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Result, runSteps, type Step } from './check/run-steps';
import { steps } from './check/steps';
import { exitWith } from './exit-with';

const usage = `npm run check [-- --only STEP,...]
Runs all steps, or the named ones:
${steps.map(({ name, what }) => `  ${name.padEnd(9)} ${what}`).join('\n')}`;

function report(results: readonly Result[], notRun: readonly Step[], seconds: number): number {
  for (const { name } of notRun) console.log(`not run ${name}`);
  const failed = results.filter(({ ok }) => !ok);
  for (const { step, output } of failed) {
    console.log(`\n--- ${step.name}: ${step.what}\n\n${output}\n\nTo fix it: ${step.fix}`);
  }
  const names = failed.map(({ step }) => step.name).join(', ');
  const rest = notRun.length > 0 ? `; ${notRun.length} not run` : '';
  const verdict = names === '' ? 'all steps passed' : `failed: ${names}${rest}`;
  console.log(`\n${verdict} (${seconds.toFixed(1)} s)`);
  return names === '' ? 0 : 1;
}

function printResult({ step, ok, seconds, output }: Result): void {
  const lines = output.split('\n').filter((line) => line !== '');
  const shown = ok && step.shows ? lines.slice(step.shows === 'last line' ? -1 : 0) : [];
  const note = shown.map((line) => `  ${line}`).join('\n');
  console.log(`${ok ? 'ok     ' : 'FAILED '} ${step.name.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s${note}`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const names = values.only?.split(',') ?? steps.map(({ name }) => name);
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`expected names of steps, got ${unknown.join(', ')}\n${usage}`);
    return 1;
  }
  const start = performance.now();
  const chosen = steps.filter(({ name }) => names.includes(name));
  const { results, notRun } = await runSteps(chosen, availableParallelism(), printResult);
  return report(results, notRun, (performance.now() - start) / 1000);
}

exitWith(main);
