/** What is checked: each step names what it makes sure of, and what to do where it fails. */
import { availableParallelism } from 'node:os';
import { cachePlace } from '../cache-place';
import type { Step } from './run-steps';

/** Where the tests write down what was answered, for the step that compares it with the contract. */
const answersFile = 'coverage/answers.ndjson';

/** The longest come first, so that the short ones fill the gaps; what builds on another comes last. */
export const steps: readonly Step[] = [
  {
    name: 'tests',
    what: 'all tests pass',
    // Some wait more than they compute.
    command: ['jest', `--maxWorkers=${availableParallelism() + 1}`],
    env: { ANSWERS_FILE: answersFile },
    writes: answersFile,
    mend: 'correct the code, or the test; npx jest FILE runs one alone',
  },
  {
    name: 'lint',
    what: 'the code keeps its rules',
    command: () => ['eslint', '-c', '.eslint.config.mjs', ...lintCache(), '.'],
    mend: 'correct the places above; npx eslint -c .eslint.config.mjs --fix . does what it can',
  },
  {
    name: 'types',
    what: 'the code is what the contract and the compiler ask for',
    command: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'dist/types.tsbuildinfo'],
    mend: 'correct the places above (a missing handler goes into src/handlers.ts); npm run types checks again',
  },
  {
    name: 'build',
    what: 'src compiles to dist',
    command: ['tsc', '--build', 'src'],
    mend: 'correct the places above; npm run build checks again',
  },
  {
    name: 'format',
    what: 'every file is formatted',
    command: ['prettier', '--check', '--cache', '.'],
    mend: 'npm run format',
  },
  {
    name: 'drift',
    what: 'generated/ is what openapi.yaml gives',
    command: ['tsx', 'scripts/generate.ts', '--check'],
    mend: 'npm run generate',
  },
  {
    name: 'diff',
    what: 'a change of openapi.yaml that breaks clients has a new major version',
    command: ['tsx', 'scripts/contract-diff.ts', '--main'],
    says: true,
    mend: 'take the change back, or raise info.version in openapi.yaml and version in package.json',
  },
  {
    name: 'contract',
    what: 'openapi.yaml keeps its rules, and its examples fit their schemas',
    command: ['redocly', 'lint', '--config', '.redocly.yaml', 'openapi.yaml'],
    mend: 'correct openapi.yaml at the places above',
  },
  {
    name: 'docs',
    what: 'README.md and package.json say what the code and the contract say',
    command: ['tsx', 'scripts/check/docs.ts'],
    mend: 'correct one of the two that each line names',
  },
  {
    name: 'answers',
    what: 'the tests produce all answers that openapi.yaml declares, and no others',
    command: ['tsx', 'scripts/check/answers.ts', answersFile],
    after: 'tests',
    mend: 'declare what is answered, test what is declared, or take it out of openapi.yaml',
  },
];

/** What a rule finds in one file may be due to the types of another, so that a finding is kept only while all stay the same. */
function lintCache(): string[] {
  const read = ['src', 'generated', 'scripts', 'test', 'tsconfig.json', '.eslint.config.mjs', 'package-lock.json'];
  return ['--cache', '--cache-strategy', 'content', '--cache-location', cachePlace('lint', read)];
}
