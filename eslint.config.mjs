// The rules for the code; `npm run check` runs them.
import { defineConfig } from 'eslint/config';
import { codeRules } from './src/tools/check/code-rules.mjs';

/** Refuses imports that match, as gitignore has patterns. */
const refuse = (files, ...group) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message: 'see "The house" in src/README.md' }] }] },
});
/** Files at each depth of a wing, with the way from there to `src`. */
const depths = (wing) => ['*', '*/*', '*/*/*'].map((name, depth) => [[`${wing}/${name}.ts`], '../'.repeat(depth + 1)]);
/** Refuses the words of our domain, in comments as well. */
const namesNoPlant = {
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const { index } of sourceCode.text.matchAll(/plant|DATABASE_/gi))
        context.report({
          loc: sourceCode.getLocFromIndex(index),
          message: 'the engine serves any contract: name nothing of ours',
        });
    },
  }),
};
/** What the domain may know of the engine, and its commands. */
const ERRORS = ['ApiError', 'ErrorCode', 'messageOf'];
const VALUES = [
  'canonicalText',
  'ExactNumber',
  'parseJson',
  'stringifyJson',
  'toInt64',
  'readArguments',
  'readVariables',
  'copyAccess',
  'syncFolder',
];
const DOORS = ['!**/engine/reading', '!**/engine/tooling'];
/** The folders of the engine from the ground up: each imports those before it alone. */
const FLOORS = [
  ['json', 'errors'],
  ['process'],
  ['contract'],
  ['schema'],
  ['http'],
  ['auth', 'admin'],
  ['operation', 'commands'],
  ['docs', 'rules'],
];

export default defineConfig(
  ...codeRules(import.meta.dirname),
  { ignores: ['scripts/bench/dist/', 'scripts/bench/peers/'] },
  // The engine serves any contract: what is outside of its folder it is given.
  ...depths('src/engine').map(([files, src]) => refuse(files, `${src}*`)),
  ...FLOORS.flatMap((rooms, floor) => {
    const below = FLOORS.slice(0, floor).flat();
    return rooms.map((room) => refuse([`src/engine/${room}/*.ts`], '../*', ...below.map((each) => `!../${each}`)));
  }),
  {
    files: ['src/engine/**/*.{ts,js}'],
    plugins: { house: { rules: { 'names-no-plant': namesNoPlant } } },
    rules: { 'house/names-no-plant': 'error' },
  },
  // The tools are there for development.
  { files: ['src/tools/**/*.ts'], rules: { 'import-x/no-extraneous-dependencies': 'off' } },
  // The tools know the engine by its doors, and no service.
  ...depths('src/tools').map(([files, src]) => refuse(files, `${src}*`, `!${src}engine`, '**/engine/*', ...DOORS)),
  // The conformance suite reads documents as the engine does, and judges by itself: with schemas, parameters and security of its own.
  ...depths('src/tools/conformance').map(([files, conformance]) =>
    refuse(files, `${conformance}../../*`, `!${conformance}../../engine`, '**/engine/*', '!**/engine/reading'),
  ),
  // The service has one door to the engine, as every team's has, and knows no tools.
  refuse(['src/*.ts', 'src/plants/**/*.ts'], '**/engine/*', '**/tools/**', '**/scripts/**'),
  refuse(['scripts/**/*.ts'], '**/engine/*', ...DOORS),
  {
    // The domain knows no HTTP, but for the errors that clients are told of.
    files: ['src/plants/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['**/engine/*', '**/tools/**', '**/scripts/**', 'express'] },
            { group: ['**/engine'], allowImportNames: [...VALUES, ...ERRORS] },
          ],
        },
      ],
    },
  },
);
