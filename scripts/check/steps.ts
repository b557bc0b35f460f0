/** The steps of `npm run check`. */
import type { Step } from './run-steps';

/** Where the tests record the answers they have seen, for the step that compares them with the contract. */
const answersFile = 'coverage/answers.ndjson';

/** Gates first; then the longest, so that the short ones fill the gaps. */
export const steps: readonly Step[] = [
  {
    name: 'contract',
    what: 'openapi.yaml follows its rules, and its examples fit their schemas',
    command: ['redocly', 'lint', '--config', 'redocly.yaml', 'openapi.yaml'],
    gate: true,
    fix: 'correct openapi.yaml at the places above',
  },
  {
    name: 'drift',
    what: 'generated/ is what openapi.yaml generates',
    command: ['tsx', 'scripts/generate.ts', '--check'],
    gate: true,
    fix: 'npm run generate',
  },
  {
    name: 'start',
    what: 'the server starts with openapi.yaml',
    command: ['tsx', 'scripts/check/start.ts'],
    gate: true,
    shows: 'everything',
    fix: 'correct the places above',
  },
  {
    name: 'tests',
    what: 'all tests pass',
    command: ['jest', '--maxWorkers=100%'],
    env: { ANSWERS_FILE: answersFile },
    appendsTo: answersFile,
    fix: 'correct the code, or the test; npx jest FILE runs one alone',
  },
  {
    name: 'lint',
    what: 'the code follows its rules',
    command: ['eslint', '-c', 'eslint.config.mjs', '.'],
    fix: 'correct the places above; npx eslint -c eslint.config.mjs --fix . does what it can',
  },
  {
    name: 'types',
    what: 'the code has the types that the contract asks for',
    command: ['tsc', '--noEmit'],
    fix: 'correct the places above (a missing handler goes into src/handlers.ts); npm run types checks again',
  },
  {
    name: 'build',
    what: 'src compiles to dist',
    command: ['tsc', '--build', 'src'],
    fix: 'correct the places above; npm run build checks again',
  },
  {
    name: 'format',
    what: 'every file is formatted',
    command: ['prettier', '--check', '.'],
    fix: 'npm run format',
  },
  {
    name: 'diff',
    what: 'a change of openapi.yaml has the version that it calls for: major where it breaks clients, minor where it adds',
    command: ['tsx', 'scripts/contract-diff.ts', '--main'],
    shows: 'last line',
    fix: 'take the change back, or raise the version in openapi.yaml and package.json (npm version --no-git-tag-version)',
  },
  {
    name: 'docs',
    what: 'README.md and package.json agree with the code and the contract',
    command: ['tsx', 'scripts/check/docs.ts'],
    fix: 'correct one of the two that each line names',
  },
  {
    name: 'answers',
    what: 'the tests produce every answer that openapi.yaml declares, and no other',
    command: ['tsx', 'scripts/check/answers.ts', answersFile],
    after: 'tests',
    fix: 'declare what is answered, test what is declared, or remove it from openapi.yaml',
  },
];
