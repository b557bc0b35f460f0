/** Runs all checks in parallel on all cores; reports every failure at the end, with how to fix it. */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../engine';
import { NOTHING } from '../diff/main-base';
import { ENGINE_PACKAGE, manifestOf } from '../project/own-package';
import { CLI, root, runTool } from '../project/run-command';
import { typed } from '../project/typed';
import { deliver, reportOptions, reportUsage, textOutput } from '../report/deliver';
import type { Group } from '../report/report';
import { problemsIn } from './problems';

interface Step {
  name: string;
  /** A command of ours, or a program of `node_modules/.bin`, and its arguments. */
  command: readonly string[];
  /** True for a step that runs only with `--all`. */
  tests?: boolean;
  /** A step that must pass first, because this one would only repeat its failures. */
  after?: string;
  /** The beginning of its output where it has passed and had nothing to do. */
  idle?: string;
  /** Instructions for fixing a failure. */
  fix: string;
}

/** The file in which tests record the answers that they get, for the step that compares these with the contract. */
const ANSWERS = 'coverage/answers.ndjson';
/**
 * The cache of tools that judge a file by what it depends on: not in `node_modules`, which CI may mount for reading alone. ESLint has none:
 * it would not lint a file again whose promises float since another file has changed.
 */
const CACHE = 'dist/.cache';
const PRETTIER_CACHE = ['--cache', '--cache-strategy=content', '--cache-location', `${CACHE}/check-prettier`];

/**
 * The steps in the order of their start: first those that others wait for, then the longest, so that the short ones
 * fill the gaps.
 */
const all: readonly Step[] = [
  {
    name: 'contract',
    command: [CLI, 'lint'],
    fix: 'correct openapi.yaml at the places above',
  },
  {
    name: 'tests',
    command: ['jest', '--maxWorkers=100%', '--coverage', '--coverageReporters=text-summary'],
    tests: true,
    fix: 'correct the code, or the test; npx jest FILE runs one alone',
  },
  {
    name: 'lint',
    command: ['eslint', '.'],
    fix: 'correct the places above; npx eslint --fix . does what it can',
  },
  {
    name: 'types',
    command: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
    fix: 'correct the places above (a missing handler goes into src/handlers.ts); npm run types checks again',
  },
  {
    name: 'format',
    command: ['prettier', ...PRETTIER_CACHE, '--log-level=warn', '--check', '.'],
    fix: 'npm run format',
  },
  {
    name: 'build', // of src alone: what only tests know, such as jest's globals, is not there
    command: ['tsc', '-p', 'src'],
    after: 'types',
    fix: 'correct the places above; npm run build checks again',
  },
  {
    name: 'drift', // of generated/ from openapi.yaml
    command: [CLI, 'generate', '--check'],
    after: 'contract',
    fix: 'npm run generate',
  },
  {
    name: 'start',
    command: [CLI, 'try'],
    after: 'contract',
    fix: 'correct the places above',
  },
  {
    name: 'diff', // changes of openapi.yaml, against its version
    command: [CLI, 'diff', '--main'],
    after: 'contract',
    idle: NOTHING,
    fix: 'fetch what is missing, take the change back, or raise the version in openapi.yaml and package.json (npm version --no-git-tag-version)',
  },
  {
    name: 'docs', // README.md and package.json, against the code and the contract
    command: ['tsx', 'scripts/check/docs.ts'],
    after: 'contract',
    fix: 'correct one of the two that each line names',
  },
  {
    name: 'answers', // answers in tests, against those that openapi.yaml declares
    command: ['tsx', 'scripts/check/answers.ts', ANSWERS],
    tests: true,
    after: 'tests',
    fix: 'declare what is answered, test what is declared, or remove it from openapi.yaml',
  },
];

/**
 * True in a project made by `new`, which lacks the scripts of some steps; in this repository a missing script is a
 * failure.
 */
const isMade = ENGINE_PACKAGE in manifestOf(root).dependencies;
const steps = all.filter(({ command: [program] }) => !isMade || program !== 'tsx');

const usage = `${typed('check', '[--all | --only STEP,...] [--strict] [--first] [--allow-folder FOLDER]')}
Runs all steps but those of tests (*), with --all these as well, or those that are named. Warnings about the contract, of the start and
of its lint, are listed, and fail with --strict. In CI, diff fails without an earlier openapi.yaml; --first allows it to the first
commit that has one. A contract that was generated with --allow-folder is checked with it.
${reportUsage}
  ${steps.map(({ name, tests }) => `${name}${tests ? '*' : ''}`).join(', ')}`;

