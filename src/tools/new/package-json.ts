/** The package.json and package-lock.json of a new project: of ours, what it needs and no more. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from '../../engine/reading';
import { root, run } from '../project/run-command';
import { type Manifest, manifestOf, packagesIn } from './engine-parts';
import { oneLine } from './source-text';

/** What is used without being imported: to compile, to test, to check. */
const TOOLS = [
  ...['typescript', 'tsx', 'jest', 'ts-jest', 'supertest', 'eslint', 'prettier', '@redocly/cli'],
  ...['@types/node', '@types/jest'],
];
/** Our commands that any service has; those whose program it does not have are left out. */
const COMMANDS = [
  ...[
    'build',
    'prestart',
    'start',
    'dev',
    'generate',
    'types',
    'test',
    'check',
    'contract:diff',
    'conformance',
    'mock',
  ],
  ...['token', 'format'],
];

/** Writes package.json; its other files have to be there. */
export function writeManifest(project: string, { info: { title, version } }: Document): void {
  const ours = manifestOf(root) as Manifest & { scripts: Record<string, string> };
  const inSource = packagesIn(textsBelow(join(project, 'src')));
  const inAll = [...packagesIn(textsBelow(project)), ...TOOLS];
  const isNeeded = (name: string): boolean => inAll.includes(name.replace(/^@types\//, '')) || inAll.includes(name);
  const all = { ...ours.dependencies, ...ours.devDependencies };
  const pick = (is: (name: string) => boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isNeeded(name) && is(name)));
  // Which compiles before it starts, even if nothing but this is installed.
  const isRuntime = (name: string): boolean => inSource.includes(name) || name === 'typescript';
  const scripts = COMMANDS.flatMap((name) => {
    const command = name === 'test' ? 'npm run --silent types && jest' : ours.scripts[name];
    const [, file] = /\b((?:scripts|src)\/\S+\.ts)\b/.exec(command ?? '') ?? [];
    return command !== undefined && (file === undefined || existsSync(join(project, file))) ? [[name, command]] : [];
  });
  const name = packageName(title);
  const manifest = {
    name,
    version: /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version) ? version : '1.0.0',
    description: oneLine(title),
    private: true,
    bin: { [name]: 'dist/src/cli.js' },
    engines: ours.engines,
    scripts: Object.fromEntries(scripts) as object,
    dependencies: pick(isRuntime),
    devDependencies: pick((name) => !isRuntime(name)),
    allowScripts: ours.allowScripts,
    scarfSettings: ours.scarfSettings,
    prettier: ours.prettier,
    overrides: ours.overrides,
  };
  writeFileSync(join(project, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes package-lock.json: npm takes from ours what package.json no longer names, without asking the registry. */
export async function writeLock(project: string): Promise<void> {
  copyFileSync(join(root, 'package-lock.json'), join(project, 'package-lock.json'));
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
  const { dependencies, devDependencies } = manifestOf(root);
  const words =
    title
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join('-').slice(0, 100).replace(/-$/, '') || 'service';
  return name in { ...dependencies, ...devDependencies } ? `${name}-service` : name;
}

function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
