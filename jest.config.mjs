// Two projects of tests: `npm test` runs the fast one, `npm run test:all` both. A test is slow, and its file is named
// NAME.slow.test.ts, if it needs another server, a browser, a copy of the project, or more than two seconds.

const project = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  setupFiles: ['<rootDir>/src/tools/check/refuse-exit.ts'],
  transform: {
    '^.+\\.[jt]s$': [
      'ts-jest',
      {
        diagnostics: false, // types are checked by tsc
        tsconfig: {
          target: 'ES2023',
          module: 'CommonJS',
          esModuleInterop: true,
          isolatedModules: true,
          allowJs: true,
        },
      },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1', '$1.js'] }, // what `import()` names as it is compiled
  transformIgnorePatterns: ['/node_modules/(?!(?:jose|@hyperjump)/)'],
};

export default {
  projects: [
    {
      ...project,
      displayName: 'fast',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['\\.slow\\.test\\.ts$'],
      globalSetup: '<rootDir>/test/support/compile-program.ts',
    },
    {
      ...project,
      displayName: 'slow',
      testMatch: ['**/*.slow.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
  testSequencer: '<rootDir>/test/support/longest-first.js',
  reporters: [
    '<rootDir>/test/support/short-failures.js',
    ['summary', { summaryThreshold: 1000 }],
    // Only the commands check types as well, and only without a file: `npx jest`, and a few files again and again, do not.
    ...(process.env.npm_lifecycle_event?.startsWith('test') ? ['<rootDir>/test/support/check-types.js'] : []),
  ],
  testTimeout: 300_000, // of a test that hangs: no verdict may depend on the speed of the machine
  collectCoverageFrom: ['src/**/*.ts'],
  // Of what decides on a request every branch matters; of what reads documents and waits for databases, statements do. What makes
  // requests and judges answers, and mocks, are held to the world's contracts rather than to their branches.
  coverageThreshold: {
    global: { statements: 95, branches: 90 },
    './src/engine/auth/': { statements: 95, branches: 95 },
    './src/engine/json/': { statements: 95, branches: 95 },
    // Commands run as processes of their own, which are not measured: the tours hold them.
    './src/tools/project/': { statements: 35 },
    './src/tools/new/': { statements: 80 },
    './src/tools/conformance/': { statements: 70 },
    './src/tools/mock/': { statements: 80 },
    './src/tools/samples/': { statements: 85 },
  },
};
