// The lint rules for the code of any service; those for the walls of this project are in `eslint.config.mjs`.
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const rules = {
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/consistent-type-definitions': 'off',
  '@typescript-eslint/consistent-type-imports': 'error',
  '@typescript-eslint/no-empty-function': 'off',
};

/** The rules for the project in a folder, as a configuration of ESLint. */
export const codeRules = (tsconfigRootDir) => {
  const languageOptions = { parserOptions: { project: './tsconfig.json', tsconfigRootDir } };
  return [
    { ignores: ['dist/', 'coverage/', 'generated/', '**/node_modules/'] },
    {
      files: ['{src,scripts}/**/*.{ts,mts,cts}'],
      extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
      languageOptions,
      rules: {
        ...rules,
        // Conditions may guard external values in spite of their types.
        '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
        '@typescript-eslint/no-confusing-void-expression': 'off',
        '@typescript-eslint/prefer-nullish-coalescing': 'off',
      },
    },
    {
      // Tests have two of the rules that need types and so take most of the time: without these a test may pass and test nothing.
      files: ['test/**/*.{ts,mts,cts}'],
      extends: [tseslint.configs.strict, tseslint.configs.stylistic],
      languageOptions,
      rules: {
        ...rules,
        '@typescript-eslint/no-floating-promises': 'error',
        '@typescript-eslint/await-thenable': 'error',
      },
    },
    {
      // No test switches off the others of its file.
      files: ['test/**/*.{ts,mts,cts}', '**/*.{test,spec}.{ts,mts,cts}'],
      rules: {
        'no-restricted-properties': [
          'error',
          ...['it', 'test', 'describe'].map((object) => ({
            object,
            property: 'only',
            message: 'Others would not run.',
          })),
        ],
        'no-restricted-syntax': [
          'error',
          {
            selector:
              "[object.property.name=/^(?:it|test|describe|concurrent)$/]:matches([property.name='only'], [property.value='only'])",
            message: 'Others would not run.',
          },
        ],
        'no-restricted-globals': ['error', 'fit', 'fdescribe'],
      },
    },
    {
      // No import cycles.
      files: ['{src,scripts}/**/*.{ts,mts,cts}'],
      plugins: { 'import-x': importX },
      settings: {
        'import-x/extensions': ['.ts', '.mts', '.cts'],
        'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts'] })],
      },
      rules: { 'import-x/no-cycle': 'error' },
    },
    {
      // What is deployed imports nothing that is installed for development alone.
      files: ['src/**/*.{ts,mts,cts}'],
      ignores: ['**/*.{test,spec}.{ts,mts,cts}'],
      rules: { 'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }] },
    },
    {
      // No regular expression takes more than linear time on input of clients.
      files: ['{src,scripts}/**/*.{ts,mts,cts,js,mjs}'],
      plugins: { regexp },
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false }],
      },
    },
  ];
};
