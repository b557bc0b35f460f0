/** The package.json and package-lock.json of a new project. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '../../engine/reading';
import { ENGINE_PACKAGE, type Manifest, manifestOf, ownFolder, TOOLS_PACKAGE } from '../project/own-package';
import { run } from '../project/run-command';
import { oneLine } from './source-text';

/** Packages that a project itself uses to compile, to test and to check, in our versions. */
const USED = [
  ...['typescript', 'jest', 'ts-jest', 'supertest', 'eslint', 'prettier', 'tsx'],
  ...['@types/node', '@types/jest', '@types/supertest'],
];

/**
 * Replacements for packages that npm would install needlessly: a second mime-types and type-is, for packages that the new ones
 * serve as well, and the types of Express, which express-openapi-validator depends on, replaced by a package of types
 * without dependencies.
 */
const OVERRIDES = { 'mime-types': '^3.0.1', 'type-is': '^2.0.1', '@types/multer': 'npm:@types/json-schema@^7.0.15' };

const scripts = {
  build: 'tsc -p src',
  prestart: 'echo "bringing dist/ up to date, which takes seconds after a change ..." >&2 && tsc -p src --noCheck',
  start: 'exec node dist/src/main.js',
  dev: 'exec openapi-in-charge dev',
  generate: 'openapi-in-charge generate',
  types: 'tsc --noEmit',
  test: 'npm run --silent types && jest',
  check: 'openapi-in-charge check',
  'contract:diff': 'openapi-in-charge diff',
  conformance: 'openapi-in-charge conformance --contract openapi.yaml',
  mock: 'openapi-in-charge mock',
  token: 'openapi-in-charge token',
  format: 'prettier --write .',
};

/** The settings of jest; types are checked by tsc, and packages that are ES modules only are compiled. */
const testing = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts', '**/*.spec.ts'], // an operation may be named test
  setupFiles: [`${TOOLS_PACKAGE}/refuse-exit`],
  transform: {
    '^.+\\.[jt]s$': [
      'ts-jest',
      {
        diagnostics: false,
        tsconfig: { target: 'ES2023', module: 'CommonJS', esModuleInterop: true, isolatedModules: true, allowJs: true },
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/(?!(?:jose|@hyperjump)/)'],
  testTimeout: 300_000, // of a test that hangs: a contract may have many operations
  collectCoverageFrom: ['src/**/*.ts'],
};

/** Writes package.json; `packages` are the files of the engine and the tools, in the project's folder `packages`. */
export function writeManifest(
  project: string,
  { info: { title, version } }: Document,
  packages: { engine: string; tools: string },
): void {
  const { engines, allowScripts, overrides, prettier, ...ours } = manifestOf(ownFolder);
  const versions = { ...ours.dependencies, ...ours.devDependencies };
  const name = packageName(title);
  const manifest = {
    name,
    version: /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version) ? version : '1.0.0',
    description: oneLine(title),
    private: true,
    bin: { [name]: 'dist/src/cli.js' },
    engines,
    scripts,
    dependencies: { [ENGINE_PACKAGE]: `file:packages/${packages.engine}` },
    devDependencies: {
      [TOOLS_PACKAGE]: `file:packages/${packages.tools}`,
      ...Object.fromEntries(USED.map((used) => [used, versions[used]])),
    },
    allowScripts,
    prettier,
    jest: testing,
    overrides: { ...overrides, ...OVERRIDES },
  };
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes package-lock.json. */
export async function writeLock(project: string): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const { ok, output } = await run(['npm', 'install', '--package-lock-only', ...quiet, '--prefix', project]);
  if (!ok) throw new Error(`npm could not write package-lock.json:\n${output}`);
  const lock = readFileSync(join(project, 'package-lock.json'), 'utf8');
  const manifest = manifestOf(project) as Manifest & { allowScripts: Record<string, boolean> };
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, unknown>> };
  manifest.allowScripts = Object.fromEntries(
    Object.entries(manifest.allowScripts).filter(([name]) => `node_modules/${name}` in packages),
  );
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A title as the name of a package that is none of ours: `The "Notes" API` is `the-notes-api`. */
export function packageName(title: string): string {
  const { dependencies, devDependencies } = manifestOf(ownFolder);
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, 100).replace(/-$/, '') || 'service';
  const taken = { ...dependencies, ...devDependencies, [ENGINE_PACKAGE]: '', [TOOLS_PACKAGE]: '' };
  return name in taken ? `${name}-service` : name;
}
