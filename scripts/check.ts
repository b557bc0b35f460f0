/**
 * All that CI checks, in one command: independent steps run side by side, none stops another, and what is wrong is told at
 * the end.
 *
 *   npm run check
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

interface Step {
  name: string;
  command: string[];
  /** What mends it, where a command does. */
  mend?: string;
}

interface Result {
  step: Step;
  ok: boolean;
  seconds: number;
  output: string;
}

const root = join(__dirname, '..');

/** The longest come first, so that the short ones fill the gaps. */
const steps: Step[] = [
  { name: 'tests', command: ['jest', '--coverage'], mend: 'npm test' },
  { name: 'code lint', command: ['eslint', '-c', '.eslint.config.mjs', '.'] },
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'build', command: ['tsc', '--build', 'src'] },
  { name: 'format', command: ['prettier', '--check', '.'], mend: 'npm run format' },
  { name: 'contract lint', command: ['redocly', 'lint', '--config', '.redocly.yaml', 'openapi.yaml'] },
  { name: 'drift', command: ['tsx', 'scripts/generate.ts', '--check'], mend: 'npm run generate' },
];

function run(step: Step): Promise<Result> {
  const [program = '', ...args] = step.command;
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('close', (code) => {
      const result = { step, ok: code === 0, seconds: (performance.now() - start) / 1000, output };
      console.log(
        `${result.ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(15)} ${result.seconds.toFixed(1).padStart(5)} s`,
      );
      resolve(result);
    });
  });
}

/** Runs all steps, as many at once as there are processors. */
async function runAll(): Promise<Result[]> {
  const waiting = [...steps];
  const results: Result[] = [];
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await run(step));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

async function main(): Promise<void> {
  const start = performance.now();
  const results = await runAll();
  const failed = results.filter(({ ok }) => !ok);
  for (const { step, output } of failed) {
    console.log(`\n--- ${step.name}: ${step.command.join(' ')}\n${output.trim()}`);
    if (step.mend !== undefined) console.log(`Mend or look closer with: ${step.mend}`);
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const verdict =
    failed.length === 0
      ? 'all is well'
      : `${failed.length} of ${steps.length} failed: ${failed.map(({ step }) => step.name).join(', ')}`;
  console.log(`\n${verdict} (${seconds} s)`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

void main();
