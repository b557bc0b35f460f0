/**
 * Everything that is checked without tests, side by side on all cores; every failure is reported at the end, with how to fix it.
 *
 *   npm run check                       without tests
 *   npm run check -- --all              also all tests, with their coverage
 *   npm run check -- --only types,docs
 */
import '../src/node-version';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWith } from '../src/engine/commands/exit-with';
import { type Outcome, root, runTool } from './run-command';

interface Step {
  name: string;
  /** What it makes sure of. */
  what: string;
  /** A program of `node_modules/.bin` and its arguments. */
  command: readonly string[];
  /** Only with `--all`. */
  tests?: boolean;
  /** The step that must have passed, or this one would only say the same again. */
  after?: string;
  /** How to fix a failure. */
  fix: string;
}

/** Where the tests record the answers they have seen, for the step that compares them with the contract. */
const ANSWERS = 'coverage/answers.ndjson';
/** What tools remember of files that have not changed since. */
const CACHE = 'node_modules/.cache';
const cacheIn = (name: string): string[] => ['--cache', '--cache-location', `${CACHE}/check-${name}`];

/** First what others wait for, then the longest, so that the short ones fill the gaps. */
const all: readonly Step[] = [
  {
    name: 'contract',
    what: 'openapi.yaml can be served, follows its rules, and its examples fit their schemas',
    command: ['tsx', 'scripts/generate/lint.ts'],
    fix: 'correct openapi.yaml at the places above',
  },
  {
    name: 'tests',
    what: 'all tests pass, and cover the code',
    command: ['jest', '--maxWorkers=100%', '--coverage', '--coverageReporters=text-summary'],
    tests: true,
    fix: 'correct the code, or the test; npx jest FILE runs one alone',
  },
  {
    name: 'lint',
    what: 'the code follows its rules',
    command: ['eslint', ...cacheIn('eslint'), '--cache-strategy=content', '.'],
    fix: 'correct the places above; npx eslint --fix . does what it can',
  },
  {
    name: 'types',
    what: 'the code has the types that the contract asks for',
    command: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
    fix: 'correct the places above (a missing handler goes into src/handlers.ts); npm run types checks again',
  },
  {
    name: 'format',
    what: 'every file is formatted',
    command: ['prettier', ...cacheIn('prettier'), '--check', '.'],
    fix: 'npm run format',
  },
  {
    name: 'build',
    what: 'src compiles to dist',
    command: ['tsc', '--build', 'src', '--noCheck'],
    fix: 'correct the places above; npm run build checks again',
  },
  {
    name: 'drift',
    what: 'generated/ is what openapi.yaml generates',
    command: ['tsx', 'scripts/generate.ts', '--check'],
    after: 'contract',
    fix: 'npm run generate',
  },
  {
    name: 'start',
    what: 'the server starts with openapi.yaml',
    command: ['tsx', 'scripts/check/start.ts'],
    after: 'contract',
    fix: 'correct the places above',
  },
  {
    name: 'diff',
    what: 'a change of openapi.yaml has the version that it calls for: major where it breaks clients, minor where it adds',
    command: ['tsx', 'scripts/contract-diff.ts', '--main'],
    after: 'contract',
    fix: 'take the change back, or raise the version in openapi.yaml and package.json (npm version --no-git-tag-version)',
  },
  {
    name: 'docs',
    what: 'README.md and package.json agree with the code and the contract',
    command: ['tsx', 'scripts/check/docs.ts'],
    after: 'contract',
    fix: 'correct one of the two that each line names',
  },
  {
    name: 'answers',
    what: 'the tests produce every answer that openapi.yaml declares, and no other',
    command: ['tsx', 'scripts/check/answers.ts', ANSWERS],
    tests: true,
    after: 'tests',
    fix: 'declare what is answered, test what is declared, or remove it from openapi.yaml',
  },
];

/** Some check what not every project has. */
const steps = all.filter(({ command: [, script = ''] }) => !script.endsWith('.ts') || existsSync(join(root, script)));

const usage = `npm run check [-- --all | --only STEP,...] [--strict]
Runs all steps but those of tests (*), with --all these as well, or those that are named. Warnings of the contract's lint are told,
and fail with --strict.
${steps.map(({ name, what, tests }) => `  ${name.padEnd(9)} ${what}${tests ? ' *' : ''}`).join('\n')}`;

interface Result extends Outcome {
  step: Step;
}

/** Runs as many steps at a time as there are cores, each after the one it names; each is told as it ends. */
async function run(chosen: readonly Step[], isStrict: boolean): Promise<Result[]> {
  const waiting = [...chosen];
  const running = new Map<string, Promise<Result>>();
  const ended = new Set<string>();
  const runStep = async (step: Step): Promise<Result> => {
    const before = await running.get(step.after ?? '');
    if (before?.ok === false) {
      ended.add(step.name);
      console.log(`${' '.repeat(8)}  skipped ${step.name}: ${before.step.name} has not passed`);
      return { ...before, step, output: '' };
    }
    const result = { step, ...(await runTool(step.command, { ANSWERS_FILE: ANSWERS })) };
    ended.add(step.name);
    const warnings = step.name === 'contract' ? (/^You have \d+ warnings?/m.exec(result.output)?.[0] ?? '') : '';
    if (isStrict && warnings !== '') result.ok = false;
    const told = warnings && `${warnings}: npx redocly lint openapi.yaml shows them`;
    const note = step.name === 'diff' || step.name === 'start' ? result.output : told;
    console.log(`${line(result)}${result.ok ? note.replace(/^(?=.)/gm, '\n          ') : ''}`);
    return result;
  };
  const started = performance.now();
  const alive = setInterval(() => {
    const names = [...running.keys()].filter((name) => !ended.has(name));
    process.stderr.write(`${seconds(performance.now() - started)}  ... ${names.join(', ')}\n`);
  }, ALIVE_MS);
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = runStep(step);
      running.set(step.name, result);
      await result;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  clearInterval(alive);
  return Promise.all(running.values());
}

/** How often what is running is told. */
const ALIVE_MS = 10_000;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}

function line({ step, ok, seconds: taken }: Result): string {
  return `${seconds(taken * 1000)}  ${ok ? 'ok    ' : 'FAILED'} ${step.name}`;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean' },
      only: { type: 'string' },
      strict: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const names = values.only?.split(',');
  const unknown = names?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0) {
    console.error(`expected names of steps, got ${unknown.join(', ')}\n${usage}`);
    return 1;
  }
  const chosen = steps.filter(({ name, tests }) => names?.includes(name) ?? (values.all === true || !tests));
  mkdirSync(join(root, CACHE), { recursive: true });
  if (chosen.some(({ name }) => name === 'tests')) rmSync(join(root, ANSWERS), { force: true });
  const start = performance.now();
  // Those that were skipped have nothing to say.
  const results = await run(chosen, values.strict === true);
  const failed = results.filter(({ ok, output }) => !ok && output !== '');
  for (const { step, output } of failed)
    console.log(`\n--- ${step.name}: ${step.what}\n\n${output}\n\nTo fix it: ${step.fix}`);
  const verdict =
    failed.length === 0 ? 'all steps passed' : `failed: ${failed.map(({ step }) => step.name).join(', ')}`;
  console.log(`\n${verdict} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return failed.length === 0 ? 0 : 1;
}

exitWith(main);
