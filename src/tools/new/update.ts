/**
 * Brings the engine of a project that `npm run new` has made up to date with this one: src/engine and the commands of scripts, and
 * nothing else.
 *
 *   npm run engine:update -- FOLDER [--force]
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../project/run-command';
import { copyEngine, type EngineRecord, engineFiles, manifestOf, packagesIn, RECORD, recordOf } from './engine-parts';

const usage = `npm run engine:update -- FOLDER [--force]
Replaces src/engine, and the commands in scripts that go with it, in a project that npm run new has made, and touches nothing else. Refuses
to if files of them were edited, added or removed there; --force replaces these too.`;

export function run(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    options: { force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) {
    console.error(`expected one FOLDER, got ${JSON.stringify(positionals)}\n${usage}`);
    return 1;
  }
  const project = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
  if (!existsSync(join(project, RECORD)))
    throw new Error(`expected a project that npm run new has made, got ${project}, which has no ${RECORD}`);
  const before = JSON.parse(readFileSync(join(project, RECORD), 'utf8')) as EngineRecord;
  const edited = differences(before, recordOf(project, before.version));
  if (edited.length > 0 && values.force !== true) {
    console.error(`these would be lost (--force replaces them all the same):\n  ${edited.join('\n  ')}`);
    return 1;
  }
  const now = copyEngine(project);
  const changed = differences(before, now);
  for (const line of changed) console.log(line);
  console.log(
    `${before.version} to ${now.version}: ${changed.length === 0 ? 'nothing' : `${changed.length} files`} changed`,
  );
  for (const line of missingPackages(project)) console.log(line);
  return 0;
}

/** What happened to the files between two records, a line each. */
function differences({ files: before }: EngineRecord, { files: now }: EngineRecord): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((name) => {
    if (before[name] === now[name]) return [];
    return `${before[name] === undefined ? 'added' : now[name] === undefined ? 'removed' : 'changed'} ${name}`;
  });
}

/** The packages that the engine needs and package.json does not name, or in another version. */
function missingPackages(project: string): string[] {
  const ours = manifestOf(root);
  const theirs = manifestOf(project);
  const text = engineFiles(project)
    .map((name) => readFileSync(join(project, name), 'utf8'))
    .join('\n');
  const wanted = packagesIn(text).map((name) => [name, ours.dependencies[name] ?? ours.devDependencies[name]] as const);
  return wanted
    .map(([name, version]) => [name, version, theirs.dependencies[name] ?? theirs.devDependencies[name]] as const)
    .filter(([, version, has]) => version !== has)
    .map(([name, version, has]) => `package.json has ${name} ${has ?? 'not at all'}: npm install ${name}@${version}`);
}
