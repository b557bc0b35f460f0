/** Makes the two packages of the two wings as files: the engine, for services to depend on, and the tools with their command line. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ENGINE_PACKAGE, manifestOf, packagesVersionOf, TOOLS_PACKAGE } from '../src/tools/project/own-package';
import { exitWith, readArguments } from '../src/engine';
import { writePublishedSchemas } from '../src/engine/tooling';
import { root, run, runTool } from '../src/tools/project/run-command';

const ours = manifestOf(root);
/** Packages whose programs the tools start without importing them. */
const STARTED = ['@redocly/cli', 'tsx'];
/** Packages that need to be one copy with that of another package: express-openapi-validator depends on them, too. */
const SHARED = ['ajv'];
/** Imports such as `from 'ajv/dist/2020'`, `import('tsx')` and `require.resolve('yaml')`, with the name of the package as a group. */
const IMPORTED = /(?:\bfrom |\bimport |\bimport\(|\brequire\(|\brequire\.resolve\()['`]((?:@[\w.-]+\/)?[\w-][\w.-]*)/g;
/** True for files of a wing other than code, pictures and pages. */
const isAsset = (name: string): boolean => !/\.(?:ts|png|md)$/.test(name);

const usage = `npm run package [-- FOLDER]
Writes the packages of the engine and of the tools to FOLDER, or to dist/packages. The last line printed is the file of the tools, to be typed behind npx.`;

async function main(): Promise<number> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = readArguments({ options, allowPositionals: true });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (positionals.length > 1) throw new Error(`expected one FOLDER, got ${positionals.join(' ')}`);
  const folder = resolve(root, positionals[0] ?? 'dist/packages');
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    console.error('compiling the two wings ...');
    await succeed(runTool(['tsc', '--project', 'scripts/package/tsconfig.json', '--outDir', join(work, 'compiled')]));
    writePublishedSchemas(join(work, 'compiled/engine/rules/published'));
    const engineFile = await packEngine(work, folder);
    console.log(typedFile(engineFile));
    console.log(typedFile(await packTools(work, folder, engineFile)));
    return 0;
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function packEngine(work: string, folder: string): Promise<string> {
  const engine = join(work, 'engine');
  copyWing(work, 'engine', join(engine, 'dist'));
  writeManifest(engine, {
    name: ENGINE_PACKAGE,
    description: 'Serves an OpenAPI contract: routes, security, validation and answers are held to it.',
    main: 'dist/index.js',
    types: 'dist/index.d.ts',
    exports: { '.': './dist/index.js', './package.json': './package.json' },
    ...dependenciesOn(packagesIn('engine')),
  });
  return pack(engine, folder);
}

async function packTools(work: string, folder: string, engineFile: string): Promise<string> {
  const tools = join(work, 'tools');
  copyWing(work, 'engine', join(tools, 'dist/engine'));
  copyWing(work, 'tools', join(tools, 'dist/tools'));
  // A new project gets the engine as this file, the rules of lint, and the files of CI.
  cpSync(join(root, 'redocly.yaml'), join(tools, 'redocly.yaml'));
  cpSync(join(root, 'scripts/ci'), join(tools, 'scripts/ci'), { recursive: true });
  cpSync(engineFile, join(tools, 'engine.tgz'));
  writeManifest(tools, {
    name: TOOLS_PACKAGE,
    description: 'Makes services of OpenAPI contracts, mocks them, and holds any server to its contract.',
    bin: { [ENGINE_PACKAGE]: 'dist/tools/cli.js' },
    main: 'dist/tools/index.js',
    types: 'dist/tools/index.d.ts',
    exports: {
      '.': './dist/tools/index.js',
      './code-rules': './dist/tools/check/code-rules.mjs',
      './refuse-exit': './dist/tools/check/refuse-exit.js',
      './package.json': './package.json',
    },
    ...dependenciesOn({ ...packagesIn('engine'), ...packagesIn('tools') }),
    // The development dependencies of a new project are taken from these.
    devDependencies: ours.devDependencies,
    ...{ allowScripts: ours.allowScripts, overrides: ours.overrides, prettier: ours.prettier },
  });
  return pack(tools, folder);
}

/** Copies a compiled wing, and the files that it reads beside its code. */
function copyWing(work: string, wing: string, target: string): void {
  cpSync(join(work, 'compiled', wing), target, { recursive: true });
  const source = join(root, 'src', wing);
  cpSync(source, target, {
    recursive: true,
    filter: (name) => !name.slice(source.length).includes('.') || isAsset(name),
  });
}

function writeManifest(folder: string, own: { name: string; [field: string]: unknown }): void {
  const { license, engines } = ours;
  const { name } = own;
  const manifest = { version: packagesVersionOf(ours), license, engines, files: readdirSync(folder), ...own };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(root, 'scripts/package', `${name}.md`), join(folder, 'README.md'));
}

/** Makes the package's file; resolves to its path. */
async function pack(folder: string, target: string): Promise<string> {
  const { stdout } = await succeed(run(['npm', 'pack', folder, '--silent', '--pack-destination', target]));
  return join(target, stdout.trim().split('\n').at(-1) ?? '');
}

/** A file as npx takes it for one: with a dot in front where it is below this folder, or else as a URL. Any other path is that of a program to npx. */
function typedFile(file: string): string {
  const below = relative(process.cwd(), file);
  return below.startsWith('..') ? `file:${file}` : `./${below}`;
}

/** The packages that the code of a wing imports, with the versions that this project has. */
function packagesIn(wing: string): Record<string, string> {
  const source = join(root, 'src', wing);
  const text = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs)$/.test(name))
    .map((name) => readFileSync(join(source, name), 'utf8'))
    .join('\n');
  const named = new Set([...text.matchAll(IMPORTED)].map(([, name = '']) => name));
  if (wing === 'tools') for (const name of STARTED) named.add(name);
  const all = { ...ours.dependencies, ...ours.devDependencies };
  return Object.fromEntries(Object.entries(all).filter(([name]) => named.has(name)));
}

/** The fields of a package.json that name what it depends on. */
function dependenciesOn(versions: Readonly<Record<string, string>>): Record<string, object> {
  const all = Object.entries(versions);
  return {
    dependencies: Object.fromEntries(all.filter(([name]) => !SHARED.includes(name))),
    peerDependencies: Object.fromEntries(all.filter(([name]) => SHARED.includes(name))),
  };
}

async function succeed<T extends { ok: boolean; output: string }>(outcome: Promise<T>): Promise<T> {
  const ended = await outcome;
  if (!ended.ok) throw new Error(ended.output);
  return ended;
}

exitWith(main);
