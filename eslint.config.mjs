// The rules for the code; `npm run check` runs them.
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'generated/', '**/node_modules/', 'scripts/bench/dist/', 'scripts/bench/peers/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Conditions that guard what comes from outside read well, whatever the types say.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    // The start holds the error codes to those that the contract lists.
    files: ['src/error-body.ts'],
    rules: { '@typescript-eslint/no-unsafe-enum-assignment': 'off' },
  },
  {
    files: ['src/plants/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['**/engine/http/*', '!**/http/api-error', '!**/http/error-codes', '**/engine/auth/*', 'express'] },
      ],
    },
  },
);
