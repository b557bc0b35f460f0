/**
 * All that CI checks, in one command: independent steps run side by side, none stops another, and what is wrong is told at
 * the end, with what mends it.
 *
 *   npm run check
 *   npm run check -- --only types,docs
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Result, runSteps } from './check/run-steps';
import { steps } from './check/steps';
import { exitWith } from './exit-with';

const usage = `npm run check [-- --only STEP,...]
Runs all steps, or those that are named:
${steps.map(({ name, what }) => `  ${name.padEnd(9)} ${what}`).join('\n')}`;

function report(results: readonly Result[], seconds: number): number {
  const failed = results.filter(({ ok }) => !ok);
  for (const { step, output } of failed) {
    console.log(`\n--- ${step.name}: ${step.what}\n\n${output}\n\nWhat mends it: ${step.mend}`);
  }
  const verdict =
    failed.length === 0
      ? 'all is well'
      : `${failed.length} of ${results.length} failed: ${failed.map(({ step }) => step.name).join(', ')}`;
  console.log(`\n${verdict} (${seconds.toFixed(1)} s)`);
  return failed.length === 0 ? 0 : 1;
}

function printResult({ step, ok, seconds, output }: Result): void {
  const note = ok && step.says ? `  ${output.split('\n').at(-1) ?? ''}` : '';
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s${note}`);
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
  const results = await runSteps(chosen, availableParallelism(), printResult);
  return report(results, (performance.now() - start) / 1000);
}

exitWith(main);