/** Runs as many steps at a time as there are cores; resolves to their results in the order of the steps. */
async function runAll(chosen: readonly Step[], say: (text: string) => void): Promise<Group[]> {
  const waiting = [...chosen];
  const ended = new Map<string, Promise<boolean>>();
  const groups = new Map<Step, Group>();
  const failed: string[] = [];
  const runStep = async (step: Step): Promise<boolean> => {
    if ((await ended.get(step.after ?? '')) === false) {
      const skipped = `${step.after} has not passed`;
      say(`           skipped ${step.name}: ${skipped}`);
      groups.set(step, { name: step.name, problems: [], skipped });
      return false;
    }
    say(`           ${step.name} ...`);
    // Annotations are ours to write, once.
    const { ok, seconds, stdout, output } = await runTool(step.command, { ANSWERS_FILE: ANSWERS, GITHUB_ACTIONS: '' });
    const skipped = ok && step.idle !== undefined && stdout.startsWith(step.idle) ? stdout.trim() : undefined;
    say(`${seconds.toFixed(1).padStart(6)} s  ${skipped ? 'idle  ' : ok ? 'ok    ' : 'FAILED'} ${step.name}`);
    groups.set(step, { name: step.name, seconds, problems: ok ? [] : failuresOf(step, output), skipped });
    if (!ok) failed.push(`\n--- ${step.name}\n\n${output}\n\nTo fix it: ${step.fix}`);
    else if (output !== '') say(output.replace(/^(?=.)/gm, '           '));
    return ok;
  };
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const end = runStep(step);
      ended.set(step.name, end);
      await end;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  for (const each of failed) say(each);
  return chosen.flatMap((step) => groups.get(step) ?? []);
}

/** The places that a failed step names; without one the whole output. */
function failuresOf({ fix }: Step, output: string): Group['problems'] {
  const problems = problemsIn(output);
  return problems.length > 0 ? problems : [{ level: 'error', message: fix, details: output }];
}

interface Choice {
  all?: boolean | undefined;
  only?: string | undefined;
  strict?: boolean | undefined;
  first?: boolean | undefined;
  'allow-folder'?: string[] | undefined;
}

/** The steps that run, with the flags that are passed on to them. Throws for names of no step. */
function chosenSteps({ all: withTests = false, only, strict, first, ...choice }: Choice): Step[] {
  if (only !== undefined && withTests) throw new Error(`expected --all or --only, got both\n${usage}`);
  const names = only?.split(',');
  const unknown = names?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`expected names of steps, got ${unknown.join(', ')}\n${usage}`);
  const folders = (choice['allow-folder'] ?? []).flatMap((folder) => ['--allow-folder', folder]);
  const flags: Record<string, string[]> = {
    contract: [...(strict ? ['--strict'] : []), ...folders],
    drift: folders,
    diff: first ? ['--first'] : [],
  };
  return steps
    .filter(({ name, tests }) => names?.includes(name) ?? (withTests || !tests))
    .map((step) => ({ ...step, command: [...step.command, ...(flags[step.name] ?? [])] }));
}

export async function run(args: string[]): Promise<number> {
  const { values } = readArguments({
    args,
    options: {
      all: { type: 'boolean' },
      only: { type: 'string' },
      strict: { type: 'boolean' },
      first: { type: 'boolean' },
      'allow-folder': { type: 'string', multiple: true },
      ...reportOptions,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const chosen = chosenSteps(values);
  const say = textOutput(values);
  if (chosen.some(({ name }) => name === 'tests')) rmSync(join(root, ANSWERS), { force: true });
  const start = performance.now();
  const groups = await runAll(chosen, say);
  const failures = groups.filter(({ problems }) => problems.length > 0).map(({ name }) => name);
  const done = groups.flatMap(({ name, skipped }) => (skipped === undefined ? name : []));
  const left = steps.flatMap(({ name }) => (done.includes(name) ? [] : name));
  const passed = `all steps passed${left.length === 0 ? '' : `; not run: ${left.join(', ')}`}`;
  const verdict = failures.length === 0 ? passed : `failed: ${failures.join(', ')}`;
  say(`\n${verdict} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  deliver({ name: 'check', isFailed: failures.length > 0, verdict, groups }, values);
  return failures.length === 0 ? 0 : 1;
}
