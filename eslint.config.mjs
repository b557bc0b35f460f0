// The rules for the code; `npm run check` runs them.
import { defineConfig } from 'eslint/config';
import { codeRules } from './scripts/check/code-rules.mjs';

export default defineConfig(
  ...codeRules(import.meta.dirname),
  { ignores: ['scripts/bench/dist/', 'scripts/bench/peers/'] },
  {
    // The domain knows no HTTP, but for the errors that clients are told of.
    files: ['src/plants/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['**/engine/http/*', '!**/http/api-error', '!**/http/error-codes', '**/engine/auth/*', 'express'] },
      ],
    },
  },
);
